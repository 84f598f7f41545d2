import { describe, expect, test } from 'vitest';
import { checkFiles } from '../support/checked-files.ts';

const mapping = (from: string, to: string, rest = ''): string => `version: 1
resource: statements
fields:
  external_account_number: K
  statement_id: S
  bill_period_from_date: { column: F, format: ${from} }
  bill_period_to_date: { column: T, format: ${to} }
  gross_amount: G
  statement_path: P
${rest}`;

/** 30 rows; bill periods begin on the first days of the months 1 to 6 and end in the next month. */
async function check(map: string, dueOf: (at: number) => string = () => '') {
  const rows = Array.from({ length: 30 }, (_, at) => {
    const month = (at % 6) + 1;
    return `1,S${at},1.${month}.2025,1.${month + 1}.2025,5012${at},${at}.pdf,${dueOf(at)}`;
  });
  const csv = `K,S,F,T,G,P,Due\n${rows.join('\n')}\n`;
  const { details } = await checkFiles({ 'x.csv': csv, 'x.csv.map.yaml': map }, [], {
    resource: 'statements',
  });
  return details.filter((each) => each.includes('exchanged'));
}

const IGNORED = 'ignore: [Due]\n';

describe('dates that could all be read with day and month swapped', () => {
  const both = mapping('M.d.yyyy', 'M.d.yyyy', IGNORED);

  test('are a warning, when an unused column proves the other order', async () => {
    const said = (column: number) =>
      `2:${column} warning date_implausible: may have day and month exchanged: all dates fit \`d.M.yyyy\` as well as \`M.d.yyyy\`, and the column \`Due\` has dates that fit only \`d.M.yyyy\``;
    const found = await check(both, (at) => `${(at % 13) + 1}.${(at % 6) + 3}.2025`);
    // The first period begins on 1.1., which is one day in both orders.
    expect(found).toEqual([said(4), said(3).replace('2:3', '3:3')]);
  });

  test('are a warning, when another column of the mapping proves it', async () => {
    const rows = Array.from(
      { length: 30 },
      (_, at) => `1,S${at},1.2.2025,${(at % 28) + 1}.3.2025,5012${at},${at}.pdf,`,
    );
    const map = mapping('M.d.yyyy', 'd.M.yyyy', IGNORED);
    const csv = `K,S,F,T,G,P,Due\n${rows.join('\n')}\n`;
    const files = { 'x.csv': csv, 'x.csv.map.yaml': map };
    const { details } = await checkFiles(files, [], { resource: 'statements' });
    expect(details).toContain(
      '2:3 warning date_implausible: may have day and month exchanged: all dates fit `d.M.yyyy` as well as `M.d.yyyy`, and the column `T` has dates that fit only `d.M.yyyy`',
    );
  });

  test.each([
    ['has the order of the mapping', (at: number) => `${(at % 6) + 3}.${(at % 28) + 1}.2025`],
    ['proves nothing', () => '3.4.2025'],
    ['has both orders', (at: number) => (at === 1 ? '3.14.2025' : '14.3.2025')],
    ['has other texts', (at: number) => (at === 1 ? 'paid' : '14.3.2025')],
    ['has other separators', () => '14/3/2025'],
    ['is empty', () => ''],
  ])('are none, when the unused column %s', async (_, dueOf) => {
    expect(await check(both, dueOf)).toEqual([]);
  });
});

describe('dates that a spreadsheet has read with day and month exchanged, where it could,', () => {
  const day = (at: number): string => new Date(Date.UTC(2025, 0, 2 + at * 2)).toISOString().slice(0, 10);
  const check = async (dateOf: (at: number) => string) => {
    const rows = Array.from(
      { length: 90 },
      (_, at) => `1,S${at},${dateOf(at)},31.12.2025,5012${at},${at}.pdf`,
    );
    const files = {
      'x.csv': `K,S,F,T,G,P\n${rows.join('\n')}\n`,
      'x.csv.map.yaml': mapping('dd.MM.yyyy', 'dd.MM.yyyy'),
    };
    return (await checkFiles(files, [], { resource: 'statements' })).details.filter((each) =>
      each.includes('exchanged'),
    );
  };
  const written = (date: string): string => date.split('-').toReversed().join('.');
  const exchanged = (date: string): string => written(date).replace(/^(0.|1[012]).(..)/u, '$2.$1');

  test.each([
    ['some rows', (at: number) => (at > 30 && at < 60 ? exchanged(day(at)) : written(day(at))), 9],
    ['all rows', (at: number) => exchanged(day(at)), 28],
    [
      'some rows, newest first',
      (at: number) => (at > 30 && at < 60 ? exchanged(day(90 - at)) : written(day(90 - at))),
      9,
    ],
  ])('are a warning where the rows follow their dates: %s', async (_, dateOf, count) => {
    expect(await check(dateOf)).toEqual([
      expect.stringContaining(`has day and month exchanged in ${count} rows`),
    ]);
  });

  test('are none where rows follow their dates, or no order at all', async () => {
    expect(await check((at) => written(day(at)))).toEqual([]);
    expect(await check((at) => written(day((at * 37) % 90)))).toEqual([]);
  });
});
