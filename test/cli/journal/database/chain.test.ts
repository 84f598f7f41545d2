import { hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { Journal } from '../../../../src/cli/journal/journal.ts';
import { assertProven } from '../../../../src/cli/journal/read/consistency.ts';
import type { Reading } from '../../../../src/cli/journal/reading.ts';
import { drained } from '../../../support/push-drained.ts';
import { FakePlatform } from '../../../support/fake-platform.ts';
import { chainChecker, type ChainedRun } from '../../../support/flipped-run.ts';
import {
  csvFrom,
  csvOf,
  journalIn,
  NOW,
  reopened,
  row,
  stagedRun,
  takenUp,
} from '../../../support/push-staged-run.ts';
import { runWithEveryEnd } from '../../../support/sent-run.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

/** What the program for strangers finds wrong in a journal, which is closed for it. */
async function problemsOf(run: Reading, texts: readonly string[], inputs: readonly string[] = []) {
  const { id } = run.header;
  assertProven(run.db);
  const { head, links } = run.report().chain;
  const { name: journal } = run.db;
  run.close();
  const folder = temporaryFolder();
  const written = (text: string, index: number): string => {
    const file = join(folder, String(index));
    writeFileSync(file, text);
    return file;
  };
  const { problemsOf: check } = await chainChecker();
  return {
    links,
    problems: check({
      journal,
      report: { run: id, chain: { head, links } },
      sources: texts.map(written),
      inputs: inputs.map((text, index) => written(text, index + 10)),
      contract: undefined as unknown as ChainedRun['contract'],
    }),
  };
}

describe('the chain of a run holds as docs/chain.md says', () => {
  test('before anything is sent, with mappings, inputs, a database and left out rows', async () => {
    const csv = csvOf([
      row.transactions('Ä', '1'),
      { ...row.transactions('B', '2'), amount: 'x' },
      row.transactions('B', '3'),
    ]);
    const fingerprint = { name: 'x.map.yaml', bytes: 1, sha256: hash('sha256', 'm') };
    const { run } = await stagedRun('transactions', csv, {
      skipInvalid: true,
      maxRecords: 2,
      header: (usual) => ({
        ...usual,
        database: 'db-1',
        inputs: [fingerprint],
        sources: usual.sources.map((source) => ({
          ...source,
          mappedBy: { name: 'x.map.yaml' },
        })),
      }),
    });
    expect(await problemsOf(run, [csv], ['m'])).toEqual({ links: 1, problems: [] });
  });

  test('after answers, refusals and doubts', async () => {
    const { run, texts } = await runWithEveryEnd();
    expect(await problemsOf(run, texts)).toEqual({ links: 6, problems: [] });
  });

  test('after a person, a ledger and a repeated command', async () => {
    const lost = { kind: 'lost', applied: true } as const;
    const csv = csvFrom('statements', 'A:S-1 B:S-2 C:S-3');
    const { run } = await stagedRun('statements', csv);
    const platform = new FakePlatform('statements', { 'A#1': lost, 'B#1': lost });
    await drained(run, platform, { onReject: 'skip' });
    run.confirming.confirm([1], { verdict: 'arrived', by: 'A. Lead', now: NOW });
    run.confirming.confirm([2], { verdict: 'arrived', by: 'B. Lead', now: NOW, ledger: 'ledger.csv' });
    takenUp(run, { again: true });
    await drained(run, platform, { onReject: 'skip' });
    const { problems } = await problemsOf(run, [csv]);
    expect(problems).toEqual([]);
  });
});

test('an attempt that settled nothing is missed when its link is removed', async () => {
  const { run, folder } = await stagedRun('transactions', csvFrom('transactions', 'A:1'));
  const operations = run.draining(() => NOW);
  const batch = (await operations.claimNext(1))!;
  await operations.fail(batch, { kind: 'not_applied', status: 503, reason: 'status 503' });
  assertProven(run.db);
  expect(run.report().chain.links).toBe(2);
  run.close();
  changeFile(folder, 'DELETE FROM link WHERE attempt_id IS NOT NULL');
  expect(() => assertProven(reopened(folder).db)).toThrow('the ended attempt 1 has no link');
});

function changeFile(folder: string, statement: string): void {
  const db = new Database(journalIn(folder));
  db.pragma('foreign_keys = OFF');
  db.exec(statement);
  db.close();
}

describe('a journal that somebody has changed', () => {
  test.each([
    ["UPDATE link SET state = 'again' WHERE id = 2", 'link 2 is not the hash of what it seals'],
    ['UPDATE link SET id = 9 WHERE id = 6', 'link 6 is not the hash of what it seals'],
    ['UPDATE outcome SET link_id = 99 WHERE seq = 4', 'an outcome of the record 4 has no link'],
    [
      "UPDATE problem SET code = 'other' WHERE batch_id IS NULL",
      'the rows or problems of its files are not those that were read',
    ],
    ['UPDATE record SET reading_id = 9 WHERE seq = 7', 'the row 7 has no reading'],
    ["UPDATE source SET name = 'other.csv'", 'the reading 1 is not what was read'],
    [
      "UPDATE record SET place = 1 << 40 WHERE state = 'invalid'",
      'the rows or problems of its files are not those that were read',
    ],
    ["INSERT INTO event VALUES (2, '2025-01-01', 'planned_again', NULL, '{}')", 'the event 2 has no link'],
  ])('%s', async (statement, broken) => {
    const { run, folder } = await runWithEveryEnd();
    run.close();
    changeFile(folder, statement);
    const opened = Journal.open(journalIn(folder));
    expect(() => opened.assertProven()).toThrow(`is damaged: ${broken}`);
    opened.close();
  });
});
