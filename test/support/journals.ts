import { join } from 'node:path';
import { OpenJournals, readingsIn, type FoundReading } from '../../src/cli/journal/found-readings.ts';
import { JournalsFolder } from '../../src/cli/journal/journals-folder.ts';

/** The folder of the journals of a command line that names none. */
export const journalsIn = (cwd: string): JournalsFolder =>
  new JournalsFolder(join(cwd, '.dataimport', 'journal'));

/** All readings of the journals in a folder, the newest first. The journals are closed again. */
export function readingsOf(folder: JournalsFolder): readonly FoundReading[] {
  const journals = new OpenJournals();
  try {
    return readingsIn([folder], journals).found;
  } finally {
    journals.close();
  }
}

/** The ids of all readings of a command line that names no folder, the newest first. */
export const readingIdsOf = (cwd: string): readonly string[] =>
  readingsOf(journalsIn(cwd)).map(({ header }) => header.id);

/** The journal file of a reading. */
export const journalOf = (cwd: string, id: string): string =>
  readingsOf(journalsIn(cwd)).find(({ header }) => header.id === id)!.file;

/** The only journal of a command line that names no folder. */
export const onlyJournalOf = (cwd: string): string => {
  const [file, ...others] = journalsIn(cwd).files();
  if (file === undefined || others.length > 0) throw new Error(`journals: ${journalsIn(cwd).files().join()}`);
  return file;
};
