import { AppError } from '../../../core/app-error.ts';
import { sentenceOf } from '../../../core/error-codes/sentence.ts';
import { failure } from '../../../core/problem.ts';
import { suggestion } from '../../../core/suggestion.ts';
import type { YamlText } from '../../../core/yaml/yaml-text.ts';
import { delimiterHint } from '../../csv/opening.ts';
import { readSource } from '../../csv/read-source.ts';
import { eachItem } from '../../csv/source-row.ts';
import type { SourceFile } from '../../csv/source-file.ts';
import { RFC_4180 } from '../../csv/source-format.ts';
import { isLeaf, visitFields, type FieldVisit } from '../language/field-visits.ts';
import { isLookupFile, type LookupFile, type LookupTables } from '../language/lookup.ts';
import type { MappingDocument } from '../language/mapping.ts';
import { tableReason } from './given-values.ts';
import { beside, reasonOf, type MappingFiles } from './mapping-files.ts';

/** Reads the lookup files that a mapping names. The problem of a file is reported where the mapping names it. */
export async function lookupTables(
  document: MappingDocument,
  yaml: YamlText,
  { open, files, problems }: MappingFiles,
): Promise<LookupTables> {
  const tables = new Map<LookupFile, ReadonlyMap<string, string>>();
  for (const visit of visitFields(document)) {
    const { lookup } = visit.spec;
    if (lookup === undefined || !isLookupFile(lookup)) continue;
    const at = [...visit.path, 'lookup', 'file'];
    const path = beside(yaml.file, lookup.file);
    const report = (reason: string): void => {
      const problem = failure('mapping_value_invalid', at, {
        expected: `a file that can be used, and ${path} cannot: ${reason}`,
      });
      problems.push({ problem, ...yaml.positionOf(at) });
    };
    try {
      const file = await open(path);
      try {
        files.push({ name: path, fingerprint: file.fingerprint });
        const table = await readTable(file, lookup, reasonAgainst(visit));
        if (table instanceof Map) tables.set(lookup, table);
        else report(table);
      } finally {
        await file.close();
      }
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      report(reasonOf(error));
    }
  }
  return tables;
}

/** Why a field cannot have a value. A text may be any text until a record has it; a number or a date is checked here. */
function reasonAgainst(visit: FieldVisit): (text: string) => string | undefined {
  if (!isLeaf(visit) || visit.shape.facts.kind === 'text') return () => undefined;
  return (text) => tableReason(text, visit);
}

/** Entries that are kept in memory, at most. */
const MOST_ENTRIES = 500_000;

/** Reads the table of a lookup file. @returns the table, or what is wrong with the file, with the line */
async function readTable(
  file: SourceFile,
  { key, value, type, encoding = 'utf-8', delimiter = ',' }: LookupFile,
  reasonAgainstValue: (text: string) => string | undefined,
): Promise<Map<string, string> | string> {
  const table = new Map<string, string>();
  const lines = new Map<string, number>();
  let columns: readonly string[] = [];
  let [keyAt, valueAt] = [0, 0];
  const isJsonLines = type === undefined ? null : type === 'jsonl';
  for await (const item of eachItem(readSource(file, { ...RFC_4180, isJsonLines, encoding, delimiter }))) {
    if (item.kind === 'unreadable' || item.kind === 'broken') {
      const line = item.kind === 'broken' ? item.row.firstLine : item.line;
      return `line ${line}: ${sentenceOf(item.problem.code, item.problem.facts)}`;
    }
    if (item.kind === 'header') {
      columns = item.names;
      [keyAt, valueAt] = [columns.indexOf(key), columns.indexOf(value)];
      const missing = [key, value].find((name) => !columns.includes(name));
      const hint = delimiterHint(columns);
      if (missing !== undefined && hint !== undefined)
        return `its header is one single cell; set \`delimiter: ${hint}\` beside \`file\``;
      if (missing !== undefined) return `it has no column \`${missing}\`${suggestion(missing, columns)}`;
    } else if (item.kind === 'row') {
      const { cells, firstLine } = item.row;
      if (cells.length !== columns.length)
        return `line ${firstLine}: the row has ${cells.length} cells and the header ${columns.length}`;
      const [text, result] = [cells[keyAt]!, cells[valueAt]!];
      // An object of JSON Lines need not have every key, and no cell without a value is looked up.
      if (text === '') continue;
      const known = table.get(text);
      // A row that says the same again does no harm.
      if (known === result) continue;
      if (known !== undefined)
        return `line ${firstLine}: \`${key}\` has the text of line ${lines.get(text)!}, and another \`${value}\``;
      if (table.size >= MOST_ENTRIES) return `it has more than ${MOST_ENTRIES} rows`;
      const reason = reasonAgainstValue(result);
      if (reason !== undefined)
        return `line ${firstLine}: \`${value}\` has a value that the field cannot have: it ${reason}`;
      table.set(text, result);
      lines.set(text, firstLine);
    }
  }
  return columns.length === 0 ? 'it is empty' : table;
}
