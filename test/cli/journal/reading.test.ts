import { chmodSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import { Journal } from '../../../src/cli/journal/journal.ts';
import { staged } from '../../support/requests-of-a-run.ts';
import { drained } from '../../support/push-drained.ts';
import { FakePlatform } from '../../support/fake-platform.ts';
import {
  choiceWith,
  csvOf,
  emptyJournal,
  headerOf,
  journalIn,
  opened,
  reopened,
  row,
  stagedRun,
} from '../../support/push-staged-run.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('a reading that is opened again', () => {
  test('sends exactly the bytes of the first attempt', async () => {
    const csv = csvOf([{ ...row.transactions('A', '1'), amount: '0010.10', note: 'é "quoted"\n😀' }]);
    const { run, folder } = await stagedRun('transactions', csv);
    const first = new FakePlatform('transactions', { 'A#1': { kind: 'lost', applied: false } });
    await drained(run, first, { retryForMs: 0 });
    run.close();
    const second = new FakePlatform('transactions');
    await drained(reopened(folder), second);
    expect(second.received).toEqual(first.received);
  });
});

describe('privacy', () => {
  test('only the owner may read the file and its journal', async () => {
    const { folder, operations } = await staged();
    await operations.claimNext(1);
    const names = readdirSync(folder).toSorted();
    // The lock is exclusive, so there is no shared memory file.
    expect(names).toEqual(['transactions.sqlite', 'transactions.sqlite-wal']);
    for (const name of names) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  });

  // Threads, in which mutation testing runs tests, share the umask of their process.
  test.runIf(isMainThread)('the owner may read and write the file, whatever the umask', () => {
    const folder = temporaryFolder();
    const before = process.umask(0o277);
    try {
      emptyJournal(folder);
    } finally {
      process.umask(before);
    }
    expect(statSync(journalIn(folder)).mode & 0o777).toBe(0o600);
  });

  test('erasing removes payloads from every byte of the folder and keeps ids, lines, amounts and outcomes', async () => {
    const secret = 'Mrs Smith of 12 Elm Street called about her meter. '.repeat(200);
    const csv = csvOf([
      { ...row.transactions('A', 'T-1'), note: secret },
      { ...row.transactions('A', 'T-2'), note: 'Mr Jones has moved out' },
      { ...row.transactions('B', 'T-3'), note: 'Mr Jones has moved out', amount: 'secret amount 4711' },
    ]);
    const { run, folder } = await stagedRun('transactions', csv, { skipInvalid: true });
    const bytes = (): string =>
      readdirSync(folder)
        .map((name) => readFileSync(join(folder, name), 'latin1'))
        .join('');
    expect(bytes()).toContain('Elm Street');
    await drained(run, new FakePlatform('transactions'));
    const report = run.report();
    expect(bytes()).toContain('Elm Street');
    run.erasePayloads();
    for (const text of ['Elm Street', 'Mr Jones', 'moved out', 'secret amount'])
      expect(bytes()).not.toContain(text);
    expect(bytes()).toContain('T-1');
    expect(run.report()).toEqual(report);
    expect([run.hasTextsToErase(), run.condition]).toEqual([false, 'done']);
    run.close();
    const later = opened(folder);
    expect(later.report()).toEqual(report);
    later.close();
    for (const text of ['Elm Street', 'Mr Jones']) expect(bytes()).not.toContain(text);
  });

  test('erasing removes the text of notes, also from their identity', async () => {
    const csv = csvOf([{ ...row.notes('A', '1'), body: 'Mrs Smith is ill' }]);
    const { run, folder } = await stagedRun('notes', csv);
    run.erasePayloads();
    run.close();
    expect(readFileSync(journalIn(folder), 'latin1')).not.toContain('Smith');
  });
});

test.skipIf(process.getuid?.() === 0)('a folder that cannot be written to is reported', () => {
  const parent = temporaryFolder();
  chmodSync(parent, 0o500);
  const folder = join(parent, 'journal');
  expect(() => emptyJournal(folder)).toThrow(
    expect.objectContaining({
      code: 'run_not_writable',
      facts: expect.objectContaining({ folder }) as unknown,
    }) as Error,
  );
  chmodSync(parent, 0o700);
});

test('a journal that is begun never takes the place of one that is there by then', () => {
  const folder = temporaryFolder();
  const path = journalIn(folder);
  const header = headerOf('notes');
  const scope = {
    resource: 'notes',
    target: header.target,
    database: null,
    supplier: 'ACME',
    shard: null,
  } as const;
  const first = Journal.begin(path, scope, header, choiceWith());
  expect(readdirSync(folder)).not.toContain('transactions.sqlite');
  emptyJournal(folder);
  const before = readFileSync(path);
  expect(() => Journal.placed(path, first)).toThrow(
    expect.objectContaining({ code: 'run_not_writable' }) as Error,
  );
  expect(readFileSync(path).equals(before)).toBe(true);
  expect(readdirSync(folder)).toEqual(['transactions.sqlite']);
});
