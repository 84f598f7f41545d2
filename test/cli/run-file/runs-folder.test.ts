import { closeSync, existsSync, openSync, readdirSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { RunsFolder } from '../../../src/cli/run-file/runs-folder.ts';
import { headerOf } from '../../support/push-staged-run.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const CONTENT = `4f2a${'0'.repeat(60)}`;

/** A folder with runs of these ids, all of the same content. */
function folderWith(...ids: readonly string[]): RunsFolder {
  const folder = new RunsFolder(temporaryFolder());
  for (const id of ids) folder.create({ ...headerOf('notes'), id, contentSha256: CONTENT }).close();
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
    folder.create({ ...headerOf('notes'), id }).close();
  });

  test('is not the id of a run that a dying process left incomplete', () => {
    const folder = folderWith();
    writeFileSync(join(folder.path, '20261121-101502-notes-4f2a.sqlite-new'), '');
    expect(newId(folder)).toBe('20261121-101502-notes-4f2a-2');
    folder.create({ ...headerOf('notes'), id: newId(folder) }).close();
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

  test('are found by content, resource and target, whatever their ids', () => {
    const folder = folderWith('x');
    const wanted = { resource: 'notes', contentSha256: CONTENT, target: 'https://platform.example' } as const;
    const found = (changes: object): readonly string[] =>
      [...folder.runsOf({ ...wanted, ...changes })].map(({ id }) => id);
    expect(found({})).toEqual(['x']);
    expect(found({ resource: 'transactions' })).toEqual([]);
    expect(found({ target: 'https://other.example' })).toEqual([]);
    expect(found({ contentSha256: 'f'.repeat(64) })).toEqual([]);
  });

  test('are not opened for a content that their ids do not name', () => {
    const folder = folderWith('20261121-101502-notes-4f2a', '20261121-101502-notes-ffff');
    const target = 'https://platform.example';
    const found = [...folder.runsOf({ resource: 'notes', contentSha256: CONTENT, target })];
    // Both headers have this content. Only a person can give a run a name that contradicts its header.
    expect(found.map(({ id }) => id)).toEqual(['20261121-101502-notes-4f2a']);
    expect([...folder.list({ resource: 'notes' })]).toHaveLength(2);
    expect([...folder.list({ resource: 'transactions' })]).toEqual([]);
  });

  test('are listed by their headers, and checked when they are taken up', () => {
    const id = '20261121-101502-notes-4f2a';
    const folder = folderWith(id);
    overwriteTable(folder.fileOf(id), 'problem');
    expect([...folder.list()]).toMatchObject([{ id, state: 'never_staged' }]);
    const damaged = expect.objectContaining({ code: 'run_damaged' }) as Error;
    expect(() => folder.open(id)).toThrow(damaged);
    const wanted = { resource: 'notes', contentSha256: CONTENT, target: 'https://platform.example' } as const;
    expect([...folder.runsOf(wanted)]).toEqual([{ id, state: 'damaged', error: damaged }]);
  });

  test('are found by their id while another process has them open', () => {
    const folder = folderWith(
      '20261121-101502-notes-4f2a',
      '20261121-101502-notes-ffff',
      '20261121-101502-notes-4f2a-2',
    );
    const held = folder.ids().map((id) => folder.open(id));
    const wanted = { resource: 'notes', contentSha256: CONTENT, target: 'https://platform.example' } as const;
    expect([...folder.runsOf(wanted)].map(({ id, state }) => `${id} ${state}`)).toEqual([
      '20261121-101502-notes-4f2a-2 in_use',
      '20261121-101502-notes-4f2a in_use',
    ]);
    for (const run of held) run.close();
  });

  test('are removed with their journals', () => {
    const folder = folderWith('a', 'b');
    writeFileSync(join(folder.path, 'a.sqlite-wal'), '');
    folder.remove('a');
    folder.remove('none');
    expect(readdirSync(folder.path)).toEqual(['b.sqlite']);
  });
});
