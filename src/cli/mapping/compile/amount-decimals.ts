import { failure, warning, type Path, type Problem } from '../../../core/problem.ts';
import { total, type Tally } from '../../../core/values/counts.ts';
import type { RecordCell } from '../column-map.ts';
import type { CellProblem } from '../mapping-plan.ts';

/** Fewer amounts than this have no usual way to be written. */
const LEAST = 20;

/** Debits that are all negative: the column says that they are debits, so that few are enough. */
const LEAST_DEBITS = 3;

/** The share of amounts that must have the same number of decimals before another number than none is odd. */
const USUAL_SHARE = 0.95;

/** How the amounts of one column are written, zeros apart. */
export class AmountColumn {
  readonly path: Path;
  /** The column; its line is not used. */
  readonly cell: RecordCell;
  /** Whether whole amounts may be major or minor units, because the mapping says neither. */
  readonly isUnitOpen: boolean;
  /** Whether a mapping says that the column has debits, which are positive. */
  readonly isDebit: boolean;
  /** How many are negative and are sent with the sign that the column gives them. */
  negative = 0;
  /** The amounts by their number of decimals, and all of their digits before the decimals. */
  readonly decimals = new Map<number, AmountTally>();
  /** Whether an amount with decimals ends in a zero. A program that drops such zeros writes `12.5` and `12` rightly. */
  endsInZero = false;
  /** Whether an amount ends in `.00`, so that an amount without decimals is not one whose zeros were dropped. */
  writesZeros = false;

  constructor(path: Path, cell: RecordCell, is = { isUnitOpen: false, isDebit: false }) {
    this.path = path;
    this.cell = cell;
    this.isUnitOpen = is.isUnitOpen;
    this.isDebit = is.isDebit;
  }

  /** Notes the text of a cell, as it is in the file. Reads each character once, because every row has amounts. */
  note(text: string, mark: string, line: number): void {
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
    if (places > 0 && text[end - 1] === '0') this.endsInZero = true;
    if (places > 1 && text.endsWith('00', end)) this.writesZeros = true;
    const known = this.decimals.get(places);
    if (known) {
      known.count++;
      known.digits += digits;
    } else this.decimals.set(places, { count: 1, first: line, digits });
  }
}

/** Whether a field has money. Units, prices and rates may have any number of decimals. */
export const isMoney = (path: Path): boolean => String(path.at(-1)).endsWith('amount');

const [ZERO, NINE] = [0x30, 0x39];

/** Amounts of a column that are not written as most others, and amounts that are all whole, in a unit that nothing says. */
export function* decimalWarnings(columns: Iterable<AmountColumn>): Generator<CellProblem> {
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

/** The line of the first amount, and all digits before the decimals. */
type AmountTally = Tally<number> & { digits: number };

/** The amounts with a number of decimals. */
type Decimals = readonly [places: number, AmountTally];

const countOf = (all: readonly Decimals[]): number => total(all, ([, { count }]) => count);

/** Numbers of decimals that are odd beside the usual one: none beside more than half, any other beside nearly all amounts. */
function othersThan(
  [usual, tally]: Decimals,
  of: number,
  { decimals, endsInZero }: AmountColumn,
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
function isLarger(large: AmountTally, usual: AmountTally, digits: number): boolean {
  return large.digits * usual.count >= (usual.digits + digits * usual.count) * large.count;
}
