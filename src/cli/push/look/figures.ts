import * as z from 'zod/mini';
import { compareDecimals, type Decimal } from '../../../core/values/decimal.ts';
import { DecimalSum } from '../../../core/values/decimal-sum.ts';
import type { LeafShape } from '../../mapping/language/fields.ts';
import type { Figure } from '../ports/look.ts';

/** Counts the valid values of a field. Its memory is bounded. */
export interface FieldTally {
  see(value: never): void;
  figure(): Pick<Figure, 'kind'> & Partial<Figure>;
}

type Counts = Map<string | number, number>;

function add(counts: Counts, key: string | number, count = 1): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}

const sorted = (counts: Counts): Readonly<Record<string, number>> =>
  Object.fromEntries([...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** The tally of a field. `isId`: whether the field names something. */
export function tallyOf({ facts, schema }: LeafShape, isId: boolean): FieldTally {
  const { kind, values, known } = facts;
  if (kind === 'date' || kind === 'datetime') return dates();
  if (kind === 'decimal') return amounts();
  if (kind === 'boolean') return choices(['true', 'false']);
  const named = schema instanceof z.ZodMiniEnum ? Object.values(schema.def.entries) : (values ?? known);
  if (named) return choices(named.map(String));
  return isId ? ids() : { see: () => undefined, figure: () => ({ kind: 'text' }) };
}

function dates(): FieldTally {
  const [byDay, hours]: Counts[] = [new Map(), new Map()];
  return {
    see(value: string) {
      add(byDay!, value.slice(0, 'yyyy-mm-dd'.length));
      if (value[10] === 'T') add(hours!, value.slice(11, 13));
    },
    figure() {
      const [months, days]: Counts[] = [new Map(), new Map()];
      const all = Object.entries(sorted(byDay!));
      for (const [day, count] of all) {
        add(months!, day.slice(0, 'yyyy-mm'.length), count);
        add(days!, day.slice('yyyy-mm-'.length), count);
      }
      const counts = { months: sorted(months!), days: sorted(days!), hours: sorted(hours!) };
      return { kind: 'date', smallest: all[0]![0], largest: all.at(-1)![0], counts };
    },
  };
}

function amounts(): FieldTally {
  const [digits, signs]: Counts[] = [new Map(), new Map()];
  const sum = new DecimalSum();
  let smallest: Decimal | undefined;
  let largest: Decimal | undefined;
  return {
    see(value: Decimal) {
      add(digits!, value.wholeDigits);
      add(signs!, value.isNegative ? 'negative' : 'positive');
      sum.add(value.text);
      if (!smallest || compareDecimals(value, smallest) < 0) smallest = value;
      if (!largest || compareDecimals(value, largest) > 0) largest = value;
    },
    figure() {
      const counts = { digits: sorted(digits!), signs: sorted(signs!) };
      return {
        kind: 'amount',
        smallest: smallest!.text,
        largest: largest!.text,
        sum: sum.total!.text,
        counts,
      };
    },
  };
}

/** Shapes of identifiers that are counted, and those that are shown. Further ones are counted together. */
const [MOST_SHAPES, SHOWN_SHAPES] = [100, 3];

/** A shape is found by its hash, because making its text takes longer than all else of a record. */
function ids(): FieldTally {
  const known = new Map<number, { readonly shape: string; count: number }>();
  let all = 0;
  return {
    see(value: string) {
      all++;
      let hash = value.length;
      for (let at = 0; at < value.length; at++)
        hash = (Math.imul(hash, 31) + (CLASSES[value.charCodeAt(at)] ?? 0)) | 0;
      const found = known.get(hash);
      if (found) found.count++;
      else if (known.size < MOST_SHAPES) known.set(hash, { shape: shapeOf(value), count: 1 });
    },
    figure() {
      const shown = [...known.values()].toSorted((a, b) => b.count - a.count).slice(0, SHOWN_SHAPES);
      const others = shown.reduce((rest, { count }) => rest - count, all);
      const shapes = Object.fromEntries(shown.map(({ shape, count }) => [shape, count]));
      return { kind: 'id', counts: { shapes: others > 0 ? { ...shapes, others } : shapes } };
    },
  };
}

/** Each digit as 9, each letter as A or a; `□` for every character beyond ASCII. */
function shapeOf(text: string): string {
  const letters = text.replaceAll(/[A-Z]/g, 'A').replaceAll(/[a-z]/g, 'a');
  return letters.replaceAll(/\d/g, '9').replaceAll(/[^ -~]/g, '□');
}

/** The code of the character that stands for each one of ASCII in a shape. */
const CLASSES = Array.from({ length: 128 }, (_, code) => shapeOf(String.fromCharCode(code)).charCodeAt(0));

/** Values that the interface does not show are counted together, because they are texts of cells. */
function choices(named: readonly string[]): FieldTally {
  const values: Counts = new Map(named.map((value) => [value, 0]));
  return {
    see(value: string | boolean) {
      add(values, values.has(String(value)) ? String(value) : 'others');
    },
    figure: () => ({
      kind: 'choice',
      counts: { values: Object.fromEntries([...values].filter(([, count]) => count > 0)) },
    }),
  };
}
