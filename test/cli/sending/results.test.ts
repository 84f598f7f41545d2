import { describe, expect, test } from 'vitest';
import type { Reading } from '../../../src/cli/journal/reading.ts';
import type { Sending } from '../../../src/cli/sending/sending.ts';
import { sendingPlan, unsentEnding } from '../../../src/cli/sending/results.ts';
import { csvFrom, stagedRun } from '../../support/push-staged-run.ts';

const again = 'dataimport push transactions t.csv';
const SENDING = {
  interruption: { exit: () => 'TERMINATED' },
  commands: { unresolved: ({ id }: { id: string }) => `list of ${id}` },
} as unknown as Sending;
const RUN = { header: { id: 'r' } } as unknown as Reading;

describe('a command that has sent nothing ends', () => {
  const ending = (kind: Parameters<typeof unsentEnding>[0]['kind'], run: Reading | null, records = 1) =>
    unsentEnding({ kind, unusable: false } as never, SENDING, { again, run, records });

  test('well after a dry run, with the command that sends, unless nothing would be sent', () => {
    expect(ending('staged', null)).toEqual({
      exit: 'OK',
      resumable: false,
      next: 'the same command without --dry-run sends these rows',
    });
    expect(ending('staged', null, 0)).toEqual({ exit: 'OK', resumable: false, next: null });
  });

  test('with the signal that interrupted it, and the same command', () => {
    expect(ending('interrupted', null)).toEqual({ exit: 'TERMINATED', resumable: false, next: again });
  });

  test('with the rows to correct before the same command', () => {
    expect(ending('invalid', null)).toEqual({
      exit: 'INPUT_INVALID',
      resumable: false,
      next: `correct the invalid rows in their file, then: ${again}`,
    });
  });

  test('with the list of the records that the platform has otherwise, when the run is kept', () => {
    expect(ending('conflicting', RUN)).toEqual({
      exit: 'INPUT_INVALID',
      resumable: true,
      next: 'list of r',
    });
    expect(ending('conflicting', null)).toEqual({
      exit: 'INPUT_INVALID',
      resumable: false,
      next: 'the same command without --dry-run keeps a list of these rows for the operator of the platform',
    });
  });
});

test('a plan counts the requests of a run, and names no target when none is set', async () => {
  const { run } = await stagedRun('transactions', csvFrom('transactions', 'A1:a A1:b A1:c A2:d'));
  const plan = sendingPlan(run, { baseUrl: '' });
  expect(plan).toEqual({ target: null, requests: 3, accounts: 2, records: 4 });
  expect(sendingPlan(run, { baseUrl: 'https://platform.example' }).target).toBe('https://platform.example');
});
