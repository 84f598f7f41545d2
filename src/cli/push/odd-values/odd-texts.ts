import type { Resource } from '../../../core/contract/resources.ts';
import { warning } from '../../../core/problem.ts';
import { recordShape } from '../../mapping/language/fields.ts';
import { reportTally, type Oddity, type SeenRecord, type StagedFile } from '../staged-file.ts';
import { CutTexts } from './cut-texts.ts';
import { namesSomething } from './plausible-text.ts';
import { counted, countIn, type Tally } from './tally.ts';

/** Fewer texts with a mark are slips of the writer. */
const LEAST = 3;

/** How programs escape texts: a mark of each that people do not type, and what undoes it in a mapping file. */
const ESCAPES = [
  {
    kind: '`&amp;` as in HTML',
    may: '&',
    mark: /&(?:amp|lt|gt|quot|apos|nbsp|euro|pound|szlig|[a-z](?:uml|acute|grave|circ|tilde|cedil|ring|slash)|#\d{2,6}|#x[\da-f]{2,5});/i,
    undo: ["'&amp;', with: '&'", ', one for each such name'],
  },
  { kind: '`_x000D_` as in a workbook', may: '_x', mark: /_x[\dA-F]{4}_/, undo: ["_x000D_, with: ''", ''] },
  {
    kind: '`\\u00fc` as in JSON',
    may: '\\u',
    mark: /\\u[\dA-Fa-f]{4}/,
    undo: [String.raw`'\\u00fc', with: ü`, ', one for each such letter'],
  },
  {
    kind: '`\\n` for a line break',
    may: '\\',
    mark: /\\r\\n|(?<![A-Z]:[^\s]*)\\[nrt](?=[\p{Lu}\p{Nd}\s]|$)/u,
    undo: [String.raw`'\\n', with: "\n"`, ', and so for `\\r` and `\\t`'],
  },
  {
    kind: '`%20` as in an address of the web',
    may: '%',
    mark: /^(?![^%]*\/\/)[^\s%]*(?:%[\dA-F]{2}[^\s%]*)+$/,
    undo: ["'%20', with: ' '", ', one for each such sign'],
  },
  {
    kind: '`=C3=BC` as in mail',
    may: '=',
    mark: /=C[2-9A-F]=[89AB][\dA-F]|=E[\dA-F]=[89AB][\dA-F]=[89AB][\dA-F]/,
    undo: ["'=C3=BC', with: ü", ', one for each such letter'],
  },
  {
    kind: "`'` before = + - @, against formulas",
    may: "'",
    mark: /^'[=+\-@]/,
    undo: [`"^'([=+@-])", with: '$1'`, ''],
  },
] as const;

/** The texts of one field. */
interface SeenTexts {
  readonly name: string;
  /** Whether people write it, and not a program or a list of names. */
  readonly isProse: boolean;
  records: number;
  lost: Tally | undefined;
  readonly escaped: Map<(typeof ESCAPES)[number], Tally>;
  readonly cut: CutTexts;
}

/** Texts whose letters became question marks, that were escaped once too often, or that were cut. */
export class OddTexts implements Oddity {
  private readonly fields: readonly SeenTexts[];

  constructor(resource: Resource) {
    this.fields = Object.entries(recordShape(resource).fields).flatMap(([name, shape]) =>
      shape.kind === 'leaf' && shape.facts.kind === 'text' && !shape.facts.known
        ? [
            {
              name,
              isProse: shape.facts.mayBeEmpty === true && !namesSomething(name),
              records: 0,
              lost: undefined,
              escaped: new Map(),
              cut: new CutTexts(),
            },
          ]
        : [],
    );
  }

  see({ fields, line }: SeenRecord): void {
    for (const field of this.fields) {
      const text = fields[field.name];
      if (typeof text !== 'string' || text === '') continue;
      field.records++;
      if (MAY_BE_ESCAPED.test(text)) {
        const escape = ESCAPES.find(({ may, mark }) => text.includes(may) && mark.test(text));
        if (escape) countIn(field.escaped, escape, line);
      }
      if (!field.isProse) continue;
      if (text.includes('?') && hasLostLetter(text)) field.lost = counted(field.lost, line);
      field.cut.see(text, line);
    }
  }

  report(file: StagedFile): void {
    for (const { name, records, lost, escaped, cut } of this.fields) {
      if (lost && lost.count >= LEAST)
        reportTally(file, lost, (count) =>
          warning('text_damaged', [name], {
            what: `has a question mark in place of a letter, as in M?ller: ${count} of ${records}`,
          }),
        );
      for (const [
        {
          kind,
          undo: [pattern, more],
        },
        tally,
      ] of escaped)
        if (tally.count >= LEAST)
          reportTally(file, tally, (count) =>
            warning('text_escaped', [name], {
              kind,
              count,
              records,
              todo: `Undo it in a mapping file: "replace: [{ pattern: ${pattern} }]" for the field${more}`,
            }),
          );
      cut.report(file, name);
    }
  }
}

/** Whatever a mark of `ESCAPES` has, so that most texts need only this one test. */
const MAY_BE_ESCAPED = /[&_\\%=]|^'/;

const LOST_LETTER = /\p{L}\?\p{Ll}/u;

/** Whether a word has a question mark between letters. An address of the web has one before its parameters. */
function hasLostLetter(text: string): boolean {
  return (
    LOST_LETTER.test(text) &&
    text.split(/\s+/u).some((word) => LOST_LETTER.test(word) && !/[/=&@]/.test(word))
  );
}
