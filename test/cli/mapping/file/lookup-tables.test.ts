import { describe, expect, test } from 'vitest';
import { openSourceFile } from '../../../../src/cli/csv/source-file.ts';
import { loadMapping } from '../../../../src/cli/mapping/file/load-mapping.ts';
import { attrOfPath } from '../../../../src/core/problem.ts';
import { CHARGES, folderWith, type Files } from '../../../support/mapping-files.ts';

const map = (field: string, lookup: string) =>
  CHARGES.replace(new RegExp(`  ${field}: .*\n`), `  ${field}: { column: C, lookup: ${lookup} }\n`);
const ACCOUNTS = '{ file: t.csv, key: Old, value: New }';

const load = (files: Files, field = 'external_account_number', lookup = ACCOUNTS) => {
  const folder = folderWith({ 'm.yaml': map(field, lookup), ...files });
  return loadMapping('m.yaml', (name) => openSourceFile(name, folder));
};

/** Why the file of a table cannot be used, where the mapping names it. */
async function reasonsOf(...args: Parameters<typeof load>) {
  const { problems } = await load(...args);
  return problems.map(({ problem: { code, path, facts } }) => {
    expect(code).toBe('mapping_value_invalid');
    return `${attrOfPath(path).replace(/^fields\.\w+\.lookup\./, '')} ${String(facts['expected'])}`;
  });
}

const UNUSABLE = 'file a file that can be used, and t.csv cannot';

describe('the file of a table that cannot be used', () => {
  test.each([
    ['', 'line 1: the file is empty'],
    ['Old,Neu\na,1\n', 'line 1: there is no column `New`; did you mean Neu?'],
    ['Alt,New\na,1\n', 'line 1: there is no column `Old`'],
    ['Old,New\na\n', 'line 2: the row has fewer cells (1) than the header (2)'],
    ['Old,New\na,1\nb,2,3\n', 'line 3: the row has more cells (3) than the header (2)'],
    ['Old,New\na,1\na,2\n', 'line 3: `Old` has the text of line 2, and another `New`'],
  ])('says why: %j', async (text, reason) => {
    expect(await reasonsOf({ 't.csv': text })).toEqual([`${UNUSABLE}: ${reason}`]);
  });

  test('is not there, or has an object that cannot be read', async () => {
    expect(await reasonsOf({})).toEqual([`${UNUSABLE}: no such file`]);
    const lookup = '{ file: t.jsonl, key: a, value: b }';
    const [reason] = await reasonsOf({ 't.jsonl': '{"a":"1","b":"2"}\n{"a"\n' }, 'type', lookup);
    expect(reason).toMatch(/t\.jsonl cannot: line 2: /);
  });

  test('has a value that the field cannot have', async () => {
    const lookup = '{ file: t.csv, key: Old, value: New }';
    const [reason] = await reasonsOf({ 't.csv': 'Old,New\na,1.50\nb,x\n' }, 'amount', lookup);
    expect(reason).toMatch(/t\.csv cannot: line 3: `New` has a value that the field cannot have: it .+/);
    // A text may be any text.
    expect(await reasonsOf({ 't.csv': 'Old,New\na,\n' }, 'note', lookup)).toEqual([]);
  });
});

describe('the table of a file', () => {
  const tableOf = async (lookup: string, files: Files) => {
    const { mapping } = await load(files, 'type', lookup);
    return [...mapping!.tables.values()].map((table) => [...table]);
  };

  test('has each text once, and no empty ones', async () => {
    const files = { 't.csv': 'X,Old,New\nx,a,CHARGE\ny,a,CHARGE\nz,,PAYMENT\nz,b,PAYMENT\n' };
    expect(await tableOf(ACCOUNTS, files)).toEqual([
      [
        ['a', 'CHARGE'],
        ['b', 'PAYMENT'],
      ],
    ]);
  });

  test('is read as its keys say', async () => {
    const latin = Buffer.from('Schlüssel;Wert\nä;CHARGE\n', 'latin1');
    const lookup = "{ file: t.txt, key: Schlüssel, value: Wert, encoding: windows-1252, delimiter: ';' }";
    expect(await tableOf(lookup, { 't.txt': latin })).toEqual([[['ä', 'CHARGE']]]);
    const lines = { 't.txt': '{"k":{"id":7},"v":"CHARGE"}\n{"v":"PAYMENT"}\n' };
    expect(await tableOf('{ file: t.txt, type: jsonl, key: k.id, value: v }', lines)).toEqual([
      [['7', 'CHARGE']],
    ]);
    const csv = { 't.jsonl': 'k,v\n7,CHARGE\n' };
    expect(await tableOf('{ file: t.jsonl, type: csv, key: k, value: v }', csv)).toEqual([[['7', 'CHARGE']]]);
  });
});
