import type { ProblemGroup, RunReport } from '../push/ports/report.ts';
import { columnsText } from './table.ts';
import { counted, escapeControl } from './text.ts';

/** Groups that a table shows; a file with more of them is another file than it was taken for. */
const SHOWN_GROUPS = 50;

/** What is wrong with a run, by cause: how often, where first. Nothing when a table would repeat a single line. */
export function groupsText(report: Pick<RunReport, 'errorGroups' | 'warningGroups'>): string {
  const groups = [...report.errorGroups, ...report.warningGroups];
  if (groups.length === 0 || (groups.length === 1 && groups[0]!.count === 1)) return '';
  const files = new Set(groups.map(({ first }) => first.file));
  const rows = groups.slice(0, SHOWN_GROUPS).map((group) => cellsOf(group, files.size > 1));
  const head = ['severity', 'code', 'header', 'count', files.size > 1 ? 'first in' : 'first lines'];
  const hidden = groups.length - rows.length;
  return [
    columnsText([head, ...rows], ['left', 'left', 'left', 'right', 'left']),
    hidden > 0 ? `  … and ${counted(hidden, 'more kind')} of problems\n` : '',
  ].join('');
}

function cellsOf({ first, count, lines }: ProblemGroup, withFile: boolean): readonly string[] {
  const where = linesText({ count, lines });
  const cells = [
    first.severity,
    first.code,
    subjectOf(first),
    String(count),
    withFile ? `${first.file}: ${where}` : where,
  ];
  return cells.map(escapeControl);
}

/** `2, 17, 18 …` */
export function linesText({ count, lines }: Pick<ProblemGroup, 'count' | 'lines'>): string {
  return `${lines.join(', ')}${count > lines.length && lines.length > 0 ? ' …' : ''}`;
}

/** The column, or else the field, that a problem is about. */
export function subjectOf({ header, attr }: ProblemGroup['first']): string {
  return header ?? attr ?? '';
}
