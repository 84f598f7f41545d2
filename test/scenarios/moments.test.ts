import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkFiles } from '../support/checked-files.ts';
import { fakeIo, runCli } from '../support/cli-io.ts';
import { folderWith } from '../support/mapping-files.ts';

const mapping = (date: string): string => `version: 1
resource: transactions
fields:
  external_account_number: K
  transaction_id: B
  transaction_date: { column: D, ${date} }
  amount: A
  type: { constant: CHARGE }
`;

async function check(date: string, days: readonly string[]) {
  const rows = days.map((day, at) => `1,T${at},${day},5`);
  return checkFiles({ 'x.csv': `K,B,D,A\n${rows.join('\n')}\n`, 'x.csv.map.yaml': mapping(date) });
}

describe('the day of a moment with an offset', () => {
  test('is not known without a time zone', async () => {
    const { exitCode, problems } = await check('format: iso', ['2026-06-19T23:40:00Z']);
    expect({ exitCode, problems }).toEqual({ exitCode: 3, problems: ['2:3 error date_ambiguous'] });
  });

  test.each(['Europe/London', 'UTC'])('is that of %s, when the mapping says so', async (zone) => {
    const { problems } = await check(`format: iso, time_zone: ${zone}`, ['2026-06-19T23:40:00Z']);
    expect(problems).toEqual([]);
  });

  test('is asked for by a mapping whose format has an offset', async () => {
    const folder = folderWith({
      'x.csv': 'K,B,D,A\n',
      'x.csv.map.yaml': mapping("format: 'yyyy-MM-dd HH:mmXXX'"),
    });
    const { exitCode, stdout } = await runCli(['check', '--map', 'x.csv.map.yaml'], fakeIo({ cwd: folder }));
    expect(exitCode).toBe(2);
    expect(stdout).toContain('needs `time_zone` for the format `yyyy-MM-dd HH:mmXXX`');
  });

  test('is a question of a draft', async () => {
    const rows = Array.from(
      { length: 30 },
      (_, at) => `10${at + 10},T${at},2026-06-${(at % 20) + 10}T23:40:00Z,5.${at + 10}`,
    );
    const folder = folderWith({
      'x.csv': `account,transaction id,transaction date,amount\n${rows.join('\n')}\n`,
    });
    await runCli(['init', 'x.csv'], fakeIo({ cwd: folder }));
    const out = readFileSync(join(folder, 'x.csv.map.yaml'), 'utf8');
    expect(out).toContain('these are moments: in which time zone');
    expect(out).toContain(
      '  transaction_date:\n    # { column: transaction date, format: iso, time_zone: UTC }\n',
    );
  });

  test('does not matter for a time without an offset', async () => {
    expect((await check('format: iso', ['2026-06-19T23:40:00', '2026-06-19T23:41:00'])).problems).toEqual([]);
  });
});
