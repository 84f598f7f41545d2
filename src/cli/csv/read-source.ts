import { readCsv } from './read-csv.ts';
import { hasJsonLinesName, readJsonLines } from './read-json-lines.ts';
import { readOnThread } from './reading-thread.ts';
import type { SourceFile } from './source-file.ts';
import { RFC_4180, type SourceFormat } from './source-format.ts';
import type { ReadItem } from './source-row.ts';

/** Files with fewer bytes are read before a thread has started. */
const LEAST_FOR_THREAD = 4_000_000;

/**
 * Reads a file as its format says. Without a word about it, the name of a file tells JSON Lines from separated values.
 * `threads`: with two or more a second thread reads a large file, except JSON Lines. Default: 1.
 */
export function readSource(
  file: SourceFile,
  format: SourceFormat = RFC_4180,
  threads = 1,
): AsyncGenerator<readonly ReadItem[]> {
  if (format.isJsonLines ?? hasJsonLinesName(file.name)) return readJsonLines(file);
  return threads > 1 && file.fingerprint.bytes >= LEAST_FOR_THREAD
    ? readOnThread(file, format)
    : readCsv(file, format);
}
