import { warning, failure, type Facts } from '../../../core/problem.ts';
import { codePointOf } from '../../../core/values/hidden-characters.ts';
import { total } from '../../../core/values/counts.ts';
import { MOST_FORMS, sameForm, type IdentifierDigits } from '../ports/identifier-text.ts';
import { NumberLengths, type NumberTally } from './lost-zeros.ts';
import { shortenedName } from './plausible-text.ts';
import type { SeenRecord } from '../staged-file.ts';
import { joinIn, togetherOf, type Oddity, type Suspicion, type Tally } from './tally.ts';

/** Fewer records than this have no usual shape. */
const LEAST = 50;

/** The most shapes that the identifiers of one field have, and the share of the records that may have another one. */
const USUAL_SHAPES = 3;
const FEW_SHARE = 0.01;

/** With more shapes than this, the identifiers have none. Memory stays bounded. */
const MOST_SHAPES = 200;

/** Texts that differ in nothing but their digits. Nearly all identifiers of a file have one of a few forms. */
interface Form extends Tally {
  /** The first of them. */
  readonly text: string;
  readonly number: IdentifierDigits;
  numbers: NumberTally | undefined;
}

/** Texts whose digits decide more than how many they are: decimals, exponents and rounded numbers. */
const NEEDS_DIGITS = /[.,]|\de[+-]?\d|\d{16}/i;

/** The shapes of the values of one field: digits, letters and other characters. */
export class IdentifierShapes implements Oddity {
  private readonly kind: 'account' | 'id' | 'name';
  private readonly forms: Form[] = [];
  private readonly shapes = new Map<string, Tally>();
  /** Values that become usual ones when they are folded to what a keyboard has, by the shape that they have then. */
  private readonly alike = new Map<string, Tally>();
  /** Values of other letters that no keyboard of Latin has. They are among `shapes`, too. */
  private readonly foreign = new Map<string, Tally>();
  private readonly characters = new Set<string>();
  private readonly lengths: NumberLengths;
  private readonly written = new Map<Writing, Tally>();
  private records = 0;
  /** Digits of the rounded numbers that are zeros. */
  private zeros = 0;

  /** `name`: numbers and references, which may be written in any way. */
  constructor(kind: IdentifierShapes['kind']) {
    this.kind = kind;
    this.lengths = new NumberLengths(kind);
  }

  see(value: unknown, { line, isFirst }: SeenRecord): void {
    const text = value as string;
    const known = sameForm(this.forms, text);
    const form = known ?? {
      text,
      count: 0,
      first: line,
      number: this.lengths.numberIn(text),
      numbers: undefined,
    };
    form.count++;
    if (this.kind !== 'account' || isFirst) {
      const digit = text[form.number.at] ?? '';
      form.numbers ??= { count: 0, first: line, zeroLed: 0, firstDigits: new Set() };
      form.numbers.count++;
      form.numbers.firstDigits.add(digit);
      if (digit === '0') form.numbers.zeroLed++;
    }
    if (known) return;
    if (this.forms.length < MOST_FORMS && !NEEDS_DIGITS.test(text)) this.forms.push(form);
    else this.add(form);
  }

  private add({ text, count, first, number, numbers }: Form): void {
    const tally = { count, first };
    const { kind, shapes, alike, foreign } = this;
    // A shortened number is a warning of its own.
    if (kind === 'name' && shortenedName(text, [NAME])) return;
    if (numbers) this.lengths.add(number, numbers);
    this.records += count;
    const writing = WRITINGS.find(([, pattern]) => pattern.test(text))?.[0];
    if (writing) joinIn(this.written, writing, tally);
    if (writing === 'rounded') this.zeros += (text.length - EXACT_DIGITS) * count;
    if (shapes.size > MOST_SHAPES) return;
    const folded = FOREIGN.test(text) ? foldedText(text) : text;
    const isAlike = folded !== text && !FOREIGN.test(folded);
    joinIn(isAlike ? alike : shapes, shapeOf(isAlike ? folded : text), tally);
    if (isAlike) for (const each of text) if (FOREIGN.test(each)) this.characters.add(each);
    if (FOREIGN.test(folded)) joinIn(foreign, shapeOf(text), tally);
  }

