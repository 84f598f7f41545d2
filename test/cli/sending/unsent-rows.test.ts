import { expect, test } from 'vitest';
import { AppError } from '../../../src/core/app-error.ts';
import type { UnsentAccount } from '../../../src/cli/run-file/cohort-accounts.ts';
import type { RunFile } from '../../../src/cli/run-file/run-file.ts';
import type { CohortAccounts } from '../../../src/cli/sending/cohort-accounts.ts';
import { keepUnsentRows } from '../../../src/cli/sending/unsent-rows.ts';

/** Three accounts that are not imported, with two rows each, in a run that keeps reasons as `keepUnsent` does. */
function counted(keepUnsent: (reasons: Iterable<UnsentAccount>) => void) {
  const run = {
    isOpen: true,
    header: { resource: 'notes', sources: [{ name: 'n.csv' }] },
    cohort: {
      keepUnsent,
      notSent: (account: number) => ({ seq: account, source: 1, line: account, rows: 2 }),
    },
  } as unknown as RunFile;
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
