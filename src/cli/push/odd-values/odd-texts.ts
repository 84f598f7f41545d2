import { warning } from '../../../core/problem.ts';
import { countIn } from '../../../core/values/counts.ts';
import type { SourceLine } from '../ports/staging.ts';
import { report, type SeenRecord, type StagedFile } from '../staged-file.ts';
import { CutTexts } from './cut-texts.ts';
import { misreadAs } from './plausible-text.ts';
import type { Oddity, Tally } from './tally.ts';

/** Fewer texts with a mark are slips of the writer. */
const LEAST = 3;

type Escape = readonly [kind: string, mark: RegExp, todo: string, hasManyMarks?: true];

/** Marks of a kind that are named. */
const MOST_MARKS = 3;

const replaced = (how: string): string =>
  `Undo it in a mapping file: "replace: [{ pattern: ${how} }]" for the field, and so for each other mark of the kind.`;

/** How programs escape texts: a mark of each that people do not type, and what undoes it. */
const ESCAPES: readonly Escape[] = [
  [
    'of HTML',
    /&(?:amp|lt|gt|quot|apos|nbsp|euro|pound|szlig|[a-z](?:uml|acute|grave|circ|tilde|cedil|ring|slash)|#\d{2,6}|#x[\da-f]{2,5});/i,
    replaced("'&amp;', with: '&'"),
    true,
  ],
  ['`_x000D_` as in a workbook', /_x[\dA-F]{4}_/, replaced("_x000D_, with: ''")],
  ['`\\u00fc` as in JSON', /\\u[\dA-Fa-f]{4}/, replaced(String.raw`'\\u00fc', with: ü`)],
  // A path of Windows has backslashes, too.
  [
    '`\\n` for a line break',
    /\\r\\n|\\[nrt](?<![A-Z]:\S*)(?=[\p{Lu}\p{Nd}\s]|$)/u,
    'Export the file again as CSV with quotes, such as COPY … FORMAT csv (docs/mapping-recipes.md). One replacement for each mark would change backslashes, too.',
  ],
  [
    '`%20` as in an address',
    /^(?![^%]*\/\/)[^\s%]*(?:%[\dA-F]{2}[^\s%]*)+$/,
    'Export the file again without it, or decode the column before the import: every %XX is a byte.',
  ],
  [
    '`=C3=BC` as in mail',
    /=(?:C[2-9A-F]|E[\dA-F]=[89AB][\dA-F])=[89AB][\dA-F]/,
    replaced("'=C3=BC', with: ü"),
  ],
  ["`'` before = + - @, against formulas", /^'[=+\-@]/, replaced(`"^'([=+@-])", with: '$1'`)],
];

/** Whatever a mark of `ESCAPES` has, so that most texts need only this one test. */
const MAY_BE_ESCAPED = /[&_\\%=]|^'/;

/** Texts that were escaped once too often, whose letters became question marks, or that were cut. */
export class OddTexts implements Oddity {
  /** Of texts that people write. Other texts have ids and names. */
  private readonly prose: { readonly cut: CutTexts; readonly words: Words } | undefined;
  private records = 0;
  private readonly marked = new Map<Mark, Tally>();
  private readonly escaped = new Map<Escape, Tally>();
  private readonly marks = new Set<string>();

  constructor(isProse: boolean) {
    this.prose = isProse ? { cut: new CutTexts(), words: new Words() } : undefined;
  }

  see(value: unknown, { line }: SeenRecord): void {
    const text = value as string;
    this.records++;
    const isAscii = !NOT_ASCII.test(text);
    const escape = MAY_BE_ESCAPED.test(text) && ESCAPES.find(([, mark]) => mark.test(text));
    if (escape) countIn(this.escaped, escape, line);
    if (escape && escape[3] && this.marks.size < MOST_MARKS) this.marks.add(escape[1].exec(text)![0]);
    if (!this.prose) return;
    const mark = MARKS.find(({ isIn }) => isIn(text, isAscii));
    if (mark) countIn(this.marked, mark, line);
    this.prose.cut.see(text, isAscii ? text.length : Buffer.byteLength(text), line);
    this.prose.words.see(text, line);
  }

  report(file: StagedFile, field: string): void {
    const { records, escaped, marks, marked } = this;
    for (const [[kind, , todo, hasMany], tally] of escaped) {
      if (tally.count < LEAST) continue;
      const named = hasMany ? `${[...marks].map((mark) => `\`${mark}\``).join(', ')} ` : '';
      const what = `was escaped once too often (${named}${kind}): ${tally.count} of ${records}`;
      report(file, warning('text_damaged', [field], { what, todo }), tally.first);
    }
    for (const [{ what, todo }, tally] of marked) {
      if (tally.count < LEAST) continue;
      const facts = { what: `${what}: ${tally.count} of ${records}`, ...(todo !== undefined && { todo }) };
      report(file, warning('text_damaged', [field], facts), tally.first);
    }
    this.prose?.cut.report(file, field);
    // The text of a booking is a word as often as not.
    if (field === 'body') this.prose?.words.report(file, field);
  }
}

const NOT_ASCII = /[^\0-\x7F]/;

/** So many texts of one word in a row, of a few words that come again, are those of a column of states. */
const LEAST_STATES = 10;
const MOST_STATES = 5;

/** A space, or a letter of a script that writes sentences without spaces. */
const MAY_BE_SENTENCE = /\s|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** The longest run of texts of one word, where people write sentences. A column that was moved has such texts. */
class Words {
  private run: { tally: Tally; words: Set<string> } | undefined;
  private found: { tally: Tally; words: number } | undefined;

  see(text: string, line: SourceLine): void {
    if (text.length > LONGEST_WORD || MAY_BE_SENTENCE.test(text)) this.run = undefined;
    else {
      const { tally, words } = (this.run ??= { tally: { count: 0, first: line }, words: new Set() });
      tally.count++;
      if (words.size <= MOST_STATES) words.add(text);
      if (tally.count > (this.found?.tally.count ?? 0))
        this.found = { tally: { ...tally }, words: words.size };
    }
  }

  report(file: StagedFile, name: string): void {
    const { found } = this;
    if (!found || found.tally.count < LEAST_STATES || found.words < 2 || found.words > MOST_STATES) return;
    const what = `has ${found.words} different words, and nothing else, in ${found.tally.count} records after each other, as a column of states has`;
    const todo = 'Compare the rows with the source system: a column may have moved.';
    report(file, warning('text_damaged', [name], { what, todo }), found.tally.first);
  }
}

const LONGEST_WORD = 20;

/** What shows that letters of a text were lost or misread. */
type Mark = Readonly<{ isIn: (text: string, isAscii: boolean) => boolean; what: string; todo?: string }>;

const LOST_LETTER = /\p{L}\?\p{Ll}/u;

/** Signs inside of words, and words of accents alone, as of encodings of DOS and of other alphabets that are read as a Western one. */
const MISREAD = /\p{L}[\u0080-\u009F¡-§¬¯±¶¼-¿÷‚„†‡ˆ‰‹›˜]\p{Ll}|(?<!\p{L})[À-ÿ]{4,}(?!\p{L})/u;

/** Whatever `MISREAD` has, so that most texts need only this one test. */
const MAY_BE_MISREAD = /[\u0080-\u009F¡-§¬¯±¶¼-¿÷‚„†‡ˆ‰‹›˜]|[À-ÿ]{4}/;

const MARKS: readonly Mark[] = [
  {
    // An address of the web has a question mark before its parameters.
    isIn: (text) =>
      text.includes('?') &&
      LOST_LETTER.test(text) &&
      text.split(/\s+/u).some((word) => LOST_LETTER.test(word) && !/[/=&@]/.test(word)),
    what: 'has a question mark in place of a letter, as in M?ller',
  },
  {
    isIn: (text, isAscii) =>
      !isAscii && MAY_BE_MISREAD.test(text) && MISREAD.test(text) && misreadAs(text) === undefined,
    what: 'has signs inside of words, or words of accents alone, as a wrong encoding makes them',
    todo: 'Choose the encoding by the words that a new draft of `dataimport init` shows with each (`source.encoding`).',
  },
];
