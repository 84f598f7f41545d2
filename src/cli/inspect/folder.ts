import { exitDocument } from '../output/json.ts';
import { shownAs } from '../output/formats/result-formats.ts';
import { columnsText } from '../output/text/table.ts';
import { counted, escapeControl } from '../output/text/text.ts';

/** A data file of a folder. */
export interface ListedFile {
  readonly file: string;
  /** What it looks like: a resource, or that only a look inside tells. */
  readonly looks: string;
  /** The command to type next. */
  readonly next: string;
}

/** The data files of a folder, each with its next command. `left`: how many more there are. `not_read`: names of other files that may be exports. */
export type ListedFolder = {
  readonly files: readonly ListedFile[];
  readonly left: number;
  readonly not_read: readonly string[];
};

export const shownFolder = shownAs<ListedFolder>({
  document: (folder) => ({ version: 1, exit: exitDocument('OK'), ...folder }),
  text: ({ files, left, not_read: notRead }) => {
    const rows = files.map(({ file, looks, next }) => [escapeControl(file), looks, escapeControl(next)]);
    const more = left === 0 ? '' : `${counted(left, 'more file')}\n`;
    const others = notRead.length === 0 ? '' : `not read: ${escapeControl(notReadText(notRead))}\n`;
    return `${columnsText([['file', 'looks like', 'next'], ...rows], ['left', 'left', 'left'])}${more}${others}All of them at once: dataimport init\nAll commands: dataimport --help\n`;
  },
});

/** Names of exports that were not read, and what reads them. */
export const notReadText = (names: readonly string[]): string =>
  `${names.join(', ')} (\`dataimport inspect FILE\` looks into one)`;

/** Most files that are looked into. */
export const MOST_FILES = 12;
