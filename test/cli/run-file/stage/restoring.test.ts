import { describe, expect, test } from 'vitest';
import { RunFile } from '../../../../src/cli/run-file/run-file.ts';
import type { Resource } from '../../../../src/core/contract/resources.ts';
import { drained } from '../../../support/push-drained.ts';
import { FakePlatform } from '../../../support/fake-platform.ts';
import { csvFrom, csvOf, row, stagedRun, takenUp } from '../../../support/push-staged-run.ts';
import { Versions } from '../../../support/versions.ts';

/** A run that is thrown away and has read these rows. */
async function read(csv: string, resource: Resource = 'transactions'): Promise<RunFile> {
  const into = (header: RunFile['header']): RunFile => RunFile.scratch(header);
  return (await stagedRun(resource, csv, { limits: null, skipInvalid: true, into })).run;
}

describe('the texts of a run of which everything has arrived', () => {
  test('are given back from its files, so that it can be sent once more', async () => {
    const csv = csvFrom('transactions', 'A:1 A:2 B:3');
    const { run } = await stagedRun('transactions', csv);
    const platform = new FakePlatform('transactions');
    await drained(run, platform);
    run.eraseSettledPayloads();
    expect([run.state, run.hasAllTexts]).toEqual(['cleared', false]);
    run.restore(await read(csv));
    expect(run.hasAllTexts).toBe(true);
    const { report } = await drained(takenUp(run, { again: true }), platform);
    expect(report.rows).toMatchObject({ read: 3, existing: 3 });
    expect(platform.received.slice(2).map(({ body }) => body)).toEqual(
      platform.received.slice(0, 2).map(({ body }) => body),
    );
    expect(run.proving.chain()).toMatchObject({ broken: null });
  });

  test('are not taken from another file', async () => {
    const { run } = await stagedRun('transactions', csvFrom('transactions', 'A:1 A:2'));
    await drained(run, new FakePlatform('transactions'));
    run.eraseSettledPayloads();
    const other = csvOf([{ ...row.transactions('A', '1'), amount: '99.99' }, row.transactions('A', '2')]);
    run.restore(await read(other));
    expect(run.hasAllTexts).toBe(false);
  });
});

describe('rows that were sent before and are not kept', () => {
  test('are kept from then on, each with a request of its own, and the counts stay', async () => {
    const platform = new FakePlatform('transactions');
    const versions = new Versions('transactions', platform);
    await versions.send('A:1 A:2 B:3');
    const csv = csvFrom('transactions', 'A:1 A:2 B:3 C:4');
    const { id, report: before } = await versions.send(csv);
    expect(before.rows).toMatchObject({ read: 4, sent_before: 3, created: 1 });
    const run = versions.folder.open(id);
    expect(run.hasAllTexts).toBe(false);
    run.restore(await read(csv));
    takenUp(run, { again: true });
    expect(run.report().rows).toMatchObject({ read: 4, sent_before: 0, created: 0 });
    const sentSoFar = platform.received.length;
    const { report } = await drained(run, platform);
    expect(report.rows).toMatchObject({ read: 4, existing: 4 });
    expect(report.controlTotals).toMatchObject([{ count: 4, read: '40.40', accepted: '40.40' }]);
    expect(platform.received.length - sentSoFar).toBe(4);
    expect([...run.rowEnds()].map(({ end }) => end)).toEqual([
      'existing',
      'existing',
      'existing',
      'existing',
    ]);
    expect(run.proving.chain()).toMatchObject({ broken: null });
    run.close();
  });

  test.each([
    ['statements', true],
    ['transactions', false],
  ] as const)('are sent as records that are there: %s', async (resource, checkPreviouslyAdded) => {
    const platform = new FakePlatform(resource);
    const versions = new Versions(resource, platform);
    const options = { checkPreviouslyAdded };
    await versions.send('A:1 B:2', { options });
    const csv = csvFrom(resource, 'A:1 B:2 C:3');
    const { id } = await versions.send(csv, { options });
    const run = versions.folder.open(id);
    run.restore(await read(csv, resource));
    takenUp(run, { again: true });
    const { report } = await drained(run, platform, { onReject: 'skip' });
    expect(report.rows).toMatchObject({ read: 3, created: 0, rejected: 0, unknown: 0 });
    const { uncompared, existing, verify } = report.rows;
    expect(resource === 'statements' ? uncompared : existing + verify).toBe(3);
    expect(platform.contents()).toEqual({ A: ['1'], B: ['2'], C: ['3'] });
    run.close();
  });

  test('are in the order of their accounts', async () => {
    const versions = new Versions('transactions', new FakePlatform('transactions'));
    await versions.send('A:2 A:4');
    const csv = csvFrom('transactions', 'A:1 A:2 A:3 A:4');
    const { id } = await versions.send(csv);
    const run = versions.folder.open(id);
    run.restore(await read(csv));
    takenUp(run, { again: true });
    const empty = new FakePlatform('transactions');
    await drained(run, empty);
    expect(empty.contents()).toEqual({ A: ['1', '2', '3', '4'] });
    run.close();
  });
});
