import { failure, warning, type Path } from '../../../core/problem.ts';
import type { RecordCell } from '../column-map.ts';
import type { CellProblem } from '../mapping-plan.ts';
import type { WrittenAmounts } from './level.ts';

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

/** Notes the text of a cell, as it is in the file. */
export function noteAmount(
  written: WrittenAmounts,
  text: string,
  place: { mark: string; line: number },
): void {
  const from = text.lastIndexOf(place.mark) + 1;
  let to = from;
  if (from > 0) while (to < text.length && text[to]! >= '0' && text[to]! <= '9') to++;
  if (!/[1-9]/.test(text)) return;
  const places = to - from;
  if (places > 0 && text[to - 1] === '0') written.endsInZero = true;
  if (places > 1 && text.endsWith('00', to)) written.writesZeros = true;
  const digits = text.slice(0, from > 0 ? from : text.length).replaceAll(/\D/g, '').length;
  const known = written.decimals.get(places);
  if (known) {
    known.count++;
    known.digits += digits;
  } else written.decimals.set(places, { count: 1, line: place.line, digits });
}

/** Amounts of a column that are not written as most others, and amounts that are all whole, in a unit that nothing says. */
export function* decimalWarnings(columns: Iterable<WrittenAmounts>): Generator<CellProblem> {
  for (const written of columns) {
    const { path, cell, decimals, isUnitOpen } = written;
    const total = totalOf(decimals);
    const [usual] = [...decimals].toSorted(([, a], [, b]) => b.count - a.count);
    if (usual && written.isDebit && total >= LEAST_DEBITS && written.negative === total)
      yield {
        problem: warning('amounts_all_negative', path, { count: total, what: 'the column of debits' }),
        cell: { ...cell, line: Math.min(...[...decimals.values()].map(({ line }) => line)) },
      };
    if (!usual || total < LEAST) continue;
    if (usual[0] === 0) {
      if (isUnitOpen && decimals.size === 1)
        yield {
          problem: warning('gross_amounts_look_like_major_units', path, {
            count: total,
            oddity: 'are whole, and the mapping does not say their unit',
          }),
          cell: { ...cell, line: usual[1].line },
        };
      continue;
    }
    const others = othersThan(usual, total, written);
    if (others.length === 0) continue;
    const count = others.reduce((sum, [, tally]) => sum + tally.count, 0);
    const line = Math.min(...others.map(([, tally]) => tally.line));
    const found = others.map(([places]) => places).join(' and ');
    const whole = decimals.get(0);
    const isLost = written.writesZeros && whole !== undefined && isLarger(whole, usual[1], 1);
    yield {
      problem: isLost
        ? failure('amount_decimals_lost', path, { count: whole.count, total, usual: usual[0] })
        : warning('amount_decimals_lost', path, {
            count,
            total,
            usual: usual[0],
            what: `with another number of decimals (${found}) than most others`,
          }),
      cell: { ...cell, line: isLost ? whole.line : line },
    };
  }
}

type Tallies = WrittenAmounts['decimals'];
type Tally = NonNullable<ReturnType<Tallies['get']>>;

/** Numbers of decimals that are odd beside the usual one: none beside more than half, any other beside nearly all amounts. */
function othersThan(
  [usual, tally]: readonly [number, Tally],
  total: number,
  { decimals, endsInZero }: WrittenAmounts,
): readonly (readonly [number, Tally])[] {
  const { count } = tally;
  if (count * 2 <= total) return [];
  const isRule = count >= total * USUAL_SHARE;
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

function totalOf(decimals: WrittenAmounts['decimals']): number {
  return [...decimals.values()].reduce((sum, { count }) => sum + count, 0);
}
