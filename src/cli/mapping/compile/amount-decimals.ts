import { warning, type Path } from '../../../core/problem.ts';
import type { RecordCell } from '../column-map.ts';
import type { CellProblem } from '../mapping-plan.ts';
import { countLine, type WrittenAmounts } from './level.ts';

/** Fewer amounts than this have no usual way to be written. */
const LEAST = 20;

/** The share of amounts that must have the same number of decimals before another number is odd. */
const USUAL_SHARE = 0.95;

/** A column of money, before its first amount. */
export function writtenAmounts(path: Path, cell: RecordCell): WrittenAmounts {
  return { path, cell, decimals: new Map(), endsInZero: false };
}

/** Whether a field has money. Units, prices and rates may have any number of decimals. */
export const isMoney = (path: Path): boolean => String(path.at(-1)).endsWith('amount');

/** Notes the text of a cell, as it is in the file. */
export function noteAmount(
  written: WrittenAmounts,
  text: string,
  place: { mark: string; line: number },
): void {
  const from = text.lastIndexOf(place.mark) + 1;
  let to = from;
  if (from > 0) while (to < text.length && text[to]! >= '0' && text[to]! <= '9') to++;
  if (to > from && text[to - 1] === '0') written.endsInZero ||= /[1-9]/.test(text);
  if (/[1-9]/.test(text)) countLine(written.decimals, to - from, place.line);
}

/** Few amounts of a column that have another number of decimals than nearly all others. */
export function* decimalWarnings(columns: Iterable<WrittenAmounts>): Generator<CellProblem> {
  for (const { path, cell, decimals, endsInZero } of columns) {
    const total = totalOf(decimals);
    const [usual] = [...decimals].toSorted(([, a], [, b]) => b.count - a.count);
    if (!usual || usual[0] === 0 || total < LEAST || usual[1].count < total * USUAL_SHARE) continue;
    const others = [...decimals].filter(
      ([places]) => places !== usual[0] && (endsInZero || places > usual[0]),
    );
    if (others.length === 0) continue;
    const count = others.reduce((sum, [, tally]) => sum + tally.count, 0);
    const line = Math.min(...others.map(([, tally]) => tally.line));
    const found = others.map(([places]) => places).join(' and ');
    yield {
      problem: warning('amount_decimals_differ', path, { count, total, found, usual: usual[0] }),
      cell: { ...cell, line },
    };
  }
}

/** How many decimals the amounts of a column have at most; undefined when they are too few, or all are whole. */
export function mostDecimals({ decimals }: WrittenAmounts): number | undefined {
  const most = Math.max(0, ...decimals.keys());
  return most === 0 || totalOf(decimals) < LEAST ? undefined : most;
}

function totalOf(decimals: WrittenAmounts['decimals']): number {
  return [...decimals.values()].reduce((sum, { count }) => sum + count, 0);
}
