import { describe, expect, test } from 'vitest';
import { migration } from '../support/migration.ts';
import { GOOD, HEADER, IMPORTED, REFUSED, SEED } from '../support/refused-account.ts';

interface Traced {
  readonly records_total: number;
  readonly records: readonly (Readonly<Record<string, unknown>> & {
    readonly attempts: readonly Readonly<Record<string, unknown>>[];
  })[];
}

async function pushed(seed: string, ...flags: readonly string[]) {
  const site = await migration(seed);
  const file = site.csv('t.csv', HEADER, GOOD, REFUSED);
  const run = String((await site.cli('push', 'transactions', file, '--json', ...flags)).json()['run']);
  const traced = async (...choice: readonly string[]) => {
    const { json, exitCode } = await site.cli('runs', 'show', run, ...choice, '--json');
    expect(exitCode).toBe(0);
    return json() as unknown as Traced;
  };
  return { site, file, run, traced };
}

describe('runs show --line and --account', () => {
  test('shows row, outcome and attempt of the record on a line', async () => {
    const { file, traced } = await pushed(IMPORTED);
    const { records, records_total: total } = await traced('--line', '2');
    expect(total).toBe(1);
    expect(records[0]).toMatchObject({
      file,
      line: 2,
      last_line: 2,
      outcome: 'created',
      attempts: [{ batch: 1, status: 201, result: 'settled' }],
      problems: [],
    });
  });

  test('shows no values of cells', async () => {
    const { site, run } = await pushed(IMPORTED);
    const shown = await site.cli('runs', 'show', run, '--line', '2', '--show-values');
    // The name of a folder may contain the letters of an id.
    for (const value of ['10.10', '1001', 't-1']) expect(shown.stdout.split(/[\s"/]+/)).not.toContain(value);
  });

  test('shows the problem of a refused record', async () => {
    const { traced } = await pushed(SEED, '--on-reject', 'skip');
    const { records } = await traced('--line', '3');
    expect(records[0]).toMatchObject({ outcome: 'rejected', problems: [{ code: 'account_not_found' }] });
  });
});
