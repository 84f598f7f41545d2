import { AppError } from '../../../core/app-error.ts';
import { failure } from '../../../core/problem.ts';
import type { YamlText } from '../../../core/yaml/yaml-text.ts';
import { rowsByName } from '../../csv/named-rows.ts';
import type { SourceFile } from '../../csv/source-file.ts';
import { isLeaf, visitFields, type FieldVisit } from '../language/field-visits.ts';
import { isLookupFile, type LookupFile, type LookupTables } from '../language/lookup.ts';
import type { MappingDocument } from '../language/mapping.ts';
import { sourceFormatOf } from '../language/source.ts';
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
    try {
      const file = await open(path);
      try {
        files.push({ name: path, fingerprint: file.fingerprint });
        tables.set(lookup, await readTable(file, lookup, reasonAgainst(visit)));
      } finally {
        await file.close();
      }
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const problem = failure('mapping_value_invalid', at, {
        expected: `a file that can be used, and ${path} cannot: ${reasonOf(error)}`,
      });
      problems.push({ problem, ...yaml.positionOf(at) });
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

/** The table of a lookup file. */
async function readTable(
  file: SourceFile,
  { key, value, ...format }: LookupFile,
  reasonAgainstValue: (text: string) => string | undefined,
): Promise<ReadonlyMap<string, string>> {
  const refuse = (line: number, reason: string): AppError =>
    new AppError('file_not_readable', { file: file.name, reason: `line ${line}: ${reason}` });
  const table = new Map<string, string>();
  const lines = new Map<string, number>();
  for await (const { line, cell } of rowsByName(file, [key, value], refuse, sourceFormatOf(format))) {
    const [text, result] = [cell(key), cell(value)];
    // An object of JSON Lines need not have every key, and no cell without a value is looked up.
    if (text === '') continue;
    const known = table.get(text);
    // A row that says the same again does no harm.
    if (known === result) continue;
    if (known !== undefined)
      throw refuse(line, `\`${key}\` has the text of line ${lines.get(text)!}, and another \`${value}\``);
    if (table.size >= MOST_ENTRIES) throw refuse(line, `it has more than ${MOST_ENTRIES} rows`);
    const reason = reasonAgainstValue(result);
    if (reason !== undefined)
      throw refuse(line, `\`${value}\` has a value that the field cannot have: it ${reason}`);
    table.set(text, result);
    lines.set(text, line);
  }
  return table;
}
