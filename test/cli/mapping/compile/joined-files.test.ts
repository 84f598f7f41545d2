import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSourceFile } from '../../../../src/cli/csv/source-file.ts';
import { loadJoins } from '../../../../src/cli/mapping/compile/joined-files.ts';
import { needMapping } from '../../../../src/cli/mapping/file/load-mapping.ts';
import { planByMapping } from '../../../../src/cli/mapping/compile/plan-by-mapping.ts';
import { openJoinStores } from '../../../../src/cli/run-file/scratch/join-store.ts';
import { folderWith, type Files } from '../../../support/mapping-files.ts';

const MAPPING = `version: 1
resource: notes
fields:
  import_supplier: { constant: ACME }
  external_account_number: K
  document_paths: { join: { file: docs.csv, key: { K: Konto }, item: { document_path: P } } }
`;
const DOCS = 'Konto,P\n1,a.pdf\n2,b.pdf\n3,c.pdf\n';

async function plans(files: Files, sources: readonly string[], mappingName = 'm.yaml') {
  const folder = folderWith(files);
  const open = (name: string) => openSourceFile(name, folder);
  const stores = openJoinStores();
  onTestFinished(() => stores.close());
  const mapping = await needMapping(mappingName, open);
  const joins = await loadJoins(mapping, sources, { open, makeStore: async () => stores.make() });
  const made = sources.map(
    (source) => planByMapping(mapping, ['K'], { supplier: undefined, joins: joins.tablesFor(source) }).plan,
  );
  return { plans: made, files: joins.files.map(({ name }) => name) };
}

const row = (cell: string) => ({
  firstLine: 2,
  lastLine: 2,
  byteStart: 0,
  byteEnd: 0,
  endsAtEof: false,
  cells: [cell],
});

test('a second file that several sources share is read once, and its rows are left over when no source has taken them', async () => {
  const { plans: both, files } = await plans(
    { 'm.yaml': MAPPING, 'docs.csv': DOCS, 'a.csv': '', 'b.csv': '' },
    ['a.csv', 'b.csv'],
  );
  expect(files).toEqual(['docs.csv']);
  both[0]!.candidateOf([row('1')]);
  // Row 2 of the second file may still belong to the next source.
  expect([...both[0]!.leftOver()]).toEqual([]);
  both[1]!.candidateOf([row('2')]);
  expect([...both[1]!.leftOver()].map(({ cell }) => cell!.line)).toEqual([4]);
});

test('a second file is looked for beside the source, then beside the mapping', async () => {
  const files = { 'maps/m.yaml': MAPPING, 'maps/docs.csv': DOCS, 'in/a.csv': '' };
  expect((await plans(files, ['in/a.csv'], 'maps/m.yaml')).files).toEqual([join('maps', 'docs.csv')]);
  const nearer = { ...files, 'in/docs.csv': DOCS };
  expect((await plans(nearer, ['in/a.csv'], 'maps/m.yaml')).files).toEqual([join('in', 'docs.csv')]);
});

test('a second file that does not exist ends the command', async () => {
  await expect(plans({ 'm.yaml': MAPPING, 'a.csv': '' }, ['a.csv'])).rejects.toMatchObject({
    code: 'file_not_readable',
  });
});
