import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkFiles } from '../support/checked-files.ts';
import { inspectionDocument } from '../support/json-documents.ts';
import { fakeIo, runCli } from '../support/cli-io.ts';
import { folderWith } from '../support/mapping-files.ts';

const MAPPING = `version: 1
resource: transactions
source: { type: jsonl }
fields:
  external_account_number: account.number
  transaction_id: id
  transaction_date: { column: dates.booked, format: [yyyy-MM-dd, "yyyy-MM-dd'T'HH:mm:ssXXX"], time_zone: UTC }
  amount: total
  type: { column: kind, lookup: { inv: SUPPLY_CHARGE, pay: PAYMENT } }
  product_code: { constant: P1, when: { field: type, in: [SUPPLY_CHARGE] } }
  line_items:
    each:
      column: lines
      when: { column: kind, not_in: [text] }
      item: { start_date: period.from, end_date: period.to, number_of_units: kwh, price_per_unit: rate, net_amount: net }
ignore: ['lines[].kind', meta.batch]
`;

const LINE = {
  id: 'T1',
  account: { number: '0010023417' },
  dates: { booked: '2026-01-31T09:30:00Z' },
  total: 44,
  kind: 'inv',
  meta: { batch: null },
  lines: [
    { kind: 'text' },
    { kind: 'kwh', period: { from: '2026-01-01', to: '2026-01-31' }, kwh: 4, rate: 11, net: 44 },
  ],
};
const PAYMENT =
  '{"id":"T2","account":{"number":"0010023417"},"dates":{"booked":"2026-02-01"},"total":1.10,"kind":"pay"}';
const line = (change: object = {}): string => JSON.stringify({ ...LINE, ...change });

const check = (lines: readonly string[], { mapping = MAPPING, argv = [] as readonly string[] } = {}) =>
  checkFiles({ 'x.jsonl': lines.join('\n'), 'x.jsonl.map.yaml': mapping }, argv, { file: 'x.jsonl' });

async function previewOf(lines: readonly string[], at: number) {
  const folder = folderWith({ 'x.jsonl': lines.join('\n'), 'x.jsonl.map.yaml': MAPPING });
  const argv = ['check', 'transactions', 'x.jsonl', '--line', String(at), '--supplier', 'ACME', '--json'];
  const { json } = await runCli(argv, fakeIo({ cwd: folder, nowMs: Date.UTC(2026, 10, 21) }));
  return json() as { record: object; request: { body_text: string } };
}

describe('JSON Lines are mapped by key paths', () => {
  test('with nested objects, lists, and rows that lack keys', async () => {
    const { exitCode, details, rows } = await check([line(), PAYMENT, '']);
    expect({ exitCode, details, rows: rows['read'] }).toEqual({ exitCode: 0, details: [], rows: 2 });
  });

  test('and keep zeros of texts and digits of numbers', async () => {
    const { request } = await previewOf([line(), PAYMENT], 2);
    expect(request.body_text).toContain('"external_account_number":"0010023417"');
    expect(request.body_text).toContain('"amount":1.10');
  });

  test('and a list becomes items, those that its condition leaves', async () => {
    const { record } = await previewOf([line()], 1);
    expect(record).toMatchObject({
      line_items: [
        {
          start_date: '2026-01-01',
          end_date: '2026-01-31',
          number_of_units: 4,
          price_per_unit: 11,
          net_amount: 44,
        },
      ],
    });
  });

  test('without a mapping when the keys are those of the interface', async () => {
    const record = {
      import_supplier: 'ACME',
      external_account_number: 7,
      transaction_id: 'T1',
      transaction_date: '2026-01-31',
      type: 'CHARGE',
      amount: 5.5,
    };
    const { problems } = await checkFiles({ 'x.ndjson': JSON.stringify(record) }, [], { file: 'x.ndjson' });
    expect(problems).toEqual([]);
  });
});

