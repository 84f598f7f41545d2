import {
  closeSync,
  cpSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { RunsFolder } from '../../../src/cli/run-file/runs-folder.ts';
import { drained } from '../../support/push-drained.ts';
import { FakePlatform } from '../../support/fake-platform.ts';
import { csvFrom, headerOf, newRun, RUN_ID, stagedRun } from '../../support/push-staged-run.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const CONTENT = `4f2a${'0'.repeat(60)}`;

/** A folder with runs of these ids, all of the same content. */
function folderWith(...ids: readonly string[]): RunsFolder {
  const folder = new RunsFolder(temporaryFolder());
  for (const id of ids) folder.create({ ...headerOf('notes'), id, contentSha256: CONTENT }, newRun()).close();
  return folder;
}

/** Overwrites the first page of a table with zeros. */
function overwriteTable(path: string, table: string): void {
  const db = new Database(path);
  const page = db.prepare<[string], number>('SELECT rootpage FROM sqlite_schema WHERE name = ?').pluck();
  const size = db.pragma('page_size', { simple: true }) as number;
  const start = (page.get(table)! - 1) * size;
  db.close();
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(size), 0, size, start);
  closeSync(file);
}

const newId = (folder: RunsFolder): string => folder.newId('2026-11-21T10:15:02Z', 'notes', CONTENT);

describe('the id of a run', () => {
  test('consists of the time, the resource and the start of the content hash', () => {
    expect(newId(folderWith())).toBe('20261121-101502-notes-4f2a');
  });

  test.each([
    [['20261121-101502-notes-4f2a'], '20261121-101502-notes-4f2a-2'],
    [['20261121-101502-notes-4f2a', '20261121-101502-notes-4f2a-2'], '20261121-101502-notes-4f2a-3'],
    // A run with a lower number was removed.
    [['20261121-101502-notes-4f2a-2'], '20261121-101502-notes-4f2a'],
    [['20261121-101502-notes-4f2a', '20261121-101502-notes-4f2a-3'], '20261121-101502-notes-4f2a-2'],
  ])('is unused: besides %j it is %s', (taken, id) => {
    const folder = folderWith(...taken);
    expect(newId(folder)).toBe(id);
    folder.create({ ...headerOf('notes'), id }, newRun()).close();
  });

  test('is not the id of a run that a dying process left incomplete', () => {
    const folder = folderWith();
    writeFileSync(join(folder.path, '20261121-101502-notes-4f2a.sqlite-new'), '');
    expect(newId(folder)).toBe('20261121-101502-notes-4f2a-2');
    folder.create({ ...headerOf('notes'), id: newId(folder) }, newRun()).close();
  });
});

describe('the runs of a folder', () => {
  test('are listed with the newest first and without other files', () => {
    const folder = folderWith(
      '20261121-101502-notes-4f2a',
      '20261122-000000-notes-4f2a',
      '20251121-101502-notes-4f2a',
    );
    writeFileSync(join(folder.path, 'notes.txt'), '');
    // The process died before it had created the whole file.
    writeFileSync(join(folder.path, '20261123-000000-notes-4f2a.sqlite-new'), '');
    expect(folder.ids()).toEqual([
      '20261122-000000-notes-4f2a',
      '20261121-101502-notes-4f2a',
      '20251121-101502-notes-4f2a',
    ]);
  });

  test('are none when the folder is missing', () => {
    const folder = new RunsFolder(join(temporaryFolder(), 'none'));
    expect(folder.ids()).toEqual([]);
    expect([...folder.list()]).toEqual([]);
    expect(existsSync(folder.path)).toBe(false);
  });

  test('are open only while the listing is at them', () => {
    const folder = folderWith('a', 'b');
    for (const listed of folder.list()) {
      if (listed.id === 'b')
        expect(() => folder.open('b')).toThrow(expect.objectContaining({ code: 'run_locked' }) as Error);
      else folder.open('b').close();
    }
    folder.open('a').close();
    for (const listed of folder.list()) if (listed.id === 'b') break;
    folder.open('b').close();
  });

  test('are only those of the wanted ids', () => {
    const folder = folderWith('a', 'b', 'c');
    expect([...folder.list({ ids: new Set(['a', 'c', 'none']) })].map(({ id }) => id)).toEqual(['c', 'a']);
  });

  test('are listed by their headers, and checked when they are taken up', () => {
    const id = '20261121-101502-notes-4f2a';
    const folder = folderWith(id);
    overwriteTable(folder.fileOf(id), 'problem');
    expect([...folder.list()]).toMatchObject([{ id, state: 'never_staged' }]);
    const damaged = expect.objectContaining({ code: 'run_damaged' }) as Error;
    expect(() => folder.open(id)).toThrow(damaged);
    expect([...folder.list({ takesUp: true })]).toEqual([{ id, state: 'damaged', error: damaged }]);
  });

  test('are listed by their ids alone while another process has them open', () => {
    const folder = folderWith('20261121-101502-notes-4f2a', '20261121-101502-notes-ffff');
    const held = folder.open('20261121-101502-notes-4f2a');
    expect([...folder.list()].map(({ id, state, header }) => [id, state, header === undefined])).toEqual([
      ['20261121-101502-notes-ffff', 'never_staged', false],
      ['20261121-101502-notes-4f2a', 'in_use', true],
    ]);
    held.close();
  });

  test('are not opened under a name that their header does not have', () => {
    const folder = folderWith('a');
    cpSync(folder.fileOf('a'), folder.fileOf('b'));
    const misnamed = expect.objectContaining({
      code: 'run_misnamed',
      facts: { file: folder.fileOf('b'), run: 'a' },
    }) as Error;
    expect(() => folder.open('b')).toThrow(misnamed);
    expect([...folder.list()]).toMatchObject([
      { id: 'b', state: 'inaccessible', error: misnamed },
      { id: 'a', state: 'never_staged' },
    ]);
  });

  test('are removed with their journals', () => {
    const folder = folderWith('a', 'b');
    writeFileSync(join(folder.path, 'a.sqlite-wal'), '');
    folder.remove('a');
    folder.remove('none');
    expect(readdirSync(folder.path)).toEqual(['b.sqlite']);
  });
});

