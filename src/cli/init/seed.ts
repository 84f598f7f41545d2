import * as z from 'zod/mini';
import { accountFields, type AccountKey } from '../../core/contract/account.ts';
import type { Resource } from '../../core/contract/resources.ts';
import { readCsv } from '../csv/read-csv.ts';
import { readJsonLines } from '../csv/read-json-lines.ts';
import { openSourceFile } from '../csv/source-file.ts';
import { flowYaml } from '../inspect/draft/draft-text.ts';
import { matchColumns } from '../inspect/draft/header-match.ts';
import { formatOf } from '../inspect/inspect-file.ts';
import type { FileProfile } from '../inspect/inspection.ts';

/** A file whose accounts are wanted. */
export type SeedSource = Readonly<{ file: string; resource: Resource; content: FileProfile }>;

const ACCOUNT = z.object(accountFields);

/**
 * The seed of a local platform that has every account of files, so that they can be rehearsed. Undefined where a file has no column for
 * account numbers, or nobody has named the supplier.
 */
export async function seedText(
  sources: readonly SeedSource[],
  supplier: string | undefined,
  cwd: string,
): Promise<string | undefined> {
  const accounts = new Map<string, AccountKey>();
  for (const source of sources) {
    const columns = matchColumns(source.resource, source.content.columns);
    const [account, ...others] = columns.get('external_account_number') ?? [];
    const suppliers = columns.get('import_supplier')?.[0];
    if (!account || others.length > 0 || (!suppliers && supplier === undefined)) return undefined;
    for await (const cells of rowsOf(source, cwd)) {
      const code = suppliers ? cells[suppliers.column - 1]!.trim() : supplier!;
      const key = { import_supplier: code, external_account_number: cells[account.column - 1]!.trim() };
      if (ACCOUNT.safeParse(key).success) accounts.set(JSON.stringify(key), key);
    }
  }
  const codes = [...new Set([...accounts.values()].map(({ import_supplier: code }) => code))];
  return [
    '# The accounts of the files, for a rehearsal: `dataimport serve --seed seed.yaml`. docs/serve-reference.md describes every key.',
    'version: 1',
    `api_keys: ${flowYaml([{ key: 'local-key', suppliers: codes }])}`,
    'suppliers:',
    ...codes.map((code) => `  - ${flowYaml({ code, name: code, status: 'Ongoing' })}`),
    'accounts:',
    ...[...accounts.values()].map((key) => `  - ${flowYaml({ ...key, state: 'imported' })}`),
    '',
  ].join('\n');
}

/** The cells of the rows that are as wide as the header. */
async function* rowsOf({ file: name, content }: SeedSource, cwd: string) {
  const file = await openSourceFile(name, cwd);
  try {
    const format = { ...formatOf(content.layout, content.hasEndMark), encoding: content.encoding.name };
    for await (const items of content.layout.isJsonLines ? readJsonLines(file) : readCsv(file, format))
      for (const item of items)
        if (item.kind === 'row' && item.row.cells.length === content.layout.width) yield item.row.cells;
  } finally {
    await file.close();
  }
}
