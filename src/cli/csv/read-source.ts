import { readCsv } from './read-csv.ts';
import { hasJsonLinesName, readJsonLines } from './read-json-lines.ts';
import type { SourceFile } from './source-file.ts';
import { RFC_4180, type SourceFormat } from './source-format.ts';
import type { ReadItem } from './source-row.ts';

/** Reads a file as its format says. Without a word about it, the name of a file tells JSON Lines from separated values. */
export function readSource(file: SourceFile, format: SourceFormat = RFC_4180): AsyncGenerator<ReadItem> {
  return (format.isJsonLines ?? hasJsonLinesName(file.name)) ? readJsonLines(file) : readCsv(file, format);
}