  *found(name: string): Generator<Suspicion> {
    const { kind, shapes, forms } = this;
    for (const form of forms.splice(0)) this.add(form);
    yield* this.lengths.found(name);
    yield* this.writtenAsNumbers(name);
    if (shapes.size > MOST_SHAPES) return;
    yield* this.lookingAlike(name);
    const all = [...shapes].toSorted(([, a], [, b]) => b.count - a.count);
    const records = countOf(all);
    const differs = (count: number, what: string, more: Facts = {}) =>
      warning('identifier_shape_differs', [name], { records, count, what, ...more });
    const month = this.written.get('month');
    // Where most identifiers are months, people write them so.
    if (month && month.count > 1 && month.count * 2 < records)
      yield [differs(month.count, MONTH_WORDS, { todo: MONTH_TODO }), month.first];
    const [usual, odd] = divided(all, records);
    if (records < LEAST || odd.length === 0) return;
    if (kind === 'name' && !usual.every(([shape]) => shape.includes('9'))) return;
    const { count, first } = togetherOf(odd.map(([, tally]) => tally));
    const what = `have another shape (${listed(odd)}) than all others (${listed(usual)}); 9 stands for digits, A for letters`;
    yield [differs(count, what), first];
  }

  /** Values that a spreadsheet or a program has written as it writes numbers. */
  private *writtenAsNumbers(name: string): Generator<Suspicion> {
    const { kind, records, zeros, written } = this;
    const countOf = (...all: readonly Writing[]): number =>
      total(all, (each) => written.get(each)?.count ?? 0);
    const numbers = countOf('number', 'thousands', 'long', 'rounded');
    const [rounded, exponents, decimals] = [
      written.get('rounded'),
      written.get('exponent'),
      written.get('decimal'),
    ];
    if (rounded && zeros >= LEAST_ZEROS) {
      const what = `are long numbers with zeros from the 16th digit on, as a spreadsheet rounds them: ${rounded.count} of ${countOf('long', 'rounded')}`;
      yield [warning('spreadsheet_damage', [name], { what }), rounded.first];
    }
    if (kind === 'name') return;
    if (exponents && exponents.count + numbers === records && exponents.count <= numbers) {
      const what = `may be numbers that a program has written with an exponent: ${exponents.count} of ${records}`;
      yield [warning('spreadsheet_damage', [name], { what }), exponents.first];
    }
    const hasLong = countOf('thousands', 'long', 'rounded') > 0;
    const grouped = written.get('grouped');
    // Numbers with other parts behind a point, such as those of sub-accounts, are not what a program writes.
    if (written.has('parts') || (decimals && grouped)) return;
    // Groups alone may be how the supplier writes identifiers. No identifier needs decimals.
    const [odd, how, remove] = grouped
      ? [hasLong && grouped, 'have marks between thousands, and others have none', `'[.,]'`]
      : [records > 1 && decimals, 'end in .0', String.raw`'\.0$'`];
    if (!odd) return;
    const what = `${odd.count} of ${records} ${how}, as a program writes numbers`;
    yield [failure('identifier_has_text_mark', [name], { what, remove }), odd.first];
  }

  /** Values with characters that nobody types, beside at least as many of the same shape without them. */
  private *lookingAlike(name: string): Generator<Suspicion> {
    const { shapes, alike, foreign, characters } = this;
    const typed = (shape: string): number =>
      (shapes.get(shape)?.count ?? 0) - (foreign.get(shape)?.count ?? 0);
    const odd = [...alike].filter(([shape, { count }]) => typed(shape) >= count);
    if (odd.length === 0) return;
    const codes = Array.from(characters, codePointOf).slice(0, USUAL_SHAPES);
    const { count, first } = togetherOf(odd.map(([, tally]) => tally));
    const records = count + total(odd, ([shape]) => typed(shape));
    const what = `have characters that look like those of the others and that no keyboard has (${codes.join(', ')})`;
    const todo = `Ask the supplier which spelling is right, and write it: replace: [{ pattern: '${[...characters][0]!}', with: '…' }] for the field in a mapping file. Nothing to do when they are different records.`;
    yield [warning('identifier_shape_differs', [name], { count, records, what, todo }), first];
  }
}

