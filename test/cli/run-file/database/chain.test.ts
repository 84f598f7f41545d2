import { hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { RunFile } from '../../../../src/cli/run-file/run-file.ts';
import type { RunsFolder } from '../../../../src/cli/run-file/runs-folder.ts';
import { drained } from '../../../support/push-drained.ts';
import { FakePlatform } from '../../../support/fake-platform.ts';
import { chainChecker, type ChainedRun } from '../../../support/flipped-run.ts';
import {
  csvFrom,
  csvOf,
  NOW,
  reopened,
  row,
  RUN_ID,
  stagedRun,
  takenUp,
} from '../../../support/push-staged-run.ts';
import { RefusingPlatform } from '../../../support/refusing-platform.ts';
import { runWithEveryEnd } from '../../../support/sent-run.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { Versions } from '../../../support/versions.ts';

/** What the program for strangers finds wrong in a run, which is closed for it. */
async function problemsOf(run: RunFile, texts: readonly string[], inputs: readonly string[] = []) {
  const { id } = run.header;
  const { head, links, broken } = run.proving.chain();
  expect(broken).toBeNull();
  expect(run.history.facts()).toMatchObject({ head, links });
  expect(run.history.linkAt(links)).toBe(links === 0 ? undefined : head);
  const { db } = run as unknown as { readonly db: { readonly name: string } };
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
      run: db.name,
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
    expect(await problemsOf(run, [csv], ['m'])).toEqual({ links: 0, problems: [] });
  });

  test('after answers, refusals and doubts', async () => {
    const { run, texts } = await runWithEveryEnd();
    expect(await problemsOf(run, texts)).toEqual({ links: 5, problems: [] });
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

  test.each([true, false])('beside other versions, whether their rows are kept: %s', async (keepsAll) => {
    const platform = new RefusingPlatform('transactions', ['4']);
    const versions = new Versions('transactions', platform);
    await versions.send('A:1 A:2 B:3');
    const csv = csvFrom('transactions', 'A:1 A:2 B:3 B:4 C:5');
    const { id } = await versions.send(csv, { keepsAll });
    await versions.send('B:4', { place: '/in/b.csv' });
    await versions.send(csv);
    const { problems } = await problemsOf(versions.folder.open(id), [csv]);
    expect(problems).toEqual([]);
  });
});

test('an attempt that settled nothing is missed when its link is removed', async () => {
  const { run, folder } = await stagedRun('transactions', csvFrom('transactions', 'A:1'));
  const operations = run.draining(() => NOW);
  const batch = (await operations.claimNext(1))!;
  await operations.fail(batch, { kind: 'not_applied', status: 503, reason: 'status 503' });
  expect(run.proving.chain()).toMatchObject({ links: 1, broken: null });
  run.close();
  changeFile(folder, 'DELETE FROM link');
  expect(reopened(folder).proving.chain()).toMatchObject({
    links: 0,
    broken: 'the ended attempt 1 has no link',
  });
});

function changeFile(folder: RunsFolder, statement: string): void {
  const db = new Database(folder.fileOf(RUN_ID));
  db.pragma('foreign_keys = OFF');
  db.exec(statement);
  db.close();
}

describe('a run that somebody has changed', () => {
  test.each([
    ["UPDATE record SET amount = '9.99' WHERE seq = 1", 'the records of link 1 are not those that it sealed'],
    [
      "UPDATE outcome SET outcome = 'existing' WHERE seq = 1",
      'the records of link 1 are not those that it sealed',
    ],
    ['DELETE FROM outcome WHERE seq = 1', 'the records of link 1 are not those that it sealed'],
    ['UPDATE attempt SET status = 200 WHERE id = 2', 'link 2 is not the hash of what it seals'],
    ["UPDATE link SET state = 'again' WHERE id = 1", 'link 1 is not the hash of what it seals'],
    ['UPDATE link SET id = 9 WHERE id = 5', 'link 5 is not the hash of what it seals'],
    ['UPDATE outcome SET link_id = 99 WHERE seq = 4', 'the records of link 3 are not those that it sealed'],
    ["INSERT INTO outcome VALUES (7, 'created', NULL, 99, NULL)", 'an outcome of the record 7 has no link'],
    [
      "UPDATE problem SET code = 'other' WHERE batch_id IS NULL",
      'the rows or problems of its files are not those that were read',
    ],
    [
      "UPDATE record SET first_line = 9 WHERE state = 'invalid'",
      'the rows or problems of its files are not those that were read',
    ],
    ["INSERT INTO event VALUES (1, '2025-01-01', 'compared', NULL, '{}')", 'the event 1 has no link'],
  ])('%s', async (statement, broken) => {
    const { run, folder } = await runWithEveryEnd();
    run.close();
    changeFile(folder, statement);
    const opened = RunFile.open(folder.fileOf(RUN_ID), RUN_ID);
    const proven = opened.proving.chain();
    expect(proven.broken).toBe(broken);
    expect(() => opened.proving.assertProven()).toThrow();
    opened.close();
  });
});

test('the head of the chain is told after each commit', async () => {
  const { run } = await stagedRun('transactions', csvFrom('transactions', 'A:1'));
  const beginning = run.report().chain;
  const heads: unknown[] = [];
  const operations = run.draining(() => NOW, { onCommit: (head) => void heads.push(head) });
  const batch = (await operations.claimNext(1))!;
  await operations.fail(batch, { kind: 'not_applied', status: 503, reason: 'status 503' });
  expect(heads).toEqual([beginning, { head: run.history.linkAt(1), links: 1 }]);
  expect(beginning.links).toBe(0);
});
