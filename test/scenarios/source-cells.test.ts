import { describe, expect, test } from 'vitest';
import { checkFiles } from '../support/checked-files.ts';

const HEAD = "version: 1\nresource: transactions\nsource: { delimiter: ';' }\n";

/** A mapping of transactions whose fields are given, or have plain columns. */
function mappingWith(fields: Readonly<Record<string, string>>): string {
  const all = {
    external_account_number: 'Konto',
    transaction_id: 'Beleg',
    transaction_date: 'Datum',
    amount: 'Betrag',
    type: '{ constant: CHARGE }',
    ...fields,
  };
  return `${HEAD}fields:\n${Object.entries(all)
    .map(([name, spec]) => `  ${name}: ${spec}\n`)
    .join('')}ignore: all\n`;
}

const ROW = {
  Konto: '0071000598',
  Beleg: 'B1',
  Position: '001',
  Datum: '2026-01-05',
  Uhr: '',
  Betrag: '5.00',
};

async function problemsWith(fields: Readonly<Record<string, string>>, cells: Partial<typeof ROW>) {
  const row = { ...ROW, ...cells };
  const csv = `${Object.keys(row).join(';')}\n${Object.values(row).join(';')}\n`;
  const { problems, exitCode } = await checkFiles({ 'x.csv': csv, 'x.csv.map.yaml': mappingWith(fields) });
  return { problems, exitCode };
}

describe('marks with which a spreadsheet keeps a number as a text', () => {
  const REPAIRED = {
    external_account_number: `{ column: Konto, replace: [{ pattern: '^="|"$', with: '' }] }`,
  };

  test('are an error behind any step but one that removes them', async () => {
    const cells = { Konto: '"=""007006"""' };
    const error = ['2:1 error identifier_has_text_mark'];
    expect((await problemsWith({}, { Konto: "'7011" })).problems).toEqual(error);
    expect((await problemsWith({}, cells)).problems).toEqual(error);
    const padded = { external_account_number: "{ column: Konto, pad: { length: 12, with: '0' } }" };
    expect((await problemsWith(padded, cells)).problems).toEqual(error);
    expect((await problemsWith(REPAIRED, cells)).problems).toEqual([]);
  });
});

describe('identifiers that a program has written as numbers', () => {
  const check = async (accounts: readonly string[], account = 'Konto') => {
    const rows = accounts.map((number, at) => `${number};B${at};2026-01-05;5.10`);
    const csv = `Konto;Beleg;Datum;Betrag\n${rows.join('\n')}\n`;
    const map = mappingWith({ external_account_number: account });
    return (await checkFiles({ 'x.csv': csv, 'x.csv.map.yaml': map })).details;
  };

  test('are an error with the step that repairs them', async () => {
    expect(await check(['7001', '7002.0', '7003'])).toEqual([
      '3:1 error identifier_has_text_mark: 1 of 3 end in .0, as a program writes numbers',
    ]);
    expect(await check(['7001.0', '7002.0'])).toHaveLength(1);
    expect(
      await check(
        ['7001', '7002.0'],
        String.raw`{ column: Konto, replace: [{ pattern: '\.0$', with: '' }] }`,
      ),
    ).toEqual([]);
    expect(await check(['10230', '10.231', '10232'])).toEqual([
      '3:1 error identifier_has_text_mark: 1 of 3 have marks between thousands, and others have none, as a program writes numbers',
    ]);
  });

  test.each([
    ['numbers of sub-accounts', ['7001.0', '7001.1', '7002.0']],
    ['parts of three digits behind short numbers', ['100', '100.001', '100.002']],
    ['marks in all numbers', ['10.231', '10.232', '10.233']],
    ['one number alone', ['7.0']],
    ['hexadecimal numbers', ['3E107963', '0E780059', '10230000']],
  ])('are none where the column has %s', async (_, accounts) => {
    expect(await check(accounts)).toEqual([]);
  });
});

