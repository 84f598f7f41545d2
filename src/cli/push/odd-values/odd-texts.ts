import { warning } from '../../../core/problem.ts';
import { countIn } from '../../../core/values/counts.ts';
import type { SourceLine } from '../ports/staging.ts';
import type { SeenRecord } from '../staged-file.ts';
import { CutTexts } from './cut-texts.ts';
import { misreadAs } from './plausible-text.ts';
import type { Oddity, Suspicion, Tally } from './tally.ts';

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
const MAY_HAVE_SIGN = /[^\0-\x7F]|[&_\\%=?]|^'/;

/** Texts that were escaped once too often, whose letters were lost or misread, or that were cut. */
export class OddTexts implements Oddity {
  private readonly isProse: boolean;
  private readonly cut = new CutTexts();
  private readonly words = new Words();
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
    if (!this.isProse) return;
    this.cut.see(text, line);
    this.words.see(text, line);
  }

  *found(field: string): Generator<Suspicion> {
    for (const [{ what, todo }, { count, first }] of this.signs) {
      const facts = { what: `${what}: ${count} of ${this.records}`, ...(todo !== undefined && { todo }) };
      if (count >= LEAST) yield [warning('text_damaged', [field], facts), first];
    }
    yield* this.cut.found(field);
    // The text of a booking is a word as often as not.
    if (field === 'body') yield* this.words.found(field);
  }
}

/** So many texts of one word in a row, of a few words that come again, are those of a column of states. */
const LEAST_STATES = 10;
const MOST_STATES = 5;

/** A space, or a letter of a script that writes sentences without spaces. */
const MAY_BE_SENTENCE = /\s|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** The longest run of texts of one word, where people write sentences. A column that was moved has such texts. */
class Words {
  private run: { tally: Tally; words: Set<string> } | undefined;
  private longest: { tally: Tally; words: number } | undefined;

  see(text: string, line: SourceLine): void {
    if (text.length > LONGEST_WORD || MAY_BE_SENTENCE.test(text)) this.run = undefined;
    else {
      const { tally, words } = (this.run ??= { tally: { count: 0, first: line }, words: new Set() });
      tally.count++;
      if (words.size <= MOST_STATES) words.add(text);
      if (tally.count > (this.longest?.tally.count ?? 0))
        this.longest = { tally: { ...tally }, words: words.size };
    }
  }

  *found(name: string): Generator<Suspicion> {
    const { tally, words } = this.longest ?? { words: 0 };
    if (!tally || tally.count < LEAST_STATES || words < 2 || words > MOST_STATES) return;
    const what = `has ${words} different words, and nothing else, in ${tally.count} records after each other, as a column of states has`;
    const todo = 'Compare the rows with the source system: a column may have moved.';
    yield [warning('text_damaged', [name], { what, todo }), tally.first];
  }
}

const LONGEST_WORD = 20;
