import { expect, test } from 'vitest';
import { checkFiles } from '../support/checked-files.ts';
import { fakeIo, runCli } from '../support/cli-io.ts';
import { folderWith } from '../support/mapping-files.ts';

const MAP = `version: 1
resource: transactions
fields:
  external_account_number: K
  transaction_id: B
  transaction_date: { column: D, format: dd/MM/yyyy }
  amount: A
  type: T
`;
/** A row for each day of February 2026. */
const rowsOf = (change: (cells: string[], at: number) => void): readonly string[] =>
  Array.from({ length: 28 }, (_, at) => {
    const day = String(at + 1).padStart(2, '0');
    const cells = [
      `00${1_000 + (at % 3)}`,
      `T-${at}`,
      `${day}/02/2026`,
      `${40 + at}.50`,
      at % 2 ? 'CHARGE' : 'CREDIT',
    ];
    change(cells, at);
    return cells.join(',');
  });

async function printed(change: (cells: string[], at: number) => void, argv: readonly string[] = []) {
  const files = { 'x.csv': ['K,B,D,A,T', ...rowsOf(change), ''].join('\n'), 'x.csv.map.yaml': MAP };
  const io = fakeIo({ cwd: folderWith(files), nowMs: Date.UTC(2026, 11, 21) });
  const { stdout } = await runCli(['check', 'transactions', 'x.csv', '--supplier', 'ACME', ...argv], io);
  return stdout.split('\n');
}

test.each<readonly [string, (cells: string[], at: number) => void, string, string]>([
  [
    'a swapped day',
    (cells, at) => at < 12 && (cells[2] = `02/${String(at + 1).padStart(2, '0')}/2026`),
    '    2026 ·█··········, days ████████████████████████████···',
    '    2026 ▁█▁▁▁▁▁▁▁▁▁▁, days ·█··········▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁···',
  ],
  [
    'a lost sign',
    (cells, at) => at === 4 && (cells[3] = `-${cells[3]!}`),
    '  CREDIT     14  749.00     40.50    66.50',
    '  CREDIT     14  660.00    -44.50    66.50',
  ],
  [
    'a factor of 100',
    (cells, at) => at === 4 && (cells[3] = '4450'),
    '  CREDIT     14  749.00     40.50    66.50',
    '  CREDIT     14  5154.50     40.50     4450',
  ],
  [
    'lost zeros',
    (cells, at) => at === 4 && (cells[0] = '1001'),
    '  external_account_number  999999 ×28',
    '  external_account_number  999999 ×27, 9999 ×1',
  ],
])('a picture shows %s', async (_, change, sound, damaged) => {
  expect(await printed(() => undefined)).toContain(sound);
  const lines = await printed(change);
  expect(lines).toContain(damaged);
  const picture = lines.slice(lines.findIndex((line) => line.startsWith('what will be sent')));
  expect(Math.max(...picture.map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(await printed(change, ['--quiet'])).not.toContain(damaged);
});

test('what stays behind is known by its cells, over all files and all joined rows', async () => {
  const csv = 'K,B,D,A,T,VAT,Zone,State,Paid,Text,Betrag EUR\n';
  const tail = (at: number) => `${at}.10,Europe/Rome,${at % 2 ? 'open' : ''},0${at % 9}.03.26,t${at},${at}`;
  const rows = rowsOf(() => undefined).map((row, at) => `${row},${tail(at)}\n`);
  const map = (rest: string): string => `${MAP}${rest}`;
  const check = (rest: string, argv: readonly string[] = []) =>
    checkFiles({ 'x.csv': csv + rows.join(''), 'x.csv.map.yaml': map(rest) }, argv);
  const all = ['VAT amounts 28 380.80', 'Zone zones 28', 'State states 14', 'Paid dates 28', 'Text texts 28'];
  expect((await check('')).behind).toEqual([...all, 'Betrag EUR amounts 28 378']);
  expect((await check('ignore: all\n')).behind).toContain('Text texts 28 *');
  const filter = 'ignore: [Zone, State]\nfilter:\n  - { column: State, is: present }\n';
  const { behind, document } = await check(filter, ['--show-values']);
  expect(behind).toContain('x.csv.map.yaml:11:5 14 763.00 *');
  expect(JSON.stringify(document['stays_behind'])).toContain('"examples":["0.10","2.10"]');
  expect(JSON.stringify((await check(filter)).document['stays_behind'])).toContain('"examples":[]');
});
