import { warning } from '../../../core/problem.ts';
import { countIn, total } from '../../../core/values/counts.ts';
import type { SourceLine } from '../ports/staging.ts';
import type { SeenRecord } from '../staged-file.ts';
import { shapeOf } from './identifier-shapes.ts';
import { misreadAs } from './plausible-text.ts';
import { togetherOf, type Oddity, type Suspicion, type Tally } from './tally.ts';

/** Fewer texts with a sign are slips of the writer. */
const LEAST = 3;

/** A sign of damage in a text. `isOfProse`: only texts that people write can have it; other texts have ids and names. */
type Sign = Readonly<{ isIn: (text: string) => boolean; what: string; todo?: string; isOfProse?: true }>;

const replaced = (how: string): string =>
  `Undo it in a mapping file: "replace: [{ pattern: ${how} }]" for the field, and so for each other mark of the kind.`;

const escaped = (kind: string, mark: RegExp, todo: string): Sign => ({
  isIn: (text) => mark.test(text),
  what: `was escaped once too often (${kind})`,
  todo,
});

const LOST_LETTER = /\p{L}\?\p{Ll}/u;

/** Signs inside of words, and words of accents alone, as of encodings of DOS and of other alphabets that are read as a Western one. */
const MISREAD = /\p{L}[\u0080-\u009F¡-§¬¯±¶¼-¿÷‚„†‡ˆ‰‹›˜]\p{Ll}|(?<!\p{L})[À-ÿ]{4,}(?!\p{L})/u;

