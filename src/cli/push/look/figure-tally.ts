import * as z from 'zod/mini';
import { compareDecimals, type Decimal } from '../../../core/values/decimal.ts';
import { DecimalSum } from '../../../core/values/decimal-sum.ts';
import type { LeafShape } from '../../mapping/language/fields.ts';
import type { Figure } from '../ports/look.ts';

/** Shapes of identifiers that are counted, so that memory is bounded, and those that a picture has. All others are counted together. */
const [MOST_SHAPES, SHOWN_SHAPES] = [100, 3];

/** Counts the valid values of a field. It makes no texts where it can, because every record has values. */
export class FigureTally {
  count = 0;
  private readonly kind: Figure['kind'];
  /**
   * By the day, the digits before the point, the hash of the shape, or the value. The values of a choice are those that the interface
   * shows, because all others are texts of cells.
   */
  private readonly counts: Map<string | number, number>;
  private readonly hours = new Map<string, number>();
  private readonly shapes = new Map<number, string>();
  private readonly sum = new DecimalSum();
  private smallest: Decimal | null = null;
  private largest: Decimal | null = null;

  constructor({ facts, schema }: LeafShape, isId: boolean) {
    const { kind, values = facts.known } = facts;
    const choices = schema instanceof z.ZodMiniEnum ? Object.values(schema.def.entries).map(String) : values;
    const known = kind === 'boolean' ? ['true', 'false'] : (choices ?? []);
    this.counts = new Map(known.map((value) => [value, 0]));
    if (kind === 'decimal') this.kind = 'amount';
    else if (kind === 'date' || kind === 'datetime') this.kind = 'date';
    else this.kind = known.length > 0 ? 'choice' : isId ? 'id' : 'text';
  }

  see(value: unknown): void {
    this.count++;
    const { kind, counts } = this;
    if (kind === 'amount') this.seeAmount(value as Decimal);
    else if (kind === 'choice') add(counts, counts.has(String(value)) ? String(value) : OTHERS);
    else if (kind === 'id') add(counts, this.hashOf(value as string));
    else if (kind === 'date') {
      const text = value as string;
      add(counts, dayNumber(text));
      if (text[10] === 'T') add(this.hours, text.slice(11, 13));
    }
  }

  private seeAmount(amount: Decimal): void {
    this.sum.add(amount.text);
    add(this.counts, amount.wholeDigits);
    if (!this.smallest || compareDecimals(amount, this.smallest) < 0) this.smallest = amount;
    if (!this.largest || compareDecimals(amount, this.largest) > 0) this.largest = amount;
  }

  private hashOf(text: string): string | number {
    let hash = text.length;
    for (let at = 0; at < text.length; at++)
      hash = (Math.imul(hash, 31) + (CLASSES[text.charCodeAt(at)] ?? 0)) | 0;
    if (this.shapes.has(hash)) return hash;
    if (this.shapes.size === MOST_SHAPES) return OTHERS;
    this.shapes.set(hash, shapeOf(text));
    return hash;
  }

  figure(field: string, type: string | null): Figure {
    const { kind, count } = this;
    const sum = this.sum.total?.text ?? null;
    const [smallest, largest] = [this.smallest?.text ?? null, this.largest?.text ?? null];
    const figure = { field, type, kind, count, smallest, largest, sum };
    switch (kind) {
      case 'text':
        return { ...figure, counts: {} };
      case 'amount':
        return { ...figure, counts: { digits: this.countsBy(String) } };
      case 'choice':
        return { ...figure, counts: { values: this.countsBy(String) } };
      case 'id': {
        // The rarest one is the one to look at.
        const all = [...this.counts].toSorted(([, a], [, b]) => b - a);
        const shown = new Map(
          [...all.slice(0, SHOWN_SHAPES - 1), ...all.slice(-1)].map(([hash]) => [
            hash,
            this.shapes.get(hash as number),
          ]),
        );
        return { ...figure, counts: { values: this.countsBy((hash) => shown.get(hash) ?? OTHERS) } };
      }
      case 'date': {
        const months = this.countsBy((day) => dayText(day).slice(0, 'yyyy-mm'.length));
        const days = this.countsBy((day) => dayText(day).slice('yyyy-mm-'.length));
        const sorted = [...this.counts.keys()].map(dayText).toSorted();
        const range = { smallest: sorted[0]!, largest: sorted.at(-1)! };
        return { ...figure, ...range, counts: { months, days, hours: Object.fromEntries(this.hours) } };
      }
    }
  }

  private countsBy(keyOf: (key: string | number) => string): Readonly<Record<string, number>> {
    const sums = new Map<string, number>();
    for (const [key, count] of this.counts) if (count > 0) add(sums, keyOf(key), count);
    return Object.fromEntries([...sums].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }
}

/** Stands for identifiers of further shapes, and for values that the interface does not show. */
const OTHERS = 'others';

/** The day of a date or an instant as a number such as 20260131, because a new text takes longer to look up. */
function dayNumber(date: string): number {
  let number = 0;
  for (let at = 0; at < 'yyyy-mm-dd'.length; at++)
    if (date[at] !== '-') number = number * 10 + date.charCodeAt(at) - '0'.charCodeAt(0);
  return number;
}

const dayText = (day: string | number): string => String(day).replace(/(..)(..)$/u, '-$1-$2');

function add<K>(counts: Map<K, number>, key: K, count = 1): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}

/** Each digit as 9, each letter as A or a; `□` for every character beyond ASCII. */
function shapeOf(text: string): string {
  const letters = text.replaceAll(/[A-Z]/g, 'A').replaceAll(/[a-z]/g, 'a');
  return letters.replaceAll(/\d/g, '9').replaceAll(/[^ -~]/g, '□');
}

/** The code of the character that stands for each one of ASCII in a shape. */
const CLASSES = Array.from({ length: 128 }, (_, code) => shapeOf(String.fromCharCode(code)).charCodeAt(0));
