import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { admin } from '../../support/server-admin.ts';
import {
  ACCOUNT,
  charge,
  startPlatform,
  statement,
  type TestPlatform,
} from '../../support/server-platform.ts';
import { TEST_SEED } from '../../support/server-seed.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** One record of each kind, one of them twice, and an account that the seed does not know. */
async function fill(platform: TestPlatform): Promise<void> {
  await platform.post('createNotes', { ...ACCOUNT, notes: [{ body: 'ü "quoted"\n\u2028' }] });
  const transactions = [charge({ amount: '0.10' })];
  await platform.post('createTransactions', { ...ACCOUNT, transactions });
  const query = '?check_previously_added=false';
  await platform.post('createTransactions', { ...ACCOUNT, transactions }, { query });
  await platform.post('createStatements', { ...ACCOUNT, statements: [statement({ gross_amount: 5324 })] });
  await admin(platform, 'PUT accounts/ACME/9001', { state: 'staged' });
  await admin(platform, 'PUT suppliers/BETA', { status: 'Complete' });
}

/** Everything that a user of the admin API sees stored. */
async function stored(platform: TestPlatform) {
  const shown = (path: string) => admin(platform, `GET ${path}`).then(({ body }) => body as unknown);
  return [
    await platform.ledger(),
    await shown('suppliers'),
    await shown('accounts?totals=true'),
    await shown('ledger/totals'),
  ];
}

describe.each(['in memory', 'in a file'])('snapshots of a database %s', (where) => {
  const start = (seed = TEST_SEED) =>
    startPlatform({
      seed,
      ...(where === 'in memory' ? {} : { database: join(temporaryFolder(), 'serve.sqlite') }),
    });

  test('bring everything back, and numbering goes on where it was', async () => {
    const platform = await start();
    await fill(platform);
    const before = await stored(platform);
    expect((await admin(platform, 'PUT snapshots/filled')).body).toEqual({
      name: 'filled',
      bytes: expect.any(Number) as number,
      written_at: expect.stringMatching(/^20\d\d-.*Z$/) as string,
    });
    await admin(platform, 'POST reset');
    await admin(platform, 'PUT accounts/ACME/1001', { state: 'failed' });
    await platform.post('createNotes', {
      import_supplier: 'BETA',
      external_account_number: '2001',
      notes: [{ body: 'y' }],
    });
    const answer = await admin(platform, 'POST snapshots/filled/restore');
    expect([answer.status, answer.body.counts.accounts]).toEqual([200, 10]);
    expect(await stored(platform)).toEqual(before);
    await platform.post('createNotes', { ...ACCOUNT, notes: [{ body: 'next' }] });
    expect((await platform.ledger()).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
  });

  test('bring the planned steps of an import back, at their times', async () => {
    const seed = `version: 1
api_keys: [{ key: all-key }]
suppliers: [{ code: ACME, name: Acme, status: Ongoing }]
accounts: [{ import_supplier: ACME, external_account_number: "1001", state: staged, auto_import: { after_seconds: 30 } }]
`;
    const platform = await start(seed);
    await admin(platform, 'PUT snapshots/planned');
    // A state by hand takes the plan away.
    await admin(platform, 'PUT accounts/ACME/1001', { state: 'staged' });
    await admin(platform, 'POST snapshots/planned/restore');
    const stateAfter = async (seconds: number) => {
      platform.clock.nowMs += 1_000 * seconds;
      return (await admin(platform, 'GET accounts/ACME/1001')).body.state;
    };
    expect([await stateAfter(29), await stateAfter(1)]).toEqual(['staged', 'imported']);
  });

  test('number new records behind their own, also when more records were there meanwhile', async () => {
    const platform = await start();
    const add = (body: string) => platform.post('createNotes', { ...ACCOUNT, notes: [{ body }] });
    await add('kept');
    await admin(platform, 'PUT snapshots/one');
    await add('lost');
    await add('lost, too');
    await admin(platform, 'POST snapshots/one/restore');
    await add('next');
    expect((await platform.ledger()).map(({ seq }) => seq)).toEqual([1, 2]);
  });

  test('are listed, replaced under their name, and deleted', async () => {
    const platform = await start();
    const names = async () =>
      (await admin(platform, 'GET snapshots')).body.snapshots.map(({ name }: { name: string }) => name);
    expect(await names()).toEqual([]);
    await admin(platform, 'PUT snapshots/b');
    await admin(platform, 'PUT snapshots/a');
    await fill(platform);
    await admin(platform, 'PUT snapshots/a');
    expect(await names()).toEqual(['a', 'b']);
    await admin(platform, 'POST snapshots/b/restore');
    expect(await platform.ledger()).toHaveLength(0);
    await admin(platform, 'POST snapshots/a/restore');
    expect(await platform.ledger()).toHaveLength(4);
    expect((await admin(platform, 'DELETE snapshots/a')).status).toBe(200);
    expect((await admin(platform, 'DELETE snapshots/a')).body.code).toBe('snapshot_not_found');
    expect((await admin(platform, 'POST snapshots/a/restore')).body.code).toBe('snapshot_not_found');
    expect(await names()).toEqual(['b']);
  });

  test('leave tokens, keys, clock and faults alone', async () => {
    const platform = await start();
    await admin(platform, 'PUT snapshots/empty');
    await admin(platform, 'POST clock/freeze');
    const headers = { authorization: `Token ${await platform.token('acme-key')}` };
    await admin(platform, 'POST seed', { api_keys: [{ key: 'later-key' }] });
    const { body: faults } = await admin(platform, 'PUT faults', { rules: ['lists accept stall nth=9'] });
    await admin(platform, 'POST snapshots/empty/restore');
    expect((await admin(platform, 'GET faults')).body).toEqual(faults);
    const path = '/v1/data-import/all-account-import-processes/ACME/';
    expect((await platform.request('GET', path, { headers })).status).toBe(200);
    for (const key of ['acme-key', 'later-key'])
      expect((await platform.token(key)).length, key).toBeGreaterThan(0);
    expect((await admin(platform, 'GET clock')).body.mode).toBe('frozen');
  });
});
