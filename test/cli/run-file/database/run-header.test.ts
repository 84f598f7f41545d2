import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { platformOf, type RunHeader } from '../../../../src/cli/run-file/database/run-header.ts';
import { RunsFolder } from '../../../../src/cli/run-file/runs-folder.ts';
import { csvFrom, headerOf, newRun, RUN_ID, stagedRun } from '../../../support/push-staged-run.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

/** A header in which every fact has a value of its own. */
const HEADER: RunHeader = {
  ...headerOf('notes', { checkPreviouslyAdded: false }),
  target: 'https://t.example',
  database: 'db-1',
  version: '1'.repeat(64),
  toolVersion: '1.2.3',
  createdAt: '2026-01-02T03:04:05Z',
  contentSha256: '2'.repeat(64),
  sources: [
    {
      name: 'a.csv',
      place: '/in/a.csv',
      bytes: 5,
      sha256: '3'.repeat(64),
      mappedBy: { name: 'm.yaml', hasTrailer: true },
      isCorrection: false,
    },
    { name: '-', place: null, bytes: 6, sha256: '4'.repeat(64), mappedBy: null, isCorrection: true },
  ],
  inputs: [
    { name: 'm.yaml', bytes: 7, sha256: '5'.repeat(64) },
    { name: 'n.yaml', bytes: 8, sha256: '6'.repeat(64) },
  ],
};

function created(): RunsFolder {
  const folder = new RunsFolder(temporaryFolder());
  folder.create(HEADER, newRun({ skipInvalid: true }, 4)).close();
  return folder;
}

test('a header is read as it was written', () => {
  const run = created().open(RUN_ID);
  expect(run.header).toEqual(HEADER);
  expect([run.turn, run.choice, run.state]).toEqual([4, newRun({ skipInvalid: true }).choice, 'staging']);
  expect(run.mappedSources).toEqual([
    { name: 'a.csv', columns: [], rowsFrom: null },
    { name: '-', columns: [], rowsFrom: null },
  ]);
  run.close();
});

test('sources without a mapping are the same as with none', () => {
  const folder = new RunsFolder(temporaryFolder());
  const run = folder.create(
    { ...HEADER, sources: headerOf('notes', {}, [{ bytes: 1, sha256: '7' }]).sources },
    newRun(),
  );
  expect(run.header.sources).toEqual([
    {
      name: 'notes-1.csv',
      place: '/in/notes-1.csv',
      bytes: 1,
      sha256: '7',
      isCorrection: false,
      mappedBy: null,
    },
  ]);
  run.close();
});

describe('a header that somebody has changed is damage', () => {
  const CHANGED = 'its header is not what was written';
  test.each([
    ["UPDATE run SET target = 'https://other.example'", CHANGED],
    ['UPDATE run SET database = NULL', CHANGED],
    ["UPDATE source SET name = 'b.csv' WHERE id = 1", CHANGED],
    ['UPDATE source SET is_correction = 1', CHANGED],
    ['UPDATE source SET id = 3 WHERE id = 2', CHANGED],
    ['DELETE FROM input WHERE id = 1', CHANGED],
    ['DELETE FROM run', 'its header is missing'],
    ['INSERT INTO run SELECT * FROM run', 'its header is there twice'],
    ["UPDATE run SET options = '{'", 'a value in it cannot be read'],
  ])('%s', (statement, reason) => {
    const folder = created();
    const db = new Database(folder.fileOf(RUN_ID));
    db.exec(statement);
    db.close();
    expect(() => folder.open(RUN_ID)).toThrow(
      expect.objectContaining({
        code: 'run_damaged',
        facts: { file: folder.fileOf(RUN_ID), reason },
      }) as Error,
    );
  });
});

test('a platform is its database where it names one, and its address otherwise', () => {
  expect(platformOf({ target: 'https://t.example', database: 'db-1' })).toBe('with db-1');
  expect(platformOf({ target: 'https://t.example', database: null })).toBe('at https://t.example');
});

test('sources have their columns once they are read', async () => {
  const { run } = await stagedRun('transactions', csvFrom('transactions', 'A:1'));
  const [source] = run.mappedSources;
  expect(source).toMatchObject({ name: 'transactions-1.csv', rowsFrom: expect.any(Number) as number });
  expect(source!.columns.length).toBeGreaterThan(0);
});