/** How programs escape texts, with a mark of each that people do not type; and letters that were lost or misread. */
const SIGNS: readonly Sign[] = [
  escaped(
    '`&amp;` as in HTML',
    /&(?:amp|lt|gt|quot|apos|nbsp|euro|pound|szlig|[a-z](?:uml|acute|grave|circ|tilde|cedil|ring|slash)|#\d{2,6}|#x[\da-f]{2,5});/i,
    replaced("'&amp;', with: '&'"),
  ),
  escaped('`_x000D_` as in a workbook', /_x[\dA-F]{4}_/, replaced("_x000D_, with: ''")),
  escaped('`\\u00fc` as in JSON', /\\u[\dA-Fa-f]{4}/, replaced(String.raw`'\\u00fc', with: ü`)),
  // A path of Windows has backslashes, too.
  escaped(
    '`\\n` for a line break',
    /\\r\\n|\\[nrt](?<![A-Z]:\S*)(?=[\p{Lu}\p{Nd}\s]|$)/u,
    'Export the file again as CSV with quotes, such as COPY … FORMAT csv (docs/mapping-recipes.md). One replacement for each mark would change backslashes, too.',
  ),
  escaped(
    '`%20` as in an address',
    /^(?![^%]*\/\/)[^\s%]*(?:%[\dA-F]{2}[^\s%]*)+$/,
    'Export the file again without it, or decode the column before the import: every %XX is a byte.',
  ),
  escaped(
    '`=C3=BC` as in mail',
    /=(?:C[2-9A-F]|E[\dA-F]=[89AB][\dA-F])=[89AB][\dA-F]/,
    replaced("'=C3=BC', with: ü"),
  ),
  escaped("`'` before = + - @, against formulas", /^'[=+\-@]/, replaced(`"^'([=+@-])", with: '$1'`)),
  {
    // An address of the web has a question mark before its parameters.
    isIn: (text) =>
      LOST_LETTER.test(text) &&
      text.split(/\s+/u).some((word) => LOST_LETTER.test(word) && !/[/=&@]/.test(word)),
    what: 'has a question mark in place of a letter, as in M?ller',
    isOfProse: true,
  },
  {
    isIn: (text) => MISREAD.test(text) && misreadAs(text) === undefined,
    what: 'has signs inside of words, or words of accents alone, as a wrong encoding makes them',
    todo: 'Choose the encoding by the words that a new draft of `dataimport init` shows with each (`source.encoding`).',
    isOfProse: true,
  },
];

/** Whatever a sign has, so that most texts need only this one test. */
const MAY_HAVE_SIGN = /[&_\\%=?\u0080-\u009F¡-§¬¯±¶¼-¿÷‚„†‡ˆ‰‹›˜]|^'|[À-ÿ]{4}/;

/** Texts that were escaped once too often, whose letters were lost or misread, or that were cut. */
export class OddTexts implements Oddity {
  private readonly isProse: boolean;
  private readonly cut = new CutTexts();
  private records = 0;
  private readonly signs = new Map<Sign, Tally>();

  /** `isProse`: people write them. */
  constructor(isProse: boolean) {
    this.isProse = isProse;
  }

  see(value: unknown, { line }: SeenRecord): void {
    const text = value as string;
    this.records++;
    if (MAY_HAVE_SIGN.test(text))
      for (const sign of SIGNS)
        if ((this.isProse || !sign.isOfProse) && sign.isIn(text)) countIn(this.signs, sign, line);
    if (this.isProse) this.cut.see(text, line);
  }

  *found(field: string): Generator<Suspicion> {
    for (const [{ what, todo }, { count, first }] of this.signs) {
      const facts = { what: `${what}: ${count} of ${this.records}`, ...(todo !== undefined && { todo }) };
      if (count >= LEAST) yield [warning('text_damaged', [field], facts), first];
    }
    yield* this.cut.found(field);
  }
}

/** Shorter texts are not cut, and fewer long ones prove nothing. */
const LEAST_LENGTH = 20;
const LEAST_CUT = 5;

/** Lengths up to the longest: a character of UTF-8 has up to four bytes, and a word before an ellipsis about 20 letters. */
const AT_LIMIT = 4;
const LAST_WORD = 20;

/** How many times more often texts have the longest length than a length below it. */
const BEYOND_CHANCE = 5;

/** The share of the longest texts that end in an ellipsis. */
const NEARLY_ALL = 0.8;

/** Characters at the end by which texts are told apart, and the texts of a length of which that is known. */
const SHAPED = 60;
const MOST_SHAPED = 20;

/** Different lengths that are counted, so that memory stays bounded. */
const MOST_LENGTHS = 5_000;

/** The texts of one length. Texts that a program makes have the same shape, and cut ones differ. */
type LengthTally = Tally & { dotted: number; readonly shapes: Set<string> };

/** The texts of one field by their lengths, in characters and in bytes. */
class CutTexts {
  private readonly measures = [
    { unit: 'characters', lengths: new Map<number, LengthTally>() },
    { unit: 'bytes', lengths: new Map<number, LengthTally>() },
  ];

  see(text: string, first: SourceLine): void {
    if (text.length < LEAST_LENGTH) return;
    const bytes = Buffer.byteLength(text);
    const dotted = text.endsWith('…') || text.endsWith('...') ? 1 : 0;
    for (const { unit, lengths } of this.measures) {
      const length = unit === 'bytes' ? bytes : text.length;
      let tally = lengths.get(length);
      if (!tally) {
        if (lengths.size >= MOST_LENGTHS) continue;
        lengths.set(length, (tally = { count: 0, first, dotted: 0, shapes: new Set() }));
      }
      tally.count++;
      tally.dotted += dotted;
      if (tally.count <= MOST_SHAPED && tally.shapes.size < LEAST_CUT)
        tally.shapes.add(shapeOf(text.slice(-SHAPED)));
    }
  }

  *found(name: string): Generator<Suspicion> {
    for (const { unit, lengths } of this.measures) {
      const longest = Math.max(...lengths.keys());
      if (lengths.size === 0) return;
      const within = (least: number, most: number): readonly LengthTally[] =>
        [...lengths].flatMap(([length, tally]) =>
          longest - length >= least && longest - length < most ? [tally] : [],
        );
      const [atLimit, ends] = [within(0, AT_LIMIT), within(0, LAST_WORD)];
      const last = togetherOf(atLimit);
      const below = total(within(AT_LIMIT, AT_LIMIT * (1 + BEYOND_CHANCE)), ({ count }) => count);
      const shapes = new Set(atLimit.flatMap((tally) => [...tally.shapes]));
      const dotted = total(ends, (tally) => tally.dotted);
      const isCut = shapes.size >= LEAST_CUT && last.count > below;
      if (!isCut && (dotted < LEAST_CUT || dotted < total(ends, ({ count }) => count) * NEARLY_ALL)) continue;
      const how = isCut
        ? `${last.count} have ${longest} ${unit} or just less`
        : `${dotted} of the longest end in …`;
      const what = `was cut, as texts are at the end of a column: ${how}, and none has more`;
      const todo =
        'Export the file again with the whole texts; nothing to do when nothing is missing at their ends.';
      return yield [warning('text_damaged', [name], { what, todo }), last.first];
    }
  }
}
