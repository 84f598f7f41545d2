import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openSourceFile } from '../../../../src/cli/csv/source-file.ts';
import { keyOf, loadJoins } from '../../../../src/cli/mapping/compile/joined-files.ts';
import { needMapping } from '../../../../src/cli/mapping/file/load-mapping.ts';
import { planByMapping } from '../../../../src/cli/mapping/compile/plan-by-mapping.ts';
import { openJoinStores } from '../../../../src/cli/scratch/join-store.ts';
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
  const joins = await loadJoins(mapping, sources.length, { open, makeStore: async () => stores.make() });
  const made = sources.map(
    () => planByMapping(mapping, ['K'], { supplier: undefined, joins: joins.tables }).plan,
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

test('a second file is looked for beside the mapping, and one that is not there ends the command', async () => {
  const files = { 'maps/m.yaml': MAPPING, 'maps/docs.csv': DOCS, 'in/a.csv': '', 'in/docs.csv': '' };
  expect((await plans(files, ['in/a.csv'], 'maps/m.yaml')).files).toEqual([join('maps', 'docs.csv')]);
  const { 'maps/docs.csv': _, ...others } = files;
  await expect(plans(others, ['in/a.csv'], 'maps/m.yaml')).rejects.toMatchObject({
    code: 'file_not_readable',
    facts: { file: join('maps', 'docs.csv') },
  });
});

describe('the rows of a second file', () => {
  /** The problems of the second file after the records of these accounts were made, as `code line`. */
  async function leftOver(docs: string, accounts: readonly string[], source = '', file = 'docs.csv') {
    const mapping = MAPPING.replace('docs.csv,', `${file}, ${source}`);
    const { plans: made } = await plans({ 'm.yaml': mapping, [file]: docs, 'a.csv': '' }, ['a.csv']);
    const records = accounts.map((account) => made[0]!.candidateOf([row(account)]).record);
    const problems = [...made[0]!.leftOver()].map(({ problem: { code, severity, path }, cell }) => {
      expect([severity, path, cell!.file, cell!.column, cell!.header]).toEqual([
        'error',
        [],
        file,
        null,
        null,
      ]);
      return `${code} ${cell!.line}`;
    });
    return { problems, records };
  }
  const documents = (...paths: readonly string[]) => ({
    document_paths: paths.map((path) => ({ document_path: path })),
  });

  test('may be objects of JSON Lines, and broken ones are reported', async () => {
    const docs = '{"Konto":"1","P":"a"}\n{"Konto"\n{"Konto":"1","P":"b"}\n';
    expect(await leftOver(docs, ['1'], '', 'docs.jsonl')).toEqual({
      problems: ['json_invalid 2'],
      records: [documents('a', 'b')],
    });
  });
});

describe('two lists of a mapping', () => {
  const both = (key: string) => `version: 1
resource: transactions
ignore: all
fields:
  import_supplier: { constant: ACME }
  external_account_number: K
  transaction_id: K
  transaction_date: { constant: '2026-01-05' }
  amount: { constant: '1.00' }
  type: { constant: SUPPLY_CHARGE }
  line_items: { join: { file: d.csv, key: { K: Konto }, item: { start_date: D, end_date: D, number_of_units: U, net_amount: A } } }
  tax_items: { join: { file: d.csv, key: { K: ${key} }, item: { amount: A, tax_type: { constant: VAT }, value_taxed: A, rate: { constant: '0.2' }, unit_type: { constant: PROPORTION } } } }
`;
  const files = (key: string) => ({
    'm.yaml': both(key),
    'a.csv': '',
    'd.csv': 'Konto,Other,D,U,A\n1,9,2026-01-01,1,5\n',
  });

  test('that join one file by one key read it once, and have its rows both', async () => {
    const { plans: made, files: read } = await plans(files('Konto'), ['a.csv']);
    expect(read).toEqual(['d.csv']);
    const { record, parts } = made[0]!.candidateOf([row('1')]);
    expect(record).toMatchObject({ line_items: [{}], tax_items: [{}] });
    expect(parts).toEqual([
      { attr: 'line_items.0', file: 'd.csv', line: 2 },
      { attr: 'tax_items.0', file: 'd.csv', line: 2 },
    ]);
    expect([...made[0]!.leftOver()]).toEqual([]);
  });

  test('that join one file by two keys read it for each', async () => {
    const { plans: made, files: read } = await plans(files('Other'), ['a.csv']);
    expect(read).toEqual(['d.csv', 'd.csv']);
    made[0]!.candidateOf([row('1')]);
    expect([...made[0]!.leftOver()].map(({ problem }) => problem.code)).toEqual(['rows_not_joined']);
  });
});

test('keys are equal cell by cell', () => {
  expect(keyOf(['a', 'b'])).not.toBe(keyOf(['ab', '']));
  expect(keyOf(['a', 'b'])).not.toBe(keyOf(['', 'ab']));
});
