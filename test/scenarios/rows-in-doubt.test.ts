import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runDocument, type RunDocument } from '../support/json-documents.ts';
import { migration, type Migration } from '../support/migration.ts';
import { typed } from '../support/next-command.ts';
import { HEADER, IMPORTED, SEED } from '../support/refused-account.ts';

const ROWS = [1, 2, 3].map((day) => `ACME,1001,t-${day},2026-02-0${day},CREDIT,10.00`);
/** With these a push gives up after one more try. */
const STOP = ['--no-check-previously-added', '--retry-for', '1ms'];

const documentOf = (result: { json(): unknown }): RunDocument => runDocument.parse(result.json());

/** A push that ended because nobody knows what became of its first row. */
async function pushInDoubt(site: Migration, fault: string): Promise<RunDocument> {
  await site.faults(fault, 'transactions accept status=503 nth=2');
  const file = site.csv('t.csv', HEADER, ...ROWS);
  const line = ['push', 'transactions', file, '--batch-size', '1', ...STOP, '--json'];
  const pushed = await site.cliIn({ chance: 0.99, maxWaits: 2 }, ...line);
  expect(pushed.exitCode).toBe(5);
  expect(documentOf(pushed).rows).toMatchObject({ unknown: 1, not_sent: 2 });
  await site.faults();
  return documentOf(pushed);
}

const idsOf = async (site: Migration): Promise<readonly unknown[]> =>
  (await site.ledger()).map(({ data }) => data['transaction_id']);

const WAYS = [
  ['was applied', 'transactions after-commit reset nth=1', { created: 2, verify: 1 }],
  ['was not applied', 'transactions before-commit reset nth=1', { created: 3 }],
] as const;

describe('a row in doubt', () => {
  test.each(WAYS)('is looked for by the same command before it is added: it %s', async (_, fault, rows) => {
    const site = await migration(SEED);
    const { next } = await pushInDoubt(site, fault);
    const again = await site.cli(...typed(next));
    expect(documentOf(again)).toMatchObject({ rows: { read: 3, ...rows } });
    expect(await idsOf(site)).toEqual(['t-1', 't-2', 't-3']);
  });

  test.each(WAYS)('is settled before another version of the file is sent: it %s', async (_, fault, rows) => {
    const site = await migration(SEED);
    await pushInDoubt(site, fault);
    const file = site.csv('t.csv', HEADER, ...ROWS, ROWS[0]!.replace('t-1', 't-4'));
    const again = await site.cli('push', 'transactions', file, '--batch-size', '1', ...STOP, '--json');
    expect(documentOf(again).rows).toMatchObject({ read: 4, ...rows, created: rows.created + 1 });
    expect(await idsOf(site)).toEqual(['t-1', 't-2', 't-3', 't-4']);
  });

  test('that may have arrived is not sent to another account when its row has moved', async () => {
    const site = await migration(IMPORTED);
    await pushInDoubt(site, 'transactions after-commit reset nth=1');
    const moved = ROWS[0]!.replace('1001', '1003');
    const file = site.csv('t.csv', HEADER, moved, ...ROWS.slice(1));
    const again = await site.cli('push', 'transactions', file, ...STOP, '--json');
    expect(documentOf(again)).toMatchObject({
      exit: { code: 3 },
      problems: [{ code: 'record_moved', line: 2 }],
    });
    expect(await idsOf(site)).toEqual(['t-1']);
  });

  test('with other content leaves the rejects of the others to correct, although nobody has settled it', async () => {
    const site = await migration(SEED);
    await pushInDoubt(site, 'transactions after-commit reset nth=1');
    const wrong = 'ACME,1001,t-5,2026-02-05,CREDIT,x';
    site.csv('t.csv', HEADER, ROWS[0]!.replace('10.00', '11.00'), ...ROWS.slice(1), wrong);
    const line = ['push', 'transactions', 't.csv', ...STOP, '--skip-invalid', '--rejects', 'r.csv'];
    const { exitCode, stdout } = await site.cli(...line);
    expect([exitCode, stdout]).toEqual([6, expect.stringContaining('rejects: 1 row in r.csv\n')]);
    expect(readFileSync(join(site.cwd, 'r.csv'), 'utf8')).toBe(`${HEADER}\n${wrong}\n`);
    expect((await site.cli('runs', 'show', '--json')).json()).toMatchObject({ exit: { resumable: true } });
  });

  test('is sent again to find out although the file has it no more, and the person is told', async () => {
    const site = await migration(SEED);
    await pushInDoubt(site, 'transactions before-commit reset nth=1');
    const file = site.csv('t.csv', HEADER, ...ROWS.slice(1));
    const again = await site.cli('push', 'transactions', file, ...STOP, '--json');
    const { rows, problems } = documentOf(again);
    expect(rows).toMatchObject({ read: 2, created: 2 });
    expect(problems).toMatchObject([{ code: 'record_vanished', severity: 'warning' }]);
    expect(await idsOf(site)).toEqual(['t-1', 't-2', 't-3']);
  });

  test('keeps the others of its account waiting until it is settled', async () => {
    const site = await migration(SEED);
    const { next } = await pushInDoubt(site, 'transactions after-commit reset nth=1');
    await site.faults('transactions accept status=403 nth=1');
    expect((await site.cli(...typed(next))).exitCode).not.toBe(0);
    expect(await idsOf(site)).toEqual(['t-1']);
    await site.faults();
    expect(documentOf(await site.cli(...typed(next))).rows).toMatchObject({ read: 3, created: 2, verify: 1 });
  });

  test('stays unknown while the platform is away, and other versions wait', async () => {
    const site = await migration(SEED);
    await pushInDoubt(site, 'transactions after-commit reset nth=1');
    await site.faults('transactions accept status=503');
    const file = site.csv('t.csv', HEADER, ...ROWS, ROWS[0]!.replace('t-1', 't-4'));
    const push = ['push', 'transactions', file, '--retry-for', '1ms', '--json'];
    const away = await site.cliIn({ chance: 0.99, maxWaits: 2 }, ...push);
    expect([away.exitCode, await idsOf(site)]).toEqual([5, ['t-1']]);
    await site.faults();
    // With the check the platform says itself that it has the record.
    expect((await site.cli(...typed(documentOf(away).next))).exitCode).toBe(0);
    expect(await idsOf(site)).toEqual(['t-1', 't-2', 't-3', 't-4']);
  });
});

