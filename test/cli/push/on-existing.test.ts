import { describe, expect, test } from 'vitest';
import type { Resource } from '../../../src/core/contract/resources.ts';
import { assertProven } from '../../../src/cli/journal/read/consistency.ts';
import type { OnExisting } from '../../../src/cli/push/ports/run.ts';
import { answer } from '../../support/push-batch.ts';
import { drained } from '../../support/push-drained.ts';
import { FakePlatform, type Fault } from '../../support/fake-platform.ts';
import { csvFrom, stagedRun } from '../../support/push-staged-run.ts';

/** A platform on which another tool has put the records of `there`, to which a run with `rows` is sent. */
async function sent(
  resource: Resource,
  {
    there,
    rows,
    onExisting,
  }: { readonly there: string; readonly rows: string; readonly onExisting: OnExisting },
  faults: Readonly<Record<string, Fault>> = {},
) {
  const limits = { records: resource === 'payment-instructions' ? 1 : 4, bytes: 1_000_000 };
  const platform = new FakePlatform(resource, faults);
  await drained((await stagedRun(resource, csvFrom(resource, there), { limits })).run, platform);
  const before = platform.received.length;
  const { run } = await stagedRun(resource, csvFrom(resource, rows), {
    limits,
    choice: { onExisting, onReject: 'skip' },
  });
  const result = await drained(run, platform, { concurrency: 1 });
  return { ...result, run, platform, requests: platform.received.slice(before) };
}

const idsIn = (body: string): unknown =>
  (JSON.parse(body) as { readonly statements: readonly { readonly statement_id: string }[] }).statements.map(
    ({ statement_id: id }) => id,
  );

describe('--on-existing accept', () => {
  test('counts a statement that the platform refuses because it has it, and sends the others of its request', async () => {
    const { run, report, requests, platform } = await sent('statements', {
      there: 'A:S-2 B:S-5',
      rows: 'A:S-1 A:S-2 A:S-3 B:S-5 C:S-6',
      onExisting: 'accept',
    });
    expect(report.rows).toMatchObject({ read: 5, created: 3, uncompared: 2, rejected: 0, verify: 0 });
    expect(report.problemsTotal).toBe(0);
    expect(requests.map(({ body }) => idsIn(body))).toEqual([
      ['S-1', 'S-2', 'S-3'],
      ['S-1', 'S-3'],
      ['S-5'],
      ['S-6'],
    ]);
    expect(platform.contents()).toEqual({ A: ['S-2', 'S-1', 'S-3'], B: ['S-5'], C: ['S-6'] });
    expect(run.isOpen).toBe(false);
    assertProven(run.db);
    expect(report.controlTotals).toMatchObject([{ read: '5050', accepted: '5050' }]);
  });

  test('still refuses what is refused for another reason in the same answer', async () => {
    const errors = [
      { detail: 'x', code: 'historical_statement_already_exists', attr: 'statements.0.statement_id' },
      { detail: 'x', code: 'invalid', attr: 'statements.1.number' },
    ];
    const refused = answer(400, { detail: 'x', code: 'validation_error', errors });
    const { report } = await sent(
      'statements',
      { there: 'A:S-1', rows: 'A:S-1 A:S-2 A:S-3', onExisting: 'accept' },
      { 'A#2': { kind: 'answer', applied: false, answer: refused } },
    );
    expect(report.rows).toMatchObject({ uncompared: 1, rejected: 1, created: 1 });
    expect(report.problems.map(({ code, line }) => [code, line])).toEqual([['invalid', 3]]);
  });

  test('counts a payment instruction only when the platform says so with its code', async () => {
    const named = (code: string) =>
      answer(400, {
        error_detail: `Active already.${code}`,
        import_supplier: 'ACME',
        external_account_number: 'A',
        reference: '1',
      });
    const rowsAfter = async (code: string) => {
      const { report } = await sent(
        'payment-instructions',
        { there: 'Z:9', rows: 'A:1 B:2', onExisting: 'accept' },
        { 'A#1': { kind: 'answer', applied: false, answer: named(code) } },
      );
      return report.rows;
    };
    expect(await rowsAfter(' (payment_instruction_already_active)')).toMatchObject({
      uncompared: 1,
      created: 1,
    });
    // Words alone may mean any reason.
    expect(await rowsAfter('')).toMatchObject({ uncompared: 0, rejected: 1, created: 1 });
  });
});

describe('without it', () => {
  test('a statement that exists is refused, and does not hold its account', async () => {
    const { report, run, platform } = await sent('statements', {
      there: 'A:S-2',
      rows: 'A:S-1 A:S-2 A:S-3',
      onExisting: 'reject',
    });
    expect(report.rows).toMatchObject({ created: 2, rejected: 1, uncompared: 0 });
    expect(run.cohort.hasFailed(1)).toBe(false);
    expect(platform.contents()).toEqual({ A: ['S-2', 'S-1', 'S-3'] });
  });
});
