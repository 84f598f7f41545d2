import * as z from 'zod/mini';
import { Decimal } from '../../../core/values/decimal.ts';
import { DecimalSum } from '../../../core/values/decimal-sum.ts';
import type { FieldShape, LeafShape } from '../../mapping/language/fields.ts';
import type { Figure } from '../ports/look.ts';

/** Counts the values of one field, record by record. Its memory is bounded. */
export interface FieldFigures {
  /** `type`: of the record. */
  see(value: unknown, type: string | null): void;
  figures(): readonly Figure[];
}

class Dates implements FieldFigures {
  private readonly field: string;
  /** By year and month as one number, such as 202601. */
  private readonly months = new Map<number, number>();
  private readonly days = Array.from({ length: 31 }, () => 0);
  private readonly hours = Array.from({ length: 24 }, () => 0);
  private hasTimes = false;
  private first = '';
  private last = '';

  constructor(field: string) {
    this.field = field;
  }

  see(value: unknown): void {
    if (typeof value !== 'string') return;
    const month = digitsAt(value, 0) * 10_000 + digitsAt(value, 2) * 100 + digitsAt(value, 5);
    this.months.set(month, (this.months.get(month) ?? 0) + 1);
    this.days[digitsAt(value, 8) - 1]!++;
    if (this.first === '' || value < this.first) this.first = value;
    if (value > this.last) this.last = value;
    if (value[10] !== 'T') return;
    this.hasTimes = true;
    this.hours[digitsAt(value, 11)]!++;
  }

  figures(): readonly Figure[] {
    const { field, first, last, days } = this;
    const months = Object.fromEntries(
      [...this.months]
        .toSorted(([a], [b]) => a - b)
        .map(
          ([month, each]) =>
            [
              String(month)
                .padStart(6, '0')
                .replace(/(?=..$)/u, '-'),
              each,
            ] as const,
        ),
    );
    const count = days.reduce((sum, each) => sum + each, 0);
    const hours = this.hasTimes ? this.hours : null;
    return count === 0 ? [] : [{ kind: 'dates', field, count, first, last, months, days, hours }];
  }
}

/** The number that two digits of a text are. It makes no text, as each record has dates. */
const digitsAt = (text: string, at: number): number =>
  text.charCodeAt(at) * 10 + text.charCodeAt(at + 1) - 11 * '0'.charCodeAt(0);

type SeenAmounts = {
  count: number;
  negative: number;
  readonly sum: DecimalSum;
  smallest: number;
  largest: number;
  /** The texts of both. */
  ends: [smallest: string, largest: string];
  readonly digits: number[];
};

class Amounts implements FieldFigures {
  private readonly field: string;
  private readonly unit: 'major' | 'minor';
  private readonly types = new Map<string | null, SeenAmounts>();

  constructor(field: string, unit: 'major' | 'minor' = 'major') {
    this.field = field;
    this.unit = unit;
  }

  see(value: unknown, type: string | null): void {
    if (!(value instanceof Decimal)) return;
    const { text, places } = value;
    const number = (value.unitsAt(places) ?? Number(text) * 10 ** places) / 10 ** places;
    let seen = this.types.get(type);
    if (!seen) {
      const ends: SeenAmounts['ends'] = [text, text];
      seen = {
        count: 0,
        negative: 0,
        sum: new DecimalSum(),
        smallest: number,
        largest: number,
        ends,
        digits: [],
      };
      this.types.set(type, seen);
    }
    seen.count++;
    seen.sum.add(value);
    if (number < 0) seen.negative++;
    if (number < seen.smallest) [seen.smallest, seen.ends[0]] = [number, text];
    if (number > seen.largest) [seen.largest, seen.ends[1]] = [number, text];
    const { wholeDigits } = value;
    seen.digits[wholeDigits] = (seen.digits[wholeDigits] ?? 0) + 1;
  }

  figures(): readonly Figure[] {
    const { field, unit } = this;
    return [...this.types]
      .toSorted(([a], [b]) => ((a ?? '') < (b ?? '') ? -1 : 1))
      .map(([type, { count, negative, sum, ends, digits }]) => ({
        kind: 'amounts',
        field,
        unit,
        type,
        count,
        sum: sum.total!.text,
        smallest: ends[0],
        largest: ends[1],
        negative,
        digits: Array.from({ length: digits.length }, (_, at) => digits[at] ?? 0),
      }));
  }
}

/** Shapes that are counted. Identifiers of further ones are others. */
const MOST_SHAPES = 100;
/** Shapes that are shown. */
const SHOWN_SHAPES = 3;

class Shapes implements FieldFigures {
  private readonly field: string;
  /** By the hash of a shape, because making its text takes longer than all else of a record. */
  private readonly shapes = new Map<number, { readonly shape: string; count: number }>();
  private count = 0;

