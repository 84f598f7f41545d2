import type { Result } from '../output/result.ts';
import { counted, escapeControl, labelledLines } from '../output/text/text.ts';
import type { Resource } from '../../core/contract/resources.ts';

/** A data file of the folder. */
export interface PreparedFile {
  readonly file: string;
  /** Null when nothing says what the rows are. */
  readonly resource: Resource | null;
  /** Its mapping; null when it needs none, or none could be made. */
  readonly mapping: string | null;
  /** Questions that are open in the mapping. */
  readonly questions: number;
  /** Why the file is in no cohort; null when it is in one. */
  readonly left_out: string | null;
}

interface PreparedFolder {
  readonly files: readonly PreparedFile[];
  /** Names of other files that may be exports. */
  readonly not_read: readonly string[];
  readonly written: readonly string[];
  /** Files that were there before. */
  readonly kept: readonly string[];
  /** What a person has to do before the next command works, as sentences. */
  readonly to_do: readonly string[];
  readonly next: readonly string[];
}

/** @param rehearsal the command that starts a local platform with the accounts of the files */
export const shownInit = ({ next, ...folder }: PreparedFolder, rehearsal: string): Result => ({
  next,
  fields: folder,
  text: () => {
    const { files, not_read: notRead, written, kept, to_do: todo } = folder;
    const rows = files.map(({ file, resource, mapping, questions, left_out: leftOut }) => [
      file,
      resource ?? 'not sure',
      leftOut ?? mapping ?? 'needs no mapping',
      questions === 0 ? '' : counted(questions, 'question'),
    ]);
    const facts: readonly (readonly [string, string])[] = [
      ['written', written.join(', ') || 'nothing'],
      ...(kept.length === 0
        ? []
        : ([['kept', `${kept.join(', ')} (there before, and not changed)`]] as const)),
      ...(notRead.length === 0 ? [] : ([['not read', `${notRead.join(', ')} ${LOOK_INTO}`]] as const)),
      ...(written.includes(SEED_FILE) ? ([['rehearse', `\`${rehearsal}\` ${REHEARSAL}`]] as const) : []),
      ...todo.map((sentence, at) => [at === 0 ? 'to do' : '', sentence] as const),
    ];
    return [
      { table: [['file', 'looks like', 'mapping', 'open'], ...rows] },
      '',
      ...facts.map(([label, text]) => ({ lines: labelledLines(label, escapeControl(text), LABEL_WIDTH) })),
    ];
  },
});

const LOOK_INTO = '(`dataimport inspect FILE` looks into one)';
const LABEL_WIDTH = 9;

/** The accounts of the files, for a local platform. */
export const SEED_FILE = 'seed.yaml';
const REHEARSAL = 'starts a local platform that has the accounts of these files';
