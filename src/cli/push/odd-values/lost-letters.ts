import type { Resource } from '../../../core/contract/resources.ts';
import { warning } from '../../../core/problem.ts';
import { recordShape } from '../../mapping/language/fields.ts';
import { shapeOf } from './identifier-shapes.ts';
import { namesSomething } from './plausible-text.ts';
import type { SourceLine } from '../ports/staging.ts';
import { reportTally, type Oddity, type SeenRecord, type StagedFile } from '../staged-file.ts';
import { counted, countIn, type Tally } from './tally.ts';

/** Shorter texts have one length by chance. */
const LEAST_LENGTH = 20;
/** Different texts of the greatest length that show that texts were cut. Texts of one form, such as readings, have one shape. */
const LEAST_CUT = 5;
/** Lengths below the greatest one, each of which has at most a part of its texts, unless long texts are common. */
const LENGTHS_BELOW = 10;
const RARER = 3;
/** Fewer texts with a question mark between letters are slips of the writer. */
const LEAST_LOST = 3;

/** The texts of one field that people write. */
interface FreeTexts {
  readonly name: string;
  records: number;
  /** Texts by their length in characters. */
  readonly lengths: Map<number, Tally>;
  longest: number;
  /** Different shapes of the texts of the greatest length. */
  shapes: Set<string>;
  lost: Tally | undefined;
}

/** Looks for damage that only shows over all texts of a field: texts cut at one length, letters that became question marks. */
export class TextOddities implements Oddity {
  private readonly fields: readonly FreeTexts[];

  constructor(resource: Resource) {
    this.fields = Object.entries(recordShape(resource).fields).flatMap(([name, shape]) =>
      shape.kind === 'leaf' && shape.facts.kind === 'text' && shape.facts.mayBeEmpty && !namesSomething(name)
        ? [{ name, records: 0, lengths: new Map(), longest: 0, shapes: new Set<string>(), lost: undefined }]
        : [],
    );
  }

  see({ fields, line }: SeenRecord): void {
    for (const field of this.fields) {
      const text = fields[field.name];
      if (typeof text !== 'string' || text === '') continue;
      field.records++;
      if (text.length >= LEAST_LENGTH) seeLength(field, text, line);
      if (text.includes('?') && hasLostLetter(text)) field.lost = counted(field.lost, line);
    }
  }

  report(file: StagedFile): void {
    for (const { name, records, lengths, longest, shapes, lost } of this.fields) {
      const cut = lengths.get(longest);
      const below = Array.from(
        { length: LENGTHS_BELOW },
        (_, at) => lengths.get(longest - 1 - at)?.count ?? 0,
      );
      const isCut = shapes.size >= LEAST_CUT && cut!.count >= RARER * Math.max(...below) && lengths.size > 1;
      if (isCut)
        reportTally(file, cut, (count) => warning('texts_cut', [name], { count, records, length: longest }));
      if (lost && lost.count >= LEAST_LOST)
        reportTally(file, lost, (count) => warning('letters_lost', [name], { count, records }));
    }
  }
}

function seeLength(field: FreeTexts, text: string, first: SourceLine): void {
  const { length } = text;
  countIn(field.lengths, length, first);
  if (length > field.longest) {
    field.longest = length;
    field.shapes = new Set();
  }
  if (length === field.longest && field.shapes.size < LEAST_CUT) field.shapes.add(shapeOf(text));
}

const LOST_LETTER = /\p{L}\?\p{Ll}/u;

/** Whether a word has a question mark between letters. An address of the web has one before its parameters. */
function hasLostLetter(text: string): boolean {
  return (
    LOST_LETTER.test(text) &&
    text.split(/\s+/u).some((word) => LOST_LETTER.test(word) && !/[/=&@]/.test(word))
  );
}