  constructor(field: string) {
    this.field = field;
  }

  see(value: unknown): void {
    if (typeof value !== 'string' || value === '') return;
    this.count++;
    let hash = value.length;
    for (let at = 0; at < value.length; at++)
      hash = (Math.imul(hash, 31) + (CLASSES[value.charCodeAt(at)] ?? 0)) | 0;
    const known = this.shapes.get(hash);
    if (known) known.count++;
    else if (this.shapes.size < MOST_SHAPES) this.shapes.set(hash, { shape: shapeOf(value), count: 1 });
  }

  figures(): readonly Figure[] {
    const { field, count } = this;
    const all = [...this.shapes.values()].toSorted((a, b) => b.count - a.count);
    const shapes = all.slice(0, SHOWN_SHAPES);
    const others = shapes.reduce((rest, each) => rest - each.count, count);
    return count === 0 ? [] : [{ kind: 'ids', field, count, shapes, others }];
  }
}

/** Each digit as 9, each letter as A or a; `□` for every character beyond ASCII. */
const shapeOf = (text: string): string =>
  text
    .replaceAll(/\d/g, '9')
    .replaceAll(/[A-Z]/g, 'A')
    .replaceAll(/[a-z]/g, 'a')
    .replaceAll(/[^ -~]/g, '□');

/** The code of the character that stands for each one of ASCII in a shape. */
const CLASSES = Array.from({ length: 128 }, (_, code) => shapeOf(String.fromCharCode(code)).charCodeAt(0));

/** Values that the interface does not show and that are named when values may be shown. */
const MOST_OTHERS = 10;

class Choices implements FieldFigures {
  private readonly field: string;
  private readonly values: Map<unknown, number>;
  /** Further values that are named. */
  private more: number;
  private others = 0;

  constructor(field: string, values: readonly unknown[], showsValues: boolean) {
    this.field = field;
    this.values = new Map(values.map((value) => [value, 0]));
    this.more = showsValues ? MOST_OTHERS : 0;
  }

  see(value: unknown): void {
    if (value === '') return;
    const known = this.values.get(value);
    if (known !== undefined || this.more-- > 0) this.values.set(value, (known ?? 0) + 1);
    else this.others++;
  }

  figures(): readonly Figure[] {
    const { field, others } = this;
    const seen = [...this.values].filter(([, count]) => count > 0);
    const count = seen.reduce((sum, [, each]) => sum + each, others);
    const values = Object.fromEntries(seen.map(([value, each]) => [String(value), each]));
    return count === 0 ? [] : [{ kind: 'choices', field, count, values, others }];
  }
}

/** The values of items, one after the other. They are not split by type. */
function eachOf(inner: FieldFigures): FieldFigures {
  return {
    see(value) {
      if (Array.isArray(value)) for (const item of value) inner.see(item, null);
    },
    figures: () => inner.figures(),
  };
}

function partsOf(parts: readonly (readonly [name: string, figures: FieldFigures])[]): FieldFigures {
  return {
    see(value) {
      if (typeof value !== 'object' || value === null) return;
      for (const [name, inner] of parts) inner.see((value as Readonly<Record<string, unknown>>)[name], null);
    },
    figures: () => parts.flatMap(([, inner]) => inner.figures()),
  };
}

/** Whether a field names something, and whether values may be shown that the interface does not. */
type FigureChoice = { readonly isId: boolean; readonly showsValues: boolean };

/** Counts the values of a field, and of the fields inside of it; null for texts. */
export function figuresOf(field: string, shape: FieldShape, choice: FigureChoice): FieldFigures | null {
  if (shape.kind === 'leaf') return leafFigures(field, shape, choice);
  const inside = { ...choice, isId: false };
  if (shape.kind === 'object') {
    const parts = Object.entries(shape.fields).flatMap(([name, inner]) => {
      const figures = figuresOf(`${field}.${name}`, inner, inside);
      return figures ? [[name, figures] as const] : [];
    });
    return parts.length === 0 ? null : partsOf(parts);
  }
  const item = figuresOf(field, { ...shape.item, isRequired: true }, inside);
  return item && eachOf(item);
}

function leafFigures(
  field: string,
  { facts, schema }: LeafShape,
  { isId, showsValues }: FigureChoice,
): FieldFigures | null {
  const { kind, values, known } = facts;
  if (kind === 'date' || kind === 'datetime') return new Dates(field);
  if (kind === 'decimal') return new Amounts(field, facts.unit);
  if (kind === 'boolean') return new Choices(field, [true, false], false);
  const choices = schema instanceof z.ZodMiniEnum ? Object.values(schema.def.entries) : (values ?? known);
  if (choices) return new Choices(field, choices, showsValues);
  return isId ? new Shapes(field) : null;
}