/** Any field that has names. */
const NAME = 'reference';

const MONTH =
  /^(?:\d{1,2}[-. ])?(?:jan|feb|f[eé]v|mar|mrz|mär|apr|avr|may|mai|jun|juin|jul|juil|aug|ao[uû]|sep|oct|okt|nov|dec|dez|déc)\p{L}{0,6}\.?[-. ]\d{2,4}$/iu;
/** How a spreadsheet or a program writes texts and numbers. The first one counts. */
const WRITINGS = [
  ['month', MONTH],
  // An id may look like that, beside others with a letter there.
  ['exponent', /^\d+E\d{1,3}$/i],
  ['rounded', /^\d{15}0+$/],
  ['long', /^\d{16,}$/],
  // Long enough for a mark between thousands.
  ['thousands', /^\d{4,15}$/],
  ['number', /^\d+$/],
  ['decimal', /^\d+\.0$/],
  ['grouped', /^[1-9]\d{0,2}(?:(?:\.\d{3})+|(?:,\d{3})+)$/],
  ['parts', /[.,]/],
] as const;
type Writing = (typeof WRITINGS)[number][0];

const MONTH_WORDS = 'are a month and a number, which a spreadsheet makes of texts such as 2-9';
const MONTH_TODO =
  'Export the file again without a spreadsheet, because nothing else brings these texts back.';

const FOREIGN = /\P{ASCII}/u;

/** Letters of Cyrillic and Greek that look like Latin ones, each with the one that it looks like. */
const LOOK_ALIKES = new Map(
  Array.from('АВЕЅІЈКМНОРСТУХасеіјорѕухΑΒΕΖΗΙΚΜΝΟΡΤΥΧο', (letter, at) => [
    letter,
    'ABESIJKMHOPCTYXaceijopsyxABEZHIKMNOPTYXo'[at]!,
  ]),
);

/** A text with the characters of a keyboard in place of those that look like them. */
function foldedText(text: string): string {
  return Array.from(text.normalize('NFKC'), (letter) => LOOK_ALIKES.get(letter) ?? letter)
    .join('')
    .replaceAll(/[\p{Pd}\u2212]/gu, '-')
    .replaceAll(/[\u2044\u2215]/gu, '/')
    .replaceAll(/\p{Nd}/gu, '0');
}

/** Digits that a spreadsheet, and a floating point number, keep of a number. */
const EXACT_DIGITS = 15;

/** Zeros behind these digits, over all numbers of a column, that are no chance. */
const LEAST_ZEROS = 10;

type Shapes = readonly (readonly [string, Tally])[];

const countOf = (shapes: Shapes): number => total(shapes, ([, { count }]) => count);

/** The usual shapes, and those of few records; none of these when too many records have one. */
function divided(all: Shapes, records: number): readonly [Shapes, Shapes] {
  const few = Math.max(1, Math.floor(records * FEW_SHARE));
  for (let usual = 1; usual <= USUAL_SHAPES; usual++) {
    const odd = all.slice(usual);
    if (countOf(odd) <= few) return [all.slice(0, usual), odd];
  }
  return [all, []];
}

/** Runs of digits, of capital and of other letters, however long they are: `9` for 417, `A-9` for SAP-0031. */
export const shapeOf = (text: string): string =>
  text
    .replaceAll(/\p{Nd}+/gu, '9')
    .replaceAll(/\p{Lu}+/gu, 'A')
    .replaceAll(/[^\P{L}A]+/gu, 'a');

function listed(shapes: Shapes): string {
  return shapes
    .slice(0, USUAL_SHAPES)
    .map(([shape]) => `\`${shape}\``)
    .join(', ');
}
