import type { LocatedProblem, ProblemGroup, RunReport } from '../push/ports/report.ts';
import { linesText, subjectOf } from './problem-groups.ts';
import { withSubject } from './problem-line.ts';
import { rowsSentence } from './push-summary.ts';
import { counted, escapeControl } from './text.ts';

/** GitHub refuses a summary of more than 1 MiB; what of it is ours must leave room for that of other commands. */
const MAX_CHARACTERS = 400_000;

/** The problems of a run as Markdown, for the summary of a step of GitHub Actions: the causes, then each problem. */
export function stepSummary(report: RunReport): string {
  const groups = [...report.errorGroups, ...report.warningGroups];
  if (groups.length === 0) return `### ${report.resource}: ${rowsSentence(report)}, no problem\n\n`;
  const causes = [...CAUSES, ...groups.map(causeRow)].join('\n');
  const head = `### ${report.resource}: ${rowsSentence(report)}\n\n${causes}\n\n`;
  const rows = report.problems.map(problemRow);
  const shown = asManyAsFit(rows, MAX_CHARACTERS - head.length);
  const hidden = report.problemsTotal - shown.length;
  const rest = hidden > 0 ? `\n… and ${counted(hidden, 'more problem')}\n` : '';
  return `${head}${[...PROBLEMS, ...shown].join('\n')}\n${rest}\n`;
}

const CAUSES = [row(['severity', 'code', 'header', 'count', 'first lines']), row(['-', '-', '-', '-:', '-'])];
const PROBLEMS = [row(['where', 'severity', 'code', 'what']), row(['-', '-', '-', '-'])];

function causeRow({ first, count, lines }: ProblemGroup): string {
  const cells = [first.severity, `\`${first.code}\``, cell(subjectOf(first)), String(count)];
  return row([...cells, linesText({ count, lines })]);
}

function problemRow(problem: LocatedProblem): string {
  const { file, line, column, severity, code, detail } = problem;
  const where = [file, line, line === null ? null : column].filter((part) => part !== null).join(':');
  return row([cell(where), severity, `\`${code}\``, cell(withSubject(subjectOf(problem), detail))]);
}

function asManyAsFit(rows: readonly string[], characters: number): readonly string[] {
  let left = characters;
  const end = rows.findIndex((text) => (left -= text.length + 1) < 0);
  return end < 0 ? rows : rows.slice(0, end);
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** Text of a file or of the platform, with everything that Markdown would act on made plain. */
function cell(text: string): string {
  return escapeControl(text).replaceAll(/[\\`*[\]<>|~&@]/g, (mark) => `&#${mark.charCodeAt(0)};`);
}
