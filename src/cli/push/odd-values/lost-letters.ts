import type { Resource } from '../../../core/contract/resources.ts';
import { warning } from '../../../core/problem.ts';
import { recordShape } from '../../mapping/language/fields.ts';
import { namesSomething } from './plausible-text.ts';
import { reportTally, type Oddity, type SeenRecord, type StagedFile } from '../staged-file.ts';
import { counted, type Tally } from './tally.ts';

/** Fewer texts with a question mark between letters are slips of the writer. */
const LEAST = 3;

/** Letters that became question marks, in the texts that people write. */
export class LostLetters implements Oddity {
  private readonly fields: readonly { readonly name: string; records: number; lost: Tally | undefined }[];

  constructor(resource: Resource) {
    this.fields = Object.entries(recordShape(resource).fields).flatMap(([name, shape]) =>
      shape.kind === 'leaf' && shape.facts.kind === 'text' && shape.facts.mayBeEmpty && !namesSomething(name)
        ? [{ name, records: 0, lost: undefined }]
        : [],
    );
  }

  see({ fields, line }: SeenRecord): void {
    for (const field of this.fields) {
      const text = fields[field.name];
      if (typeof text !== 'string' || text === '') continue;
      field.records++;
      if (text.includes('?') && hasLostLetter(text)) field.lost = counted(field.lost, line);
    }
  }

  report(file: StagedFile): void {
    for (const { name, records, lost } of this.fields)
      if (lost && lost.count >= LEAST)
        reportTally(file, lost, (count) => warning('letters_lost', [name], { count, records }));
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
