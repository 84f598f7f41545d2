import { describe, expect, test } from 'vitest';
import { AppError } from '../../../src/core/app-error.ts';
import type { UnsentAccount } from '../../../src/cli/journal/read/cohort-accounts.ts';
import type { Reading } from '../../../src/cli/journal/reading.ts';
import { type CohortAccounts, keepUnsentRows } from '../../../src/cli/sending/unsent-rows.ts';

/** Three accounts that are not imported, with two rows each, in a run that keeps reasons as `keepUnsent` does. */
function counted(keepUnsent: (reasons: Iterable<UnsentAccount>) => void) {
  const run = {
    isOpen: true,
    header: { resource: 'notes', sources: [{ name: 'n.csv' }] },
    cohort: {
      keepUnsent,
      notSent: (account: number) => ({ seq: account, source: 1, line: account, rows: 2 }),
    },
  } as unknown as Reading;
  const accounts = { count: 3, numberIn: (_: number, account: number) => account } as CohortAccounts;
  const notReady = new Map([1, 2, 3].map((account) => [account, { why: 'open', state: 'pending' } as const]));
  return keepUnsentRows([run], accounts, {
    notReady,
    end: { kind: 'finished' },
    continuesAfterFailure: false,
  });
}

const ALL = [
  {
    counts: [{ resource: 'notes', reason: 'account_not_imported', accounts: 3, rows: 6 }],
    waits: true,
  },
];

test('rows that were not sent are counted although a full disk does not take the reasons', () => {
  expect(counted((reasons) => [...reasons])).toEqual(ALL);
  const full = new AppError('run_write_failed', { reason: 'the disk is full', remedy: '', resume: '' });
  const afterOne = (reasons: Iterable<UnsentAccount>): void => {
    for (const _ of reasons) throw full;
  };
  expect(counted(afterOne)).toEqual(ALL);
  const damaged = new AppError('run_damaged', { file: 'f', reason: 'r' });
  expect(() =>
    counted(() => {
      throw damaged;
    }),
  ).toThrow(damaged);
});

describe('records of an account wait for those of an earlier resource', () => {
  type Choice = Parameters<typeof keepUnsentRows>[2];

  /** Why the transactions of an account were not sent whose notes have these outcomes. */
  function reasons(outcomes: Readonly<Record<string, number>>, choice: Partial<Choice> = {}) {
    const run = (resource: string, cohort: object) =>
      ({
        isOpen: true,
        header: { resource, sources: [{ name: `${resource}.csv` }] },
        cohort,
      }) as unknown as Reading;
    const kept: UnsentAccount[] = [];
    const notes = run('notes', {
      keepUnsent: (found: Iterable<UnsentAccount>) => void [...found],
      notSent: () => undefined,
      firstOf: (_: number, outcome: string) => {
        const line = outcomes[outcome];
        return line === undefined ? undefined : { source: 1, line };
      },
    });
    const transactions = run('transactions', {
      keepUnsent: (found: Iterable<UnsentAccount>) => void kept.push(...found),
      notSent: () => ({ seq: 1, source: 1, line: 9, rows: 2 }),
    });
    const accounts = { count: 1, numberIn: () => 1 } as unknown as CohortAccounts;
    const sending: Choice = {
      notReady: new Map(),
      end: { kind: 'finished' },
      continuesAfterFailure: false,
      ...choice,
    };
    const [, part] = keepUnsentRows([notes, transactions], accounts, sending);
    return {
      counts: part!.counts,
      kept: kept.map(({ problem: { file, line, detail } }) => `${file}:${line} ${detail}`),
    };
  }

  const waiting = (reason: string) => [{ resource: 'transactions', reason, accounts: 1, rows: 2 }];

  test('when one was refused, which is named', () => {
    const { counts, kept } = reasons({ rejected: 3 });
    expect(counts).toEqual(waiting('earlier_resource_failed'));
    expect(kept).toEqual([
      'transactions.csv:9 a record of the notes of the account was refused, so its transactions are not sent; rows: 2 (see notes.csv:3)',
    ]);
  });

  test('when nobody knows of one, unless the command stopped early and the next one finds out', () => {
    expect(reasons({ unknown: 3 }).counts).toEqual(waiting('earlier_record_unsettled'));
    expect(reasons({ unknown: 3 }, { end: { kind: 'interrupted' } }).counts).toEqual([]);
    expect(reasons({ rejected: 3 }, { end: { kind: 'interrupted' } }).counts).toEqual(
      waiting('earlier_resource_failed'),
    );
  });

  test('and not when they may continue, or when the refusal ended the command', () => {
    expect(reasons({ rejected: 3 }, { continuesAfterFailure: true }).counts).toEqual([]);
    expect(reasons({ rejected: 3 }, { end: { kind: 'refused' } as never }).counts).toEqual([]);
    expect(reasons({}).counts).toEqual([]);
  });

  test('when two causes hold them, the refusal is named, which waiting does not settle', () => {
    const { counts, kept } = reasons({ rejected: 3, unknown: 2 });
    expect(counts).toEqual(waiting('earlier_resource_failed'));
    expect(kept).toEqual([expect.stringContaining('was refused') as string]);
  });

  test('but an account that is not imported waits for that first', () => {
    const notReady: Choice['notReady'] = new Map([[1, { why: 'import_failed', state: 'failed' }]]);
    expect(reasons({ rejected: 3 }, { notReady }).counts).toEqual(waiting('account_import_failed'));
  });
});