describe('damage of a spreadsheet is found in the source cell', () => {
  test.each(
    Object.entries<[{ transaction_id: string }, Partial<typeof ROW>, string]>({
      'a template': [
        { transaction_id: "'SAP-{Beleg}-001'" },
        { Beleg: '3.10E+11' },
        '2:2 error spreadsheet_damage',
      ],
      'a template of two columns': [
        { transaction_id: "'{Beleg}-{Position}'" },
        { Position: '#N/A' },
        '2:3 error identifier_is_no_value',
      ],
      'a template with hashes': [
        { transaction_id: "'S-{Beleg}'" },
        { Beleg: '########' },
        '2:2 error identifier_is_no_value',
      ],
      'a template with a word for no value': [
        { transaction_id: "'S-{Beleg}'" },
        { Beleg: 'NULL' },
        '2:2 error identifier_is_no_value',
      ],
      'a template with a space at the end of a cell': [
        { transaction_id: "'{Beleg}-{Position}'" },
        { Beleg: 'B1 ' },
        '2:2 error identifier_has_spaces',
      ],
    }),
  )('behind %s', async (_, [{ transaction_id }, cells, problem]) => {
    const field = { transaction_id: `{ template: ${transaction_id} }` };
    expect(await problemsWith(field, cells)).toEqual({ problems: [problem], exitCode: 3 });
  });

  test.each(
    Object.entries<[Record<string, string>, Partial<typeof ROW>, string]>({
      pad: [
        { external_account_number: "{ column: Konto, pad: { length: 10, with: '0' } }" },
        { Konto: '#N/A' },
        '2:1 error identifier_is_no_value',
      ],
      'pad of a shortened number': [
        { external_account_number: "{ column: Konto, pad: { length: 10, with: '0' } }" },
        { Konto: '7.1E+07' },
        '2:1 error spreadsheet_damage',
      ],
      replace: [
        { external_account_number: "{ column: Konto, replace: [{ pattern: '[^0-9]', with: '' }] }" },
        { Konto: '3.10E+11' },
        '2:1 error spreadsheet_damage',
      ],
      'replace in an amount': [
        { amount: "{ column: Betrag, replace: [{ pattern: '[^0-9.]', with: '' }] }" },
        { Betrag: '3.10E+11' },
        '2:6 error spreadsheet_damage',
      ],
      'replace in a date': [
        { transaction_date: "{ column: Datum, replace: [{ pattern: '#+', with: '2026-01-05' }] }" },
        { Datum: '########' },
        '2:4 error cell_is_no_value',
      ],
      'a debit': [
        { amount: "{ debit: Betrag, credit: Uhr, replace: [{ pattern: '#.*', with: '' }] }" },
        { Betrag: '#WERT!', Uhr: '3' },
        '2:6 error cell_is_no_value',
      ],
    }),
  )('behind %s', async (_, [fields, cells, problem]) => {
    expect(await problemsWith(fields as Record<string, string>, cells)).toEqual({
      problems: [problem],
      exitCode: 3,
    });
  });

  test.each(
    Object.entries<[Record<string, string>, Partial<typeof ROW>]>({
      'a null token': [
        { transaction_id: "{ template: '{Beleg}-{Position}', null_tokens: ['#N/A'] }" },
        { Position: '#N/A' },
      ],
      'a dash that is replaced in an amount': [
        { amount: "{ debit: Betrag, credit: Uhr, replace: [{ pattern: '^-$', with: '' }] }" },
        { Uhr: '-' },
      ],
      'a text of the table of the mapping': [
        { external_account_number: "{ column: Konto, lookup: { '#N/A': A1 } }" },
        { Konto: '#N/A' },
      ],
      'spaces that are replaced': [
        { external_account_number: "{ column: Konto, replace: [{ pattern: ' ', with: '' }] }" },
        { Konto: '0071 000598 ' },
      ],
      'spaces that are trimmed': [
        { transaction_id: "{ template: '{Beleg}-{Position}', trim: true }" },
        { Beleg: 'B1 ' },
      ],
      'an E without a sign': [{ transaction_id: "{ template: '{Beleg}-{Position}' }" }, { Beleg: '12E34' }],
      'a template of a text that is no identifier': [
        { note: "{ template: '{Uhr}: {Beleg}' }" },
        { Uhr: '-' },
      ],
    }),
  )('and %s is none', async (_, [fields, cells]) => {
    expect(await problemsWith(fields as unknown as Record<string, string>, cells)).toEqual({
      problems: [],
      exitCode: 0,
    });
  });
});

test('rows are not put together by a damaged key', async () => {
  const map = mappingWith({ transaction_id: 'Id' }).replace(
    'fields:',
    'continuation: { key: [Beleg] }\nfields:',
  );
  const csv = 'Konto;Id;Beleg;Datum;Betrag\n1;a;3.1E+11;2026-01-05;5\n1;a;3.1E+11;2026-01-05;5\n';
  const { problems } = await checkFiles({ 'x.csv': csv, 'x.csv.map.yaml': map });
  expect(problems).toEqual(['2:3 error spreadsheet_damage']);
});

test('rows of a second file are not joined by a damaged key', async () => {
  const map =
    'version: 1\nresource: notes\nfields:\n  external_account_number: K\n  body: T\n' +
    '  document_paths: { join: { file: d.csv, key: { N: C }, item: { document_path: P } } }\n';
  const csv = 'K,T,N\n1,a,#N/A\n';
  const files = { 'x.csv': csv, 'x.csv.map.yaml': map, 'd.csv': 'C,P\n#N/A,p\n' };
  expect((await checkFiles(files, [], { resource: 'notes' })).problems).toEqual([
    '2:3 error cell_is_no_value',
  ]);
});