describe('a changed row whose record in doubt turns out to be refused', () => {
  const CLOSED = `transactions accept status=400 times=1 body='{"non_field_errors": ["Closed."]}'`;

  test.each([
    ['sent', ['--on-reject', 'skip'], 0, ['t-2', 't-3', 't-1']],
    ['not sent by a command that this refusal ends', [], 4, []],
    ['not sent by one that has met too many errors', ['--on-reject', 'skip', '--max-errors', '0'], 4, []],
  ])('is %s', async (_, flags, exit, sent) => {
    const site = await migration(SEED);
    await pushInDoubt(site, 'transactions before-commit reset nth=1');
    await site.faults(CLOSED);
    const file = site.csv('t.csv', HEADER, ROWS[0]!.replace('10.00', '20.00'), ...ROWS.slice(1));
    const push = ['push', 'transactions', file, '--batch-size', '1', ...flags, '--json'];
    const again = await site.cli(...push);
    expect([again.exitCode, await idsOf(site)]).toEqual([exit, sent]);
    const last = await site.cli(...push);
    expect([last.exitCode, documentOf(last).rows]).toMatchObject([0, { read: 3, created: 3 }]);
    expect(documentOf(last).control_totals).toMatchObject([{ accepted: '40.00' }]);
  });
});

test('an applied row that is pushed as another file without the history is on the platform twice', async () => {
  const site = await migration(SEED);
  await pushInDoubt(site, 'transactions after-commit reset nth=1');
  const file = site.csv('again.csv', HEADER, ROWS[0]!);
  const push = ['push', 'transactions', file, ...STOP, '--run-dir', 'elsewhere'];
  expect((await site.cli(...push)).exitCode).toBe(0);
  expect(await idsOf(site)).toEqual(['t-1', 't-1']);
});