describe('a folder of runs', () => {
  test('that cannot be listed says so, before anything else', () => {
    const path = join(temporaryFolder(), 'file');
    writeFileSync(path, '');
    const folder = new RunsFolder(path);
    const unreadable = expect.objectContaining({ code: 'run_folder_unreadable' }) as Error;
    expect(() => folder.ids()).toThrow(unreadable);
    expect(() => folder.isKnown).toThrow(unreadable);
    expect(() => folder.alone(() => undefined)).toThrow(unreadable);
    expect(() => [...folder.list()]).toThrow(unreadable);
  });

  test('is known by its runs, or by the index of runs that were removed', () => {
    const folder = folderWith();
    expect(folder.isKnown).toBe(false);
    writeFileSync(folder.historyFile, '');
    expect(folder.isKnown).toBe(true);
    expect(folderWith('a').isKnown).toBe(true);
  });

  test('is kept for one command while it begins a run', () => {
    const folder = folderWith();
    expect(folder.alone(() => existsSync(join(folder.path, 'begin.lock')))).toBe(true);
    expect(folder.alone(() => folder.path)).toBe(folder.path);
  });

  test('has runs whose ids say their shard', () => {
    const shard = { index: 2, count: 4 };
    const folder = folderWith('20261121-101502-notes-4f2a-2of4');
    expect(folder.newId('2026-11-21T10:15:02Z', 'notes', CONTENT, shard)).toBe(
      '20261121-101502-notes-4f2a-2of4-2',
    );
  });

  test('has runs that are opened as they are when they are left so', () => {
    const folder = folderWith('a');
    overwriteTable(folder.fileOf('a'), 'problem');
    folder.open('a', () => true).close();
    expect(() => folder.open('a', ({ header }) => header.id === 'b')).toThrow(
      expect.objectContaining({ code: 'run_damaged' }) as Error,
    );
    // It was closed again.
    folder.open('a', () => true).close();
  });

  test('erases the texts of a finished run when it is listed, and of no other one', async () => {
    const { run, folder } = await stagedRun('transactions', csvFrom('transactions', 'A:1'));
    const hasText = (): boolean => {
      for (const listed of folder.list()) expect(listed.state).toBe('open');
      return readFileSync(folder.fileOf(RUN_ID), 'latin1').includes('"transaction_id":');
    };
    run.close();
    expect(hasText()).toBe(true);
    const opened = folder.open(RUN_ID);
    await drained(opened, new FakePlatform('transactions'));
    opened.close();
    expect([...folder.list()]).toMatchObject([{ state: 'done' }]);
    expect(readFileSync(folder.fileOf(RUN_ID), 'latin1')).not.toContain('"transaction_id":');
  });

  test('does not list a run that is gone by now', () => {
    const folder = folderWith('a', 'b');
    const listed: string[] = [];
    for (const { id } of folder.list()) {
      listed.push(id);
      folder.remove('a');
    }
    expect(listed).toEqual(['b']);
  });

  test('lists no run after a bug', () => {
    const folder = folderWith('a');
    const bug = new Error('a bug');
    folder.open = () => {
      throw bug;
    };
    expect(() => [...folder.list({ takesUp: true })]).toThrow(bug);
  });
});
