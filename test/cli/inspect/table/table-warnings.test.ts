import { describe, expect, test } from 'vitest';
import { checkFiles } from '../../../support/checked-files.ts';
import { inspectedText } from '../../../support/inspected.ts';

const HEADER = 'external_account_number,transaction_id,transaction_date,type,amount';

/** The warnings of `inspect` and those of `check`, in the form that a test of `check` sees. */
async function both(rows: readonly string[], header = HEADER) {
  const text = `${header}\n${rows.join('\n')}\n`;
  const { table } = await inspectedText(text);
  const inspected = table.warnings.map(
    ({ code, line, column, detail }) => `${line}:${column ?? ''} warning ${code}: ${detail}`,
  );
  const { details } = await checkFiles({ 'x.csv': text });
  return { inspected, checked: details.filter((each) => each.includes(' warning ')) };
}

const rowsOf = (count: number, accountOf: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => `${accountOf(at)},T${at},2026-01-05,CHARGE,5.00`);
const grouped = (count: number) => rowsOf(count, (at) => (at % 3 === 0 ? `77${at}` : ''));
const otherKind = (count: number) => Array.from({ length: count }, (_, at) => `L,${at},5.00`);

describe('inspect says of a file what check says:', () => {
  test.each<[string, readonly string[]]>([
    ['it names each account only once', grouped(12)],
    ['it has several kinds of records', [...rowsOf(10, (at) => `77${at}`), ...otherKind(6)]],
    ['it does both', [...grouped(12), ...otherKind(6), ...grouped(3)]],
  ])('%s', async (_, rows) => {
    const { inspected, checked } = await both(rows);
    expect(inspected).not.toEqual([]);
    expect(inspected).toEqual(checked);
  });

  test.each<[string, readonly string[]]>([
    ['few rows have no account', rowsOf(12, (at) => (at === 3 || at === 7 ? '' : `77${at}`))],
    ['the column of accounts breaks off', rowsOf(12, (at) => (at < 4 ? `77${at}` : ''))],
    ['few rows are cut off', [...rowsOf(60, (at) => `77${at + 100}`), ...otherKind(4)]],
  ])('nothing where %s', async (_, rows) => {
    expect(await both(rows)).toEqual({ inspected: [], checked: [] });
  });
});

const warningsOf = async (text: string) =>
  (await inspectedText(text)).table.warnings.map(({ code, line, column }) => [code, line, column]);

describe('the account column of an inspected file', () => {
  const body = Array.from({ length: 12 }, (_, at) => `B${at};${at % 3 === 0 ? `77${at}` : ''};5,00\n`).join(
    '',
  );

  test('is found by a usual header', async () => {
    expect(await warningsOf(`Beleg;Kundennummer;Betrag\n${body}`)).toEqual([
      ['account_in_first_row_only', 3, 2],
    ]);
  });

  test('is not guessed from another header, because any optional column has gaps', async () => {
    expect(await warningsOf(`Beleg;Zusatz;Betrag\n${body}`)).toEqual([]);
  });

  test('is another one of the same kind that every row fills', async () => {
    const filled = body.replaceAll('\n', ';1\n');
    expect(await warningsOf(`Beleg;Konto;Betrag;Kundennummer\n${filled}`)).toEqual([]);
  });

  test('is found in JSON Lines, where the key is missing', async () => {
    const lines = Array.from({ length: 12 }, (_, at) =>
      JSON.stringify({ ...(at % 3 === 0 && { account: `77${at}` }), amount: '5.00' }),
    );
    expect(await warningsOf(`${lines.join('\n')}\n`)).toEqual([['account_in_first_row_only', 2, 1]]);
  });
});

test('kinds of records are seen in a file without a header', async () => {
  const kinds = Array.from(
    { length: 10 },
    (_, at) => `H,7700${at},2026-01-05\nB,T${at},CHARGE,5.00\nB,U${at},CHARGE,7.00\n`,
  );
  const { table } = await inspectedText(kinds.join(''));
  expect(table.warnings.map(({ detail }) => detail)).toEqual([
    'rows have other numbers of cells than line 2, which has 4: 9 have 3, as in a file with several kinds of records',
  ]);
});
