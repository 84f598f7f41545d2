import type { Resource } from '../../../core/contract/resources.ts';
import { warning } from '../../../core/problem.ts';
import { counted, countIn } from '../../../core/values/counts.ts';
import { recordShape } from '../../mapping/language/fields.ts';
import { report, reportTally, type Oddity, type SeenRecord, type StagedFile } from '../staged-file.ts';
import { CutTexts } from './cut-texts.ts';
import { namesSomething } from './plausible-text.ts';
import type { Tally } from './tally.ts';

/** Fewer texts with a mark are slips of the writer. */
const LEAST = 3;

type Escape = readonly [kind: string, mark: RegExp, todo: string];

const replaced = (how: string): string =>
  `Undo it in a mapping file: "replace: [{ pattern: ${how} }]" for the field, and so for each other mark of the kind.`;

/** How programs escape texts: a mark of each that people do not type, and what undoes it. */
const ESCAPES: readonly Escape[] = [
  [
    'such as `&amp;` of HTML',
    /&(?:amp|lt|gt|quot|apos|nbsp|euro|pound|szlig|[a-z](?:uml|acute|grave|circ|tilde|cedil|ring|slash)|#\d{2,6}|#x[\da-f]{2,5});/i,
    replaced("'&amp;', with: '&'"),
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

/** The texts of one field. */
interface SeenTexts {
  readonly name: string;
  /** Where people write. Other texts have ids and names. */
  readonly prose: { lost: Tally | undefined; readonly cut: CutTexts } | undefined;
  records: number;
  readonly escaped: Map<Escape, Tally>;
}

/** Texts that were escaped once too often, whose letters became question marks, or that were cut. */
export class OddTexts implements Oddity {
  private readonly fields: readonly SeenTexts[];

  constructor(resource: Resource) {
    this.fields = Object.entries(recordShape(resource).fields).flatMap(([name, shape]) => {
      if (shape.kind !== 'leaf' || shape.facts.kind !== 'text' || shape.facts.known) return [];
      const isProse = shape.facts.mayBeEmpty === true && !namesSomething(name);
      const prose = isProse ? { lost: undefined, cut: new CutTexts() } : undefined;
      return [{ name, prose, records: 0, escaped: new Map<Escape, Tally>() }];
    });
  }

  see({ fields, line }: SeenRecord): void {
    for (const field of this.fields) {
      const text = fields[field.name];
      if (typeof text !== 'string' || text === '') continue;
      const { prose } = field;
      field.records++;
      const escape = MAY_BE_ESCAPED.test(text) && ESCAPES.find(([, mark]) => mark.test(text));
      if (escape) countIn(field.escaped, escape, line);
      if (prose && text.includes('?') && hasLostLetter(text)) prose.lost = counted(prose.lost, line);
      prose?.cut.see(text, line);
    }
  }

  report(file: StagedFile): void {
    for (const { name, records, prose, escaped } of this.fields) {
      for (const [[kind, , todo], tally] of escaped) {
        if (tally.count < LEAST) continue;
        const what = `was escaped once too often (${kind}): ${tally.count} of ${records}`;
        report(file, warning('text_damaged', [name], { what, todo }), tally.first);
      }
      if (prose?.lost && prose.lost.count >= LEAST) {
        const what = `has a question mark in place of a letter, as in M?ller: ${prose.lost.count} of ${records}`;
        reportTally(file, prose.lost, () => warning('text_damaged', [name], { what }));
      }
      prose?.cut.report(file, name);
    }
  }
}

const LOST_LETTER = /\p{L}\?\p{Ll}/u;

/** Whether a word has a question mark between letters. An address of the web has one before its parameters. */
function hasLostLetter(text: string): boolean {
  return (
    LOST_LETTER.test(text) &&
    text.split(/\s+/u).some((word) => LOST_LETTER.test(word) && !/[/=&@]/.test(word))
  );
}
