import { readCsv } from '../../csv/read-csv.ts';
import type { SourceFile } from '../../csv/source-file.ts';
import { RFC_4180 } from '../../csv/source-format.ts';
import { sentenceOf } from '../../../core/error-codes/sentence.ts';
import { suggestion } from '../../../core/suggestion.ts';
import type { SourceEncoding } from '../../csv/source-format.ts';
import type { LookupFileSpec } from './step-keys.ts';

/** Entries that are held in memory, at most. */
const MOST_ENTRIES = 500_000;

/**
 * Reads the table of a lookup file. `objectionTo` says what is wrong with a value of it, as the end of a sentence.
 * @returns the table, or what is wrong with the file, with its line
 */
export async function readLookupFile(
  file: SourceFile,
  { key, value, encoding = 'utf-8', delimiter = ',' }: LookupFileSpec,
  objectionTo: (text: string) => string | undefined,
): Promise<ReadonlyMap<string, string> | string> {
  const table = new Map<string, string>();
  let columns: readonly string[] = [];
  let [keyAt, valueAt] = [0, 0];
  for await (const item of readCsv(file, { ...RFC_4180, encoding: encoding as SourceEncoding, delimiter })) {
    if (item.kind === 'unreadable')
      return `line ${item.line}: ${sentenceOf(item.problem.code, item.problem.facts)}`;
    if (item.kind === 'header') {
      columns = item.names;
      [keyAt, valueAt] = [columns.indexOf(key), columns.indexOf(value)];
      const missing = [key, value].find((name) => !columns.includes(name));
      if (missing !== undefined) return `it has no column \`${missing}\`${suggestion(missing, columns)}`;
    } else if (item.kind === 'row') {
      const { cells, firstLine } = item.row;
      if (cells.length !== columns.length)
        return `line ${firstLine}: the row has ${cells.length} cells and the header ${columns.length}`;
      if (table.has(cells[keyAt]!))
        return `line ${firstLine}: \`${key}\` has a value that stands there before`;
      if (table.size >= MOST_ENTRIES) return `it has more than ${MOST_ENTRIES} rows`;
      const objection = objectionTo(cells[valueAt]!);
      if (objection !== undefined)
        return `line ${firstLine}: \`${value}\` has a value that the field cannot have: it ${objection}`;
      table.set(cells[keyAt]!, cells[valueAt]!);
    }
  }
  return columns.length === 0 ? 'it is empty' : table;
}