describe('a problem of JSON Lines has the line and the key path', () => {
  test.each([
    ['an amount', { total: '12,50' }, '1: error number_unreadable', 'total'],
    ['a nested key', { account: { number: null } }, '1: error required', 'account.number'],
    ['damage of a spreadsheet', { id: '3.1E+11' }, '1: error spreadsheet_damage', 'id'],
    ['a number with an exponent', { total: 1e30 }, '1: error number_unreadable', 'total'],
    [
      'an item of a list',
      { lines: [LINE.lines[0], { ...LINE.lines[1], net: '4,4' }] },
      '1: error number_unreadable',
      'lines[1].net',
    ],
    ['a list for an id', { id: ['T1'] }, '1: error list_unreadable', 'id'],
    ['a list for a date', { dates: { booked: [2026, 1, 31] } }, '1: error list_unreadable', 'dates.booked'],
    [
      'a list inside of an item',
      { lines: [{ ...LINE.lines[1], net: [44] }] },
      '1: error list_unreadable',
      'lines[0].net',
    ],
    ['no list', { lines: 'none' }, '1: error list_unreadable', 'lines'],
    ['a list of numbers', { lines: [1] }, '1: error list_unreadable', 'lines'],
  ])('%s', async (_, change, problem, header) => {
    const { problems, document } = await check([line(change), line({ id: 'T9' })]);
    expect(problems).toContain(problem);
    expect(document['problems']).toContainEqual(expect.objectContaining({ header, column: null }));
  });

  test.each([
    ['is cut off', '{"id":"T3","acc'],
    ['has a key twice', '{"id":"T3","id":"T4"}'],
    ['has two ways to one key path', '{"id":"T3","a":{"b":1},"a.b":2}'],
    ['is no object', '"T3"'],
    ['has half of a character', String.raw`{"id":"\ud83d"}`],
  ])('a line that %s is one broken row, and the others are read', async (_, broken) => {
    const { exitCode, problems, rows } = await check([line(), broken, PAYMENT]);
    expect({ exitCode, problems }).toEqual({ exitCode: 3, problems: ['2: error json_invalid'] });
    expect(rows).toMatchObject({ read: 3, invalid: 1 });
  });

  test('also where the platform would see no difference: a second account key on some lines', async () => {
    const { behind } = await check([line(), PAYMENT.replace('"account":{', '"account":{"iban":"X",')]);
    expect(behind).toContain('account.iban texts 1');
  });

  test.each([
    [['"X"', '{"mail":"Y"}', 'null']],
    [['null', '"X"', '{"mail":"Y"}']],
    [['{"mail":"Y"}', '"X"', '{}']],
  ])('a key is a column of its own where any line has a text there: %j', async (values) => {
    const lines = values.map((value, at) =>
      PAYMENT.replace('"T2"', `"T${at}"`).replace('{', `{"contact":${value},`),
    );
    const { behind } = await check([line(), ...lines]);
    expect(behind).toEqual(expect.arrayContaining(['contact texts 1', 'contact.mail texts 1']));
  });

  test('a key that the mapping names and no line has is an error, inside of lists too', async () => {
    const mapping = MAPPING.replace('net_amount: net', 'net_amount: nett').replace(
      'column: kind, look',
      'column: kin, look',
    );
    const { details } = await check([line()], { mapping });
    expect(details.filter((each) => each.includes('error'))).toEqual([
      '1: error mapped_column_missing: the mapping names the column `kin`, which the file does not have; did you mean kind?',
      '1: error mapped_column_missing: the mapping names the column `nett`, which `lines` does not have; did you mean net?',
    ]);
  });
});

test.each([
  ['a list of JSON', '[\n{"id":"T1"},\n{"id":"T2"}\n]', 'file_is_no_table'],
  ['a table', 'id,account\nT1,2\n', 'json_invalid'],
  ['a workbook', 'PK\u0003\u0004', 'file_is_no_table'],
  ['nothing', '\n\n', 'file_empty'],
])('%s in a file of JSON Lines is refused for what it is', async (_, text, code) => {
  const { exitCode, details } = await check([text]);
  expect(exitCode).toBe(3);
  expect(details[0]).toContain(`error ${code}`);
});

test('the rejects of JSON Lines are the lines as they were', async () => {
  const broken = '{"id":"T3","acc';
  const { folder } = await check([line(), broken, line({ id: 'T9', total: 'x' })], {
    argv: ['--rejects', 'r.jsonl'],
  });
  expect(readFileSync(join(folder, 'r.jsonl'), 'utf8')).toBe(`${broken}\n${line({ id: 'T9', total: 'x' })}`);
});

describe('a file of JSON Lines is inspected', () => {
  const folderOf = (name: string): string => folderWith({ [name]: `${line()}\n${PAYMENT}\n` });

  test.each(['x.jsonl', 'x.txt'])('%s is known by its name or by its lines', async (name) => {
    const { json } = await runCli(['inspect', name, '--json'], fakeIo({ cwd: folderOf(name) }));
    const { content } = inspectionDocument.parse(json());
    expect(content?.layout).toMatchObject({ is_json_lines: true });
    expect(content?.table.rows).toBe(2);
    expect(content?.columns.map((column) => column.name)).toEqual([
      'id',
      'account.number',
      'dates.booked',
      'total',
      'kind',
      'meta.batch',
      'lines',
    ]);
  });

  test('and a mapping is drafted', async () => {
    const cwd = folderOf('x.jsonl');
    await runCli(['init', 'x.jsonl'], fakeIo({ cwd }));
    const draft = readFileSync(join(cwd, 'x.jsonl.map.yaml'), 'utf8');
    expect(draft).toContain('  type: jsonl\n');
    expect(draft).toContain('  external_account_number: account.number\n');
    const checked = await runCli(['check', '--map', 'x.jsonl.map.yaml'], fakeIo({ cwd }));
    // Its questions are open, and nothing else is wrong with it.
    expect(checked.stdout).not.toContain('does not go with');
  });
});
