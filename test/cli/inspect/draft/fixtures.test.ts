import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Resource } from '../../../../src/core/contract/resources.ts';
import { drafted } from '../../../support/drafted.ts';
import { projectRoot } from '../../../support/source-tree.ts';

interface Document {
  readonly resource: Resource;
  readonly source?: Readonly<Record<string, unknown>>;
  readonly fields: Readonly<Record<string, unknown>>;
}

const FOLDER = join(projectRoot, 'fixtures');
/** Of a query, the columns of the mapping are not those of a file. */
const MAPPINGS = globSync('*/*.map.yaml', { cwd: FOLDER })
  .filter((path) => !/^  sql:/m.test(readFileSync(join(FOLDER, path), 'utf8')))
  .toSorted((a, b) => a.localeCompare(b));

/** The keys that cut a file into cells. A draft that decides them has to decide as people did. */
const SOURCE_KEYS = ['encoding', 'delimiter', 'skip_lines', 'thousands_mark'];

function contentOf(mapping: string): Buffer {
  const name = join(FOLDER, mapping.replace('.map.yaml', ''));
  return existsSync(name) ? readFileSync(name) : gunzipSync(readFileSync(`${name}.gz`));
}

/** The column of a field without steps. */
function columnOf(spec: unknown): unknown {
  return typeof spec === 'string' ? spec : (spec as { column?: unknown } | undefined)?.column;
}

describe('a draft decides as the people did who know the supplier', () => {
  test('there are files to draft for', () => {
    expect(MAPPINGS.length).toBeGreaterThan(5);
  });

  test.each(MAPPINGS)('%s', async (path) => {
    const written = parse(readFileSync(join(FOLDER, path), 'utf8')) as Document;
    const draft = await drafted(written.resource, contentOf(path));
    const { source: decided, fields: given } = parse(draft.text) as Document;
    const [source, fields] = [decided ?? {}, given ?? {}];
    const shared = SOURCE_KEYS.filter(
      (key) => (source[key] ?? null) !== null && written.source?.[key] !== undefined,
    );
    if (source['encoding'] === null)
      expect(draft.text).toContain(`# ${String(written.source!['encoding'])} # "`);
    for (const key of shared) expect([key, source[key]]).toEqual([key, written.source![key]]);
    const [account, known] = [fields, written.fields].map((each) =>
      columnOf(each['external_account_number']),
    );
    if (account !== undefined && known !== undefined) expect(account).toBe(known);
  });
});
