import { failure, warning, type Path, type Problem } from '../../../core/problem.ts';
import { total } from '../../../core/values/counts.ts';
import type { RecordCell } from '../column-map.ts';
import type { CellProblem } from '../mapping-plan.ts';
import type { LineTally, WrittenAmounts } from './level.ts';

/** Fewer amounts than this have no usual way to be written. */
const LEAST = 20;

/** Debits that are all negative: the column says that they are debits, so that few are enough. */
const LEAST_DEBITS = 3;

/** The share of amounts that must have the same number of decimals before another number than none is odd. */
const USUAL_SHARE = 0.95;

/** A column of money, before its first amount. */
export function writtenAmounts(
  path: Path,
  cell: RecordCell,
  is = { isUnitOpen: false, isDebit: false },
): WrittenAmounts {
  return { path, cell, ...is, decimals: new Map(), negative: 0, endsInZero: false, writesZeros: false };
}

/** Whether a field has money. Units, prices and rates may have any number of decimals. */
export const isMoney = (path: Path): boolean => String(path.at(-1)).endsWith('amount');

/** Notes the text of a cell, as it is in the file. Reads each character once, because every row has amounts. */
export function noteAmount(written: WrittenAmounts, text: string, mark: string, line: number): void {
  const point = text.lastIndexOf(mark);
  let [digits, places, isZero, end] = [0, 0, true, point + 1];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < ZERO || code > NINE) continue;
    if (code > ZERO) isZero = false;
    if (point < 0 || at < point) digits++;
    else if (at === end) end = point + 1 + ++places;
  }
  if (isZero) return;
  if (places > 0 && text[end - 1] === '0') written.endsInZero = true;
  if (places > 1 && text.endsWith('00', end)) written.writesZeros = true;
  const known = written.decimals.get(places);
  if (known) {
    known.count++;
    known.digits += digits;
  } else written.decimals.set(places, { count: 1, first: line, digits });
}

const [ZERO, NINE] = [0x30, 0x39];

/** Amounts of a column that are not written as most others, and amounts that are all whole, in a unit that nothing says. */
export function* decimalWarnings(columns: Iterable<WrittenAmounts>): Generator<CellProblem> {
  for (const written of columns) {
    const { path, decimals } = written;
    const all = [...decimals].toSorted(([, a], [, b]) => b.count - a.count);
    const of = countOf(all);
    const at = (problem: Problem, among: readonly Decimals[]): CellProblem => {
      const line = Math.min(...among.map(([, tally]) => tally.first));
      return { problem, cell: { ...written.cell, line } };
    };
    const [usual] = all;
    if (usual && written.isDebit && of >= LEAST_DEBITS && written.negative === of)
      yield at(warning('amounts_all_negative', path, { count: of, what: 'the column of debits' }), all);
    if (!usual || of < LEAST) continue;
    if (usual[0] === 0) {
      const oddity = 'are whole, and the mapping does not say their unit';
      if (written.isUnitOpen && decimals.size === 1)
        yield at(warning('gross_amounts_look_like_major_units', path, { count: of, oddity }), all);
      continue;
    }
    const others = othersThan(usual, of, written);
    if (others.length === 0) continue;
    const [places] = usual;
    const whole = decimals.get(0);
    if (written.writesZeros && whole && isLarger(whole, usual[1], 1))
      yield at(failure('amount_decimals_lost', path, { count: whole.count, total: of, usual: places }), [
        [0, whole],
      ]);
    else {
      const count = countOf(others);
      const found = others.map(([other]) => other).join(' and ');
      const what = `with another number of decimals (${found}) than most others`;
      yield at(warning('amount_decimals_lost', path, { count, total: of, usual: places, what }), others);
    }
  }
}

type Tally = LineTally & { digits: number };

/** The amounts with a number of decimals. */
type Decimals = readonly [places: number, Tally];

const countOf = (all: readonly Decimals[]): number => total(all, ([, { count }]) => count);

/** Numbers of decimals that are odd beside the usual one: none beside more than half, any other beside nearly all amounts. */
function othersThan(
  [usual, tally]: Decimals,
  of: number,
  { decimals, endsInZero }: WrittenAmounts,
): readonly Decimals[] {
  const { count } = tally;
  if (count * 2 <= of) return [];
  const isRule = count >= of * USUAL_SHARE;
  return [...decimals].filter(([places, other]) => {
    if (places >= usual) return places > usual && isRule;
    if (endsInZero && isRule) return true;
    // A file that drops zeros has whole amounts, too. Those that are much larger have lost their mark.
    return places === 0 && usual > 1 && (endsInZero || isLarger(other, tally, LOST_DIGITS));
  });
}

/** Digits that amounts have more on average when they have lost their mark: two, less the chance of a few amounts. */
const LOST_DIGITS = 1.5;

/** Whether amounts have on average so many digits more before the decimals. */
function isLarger(large: Tally, usual: Tally, digits: number): boolean {
  return large.digits * usual.count >= (usual.digits + digits * usual.count) * large.count;
}
