import { availableParallelism } from 'node:os';
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
 * A second thread reads a large file, except JSON Lines, if the machine can run two at the same time.
 */
export function readSource(
  file: SourceFile,
  format: SourceFormat = RFC_4180,
): AsyncGenerator<readonly ReadItem[]> {
  if (format.isJsonLines ?? hasJsonLinesName(file.name)) return readJsonLines(file);
  return file.fingerprint.bytes >= LEAST_FOR_THREAD && availableParallelism() > 1
    ? readOnThread(file, format)
    : readCsv(file, format);
}
