import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { EXITS } from '../../src/cli/output/exit-codes.ts';
import { fakeIo, runCli } from '../support/cli-io.ts';
import { migration } from '../support/migration.ts';
import { IMPORTED } from '../support/refused-account.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

// docs/promise.md.

const NOTES = [
  'import_supplier,external_account_number,created_at,body',
  'ACME,1001,2026-01-02T10:00:00Z,rang',
] as const;

test('a number keeps its meaning', () => {
  const numbers = Object.entries(EXITS).map(([name, { code }]) => `${code} ${name}`);
  // Add a line for a new exit. Never change one.
  expect(numbers).toEqual([
    '0 OK',
    '1 BUG',
    '1 DIFFERENT',
    '2 USAGE',
    '3 INPUT_INVALID',
    '4 REFUSED',
    '5 UNFINISHED',
    '6 PARTIAL',
    '7 AUTH',
    '8 RUN_FILE',
    '9 NOTHING_TO_DO',
    '10 BUSY',
    '11 UNRECONCILED',
    '130 INTERRUPTED',
    '143 TERMINATED',
  ]);
});

test('a document of --json says its version', async () => {
  const site = await migration(IMPORTED);
  site.csv('notes.csv', ...NOTES);
  writeFileSync(join(site.cwd, 'cohort.yaml'), 'version: 1\nresources: { notes: { files: [notes.csv] } }\n');
  const seen: [string, unknown][] = [];
  for (const words of [
    ['check', 'notes', 'notes.csv'],
    ['push', 'notes', 'notes.csv'],
    ['migrate', 'cohort.yaml'],
    ['verify'],
    ['runs'],
    ['accounts', '--supplier', 'ACME'],
    ['auth'],
    ['inspect', 'notes.csv'],
    ['init'],
    ['init', 'notes.csv', '--resource', 'notes'],
    ['config'],
    ['explain', 'required'],
    // A failure has one, too.
    ['push', 'notes', 'missing.csv'],
  ]) {
    const { stdout } = await site.cli(...words, '--json');
    seen.push([words.join(' '), (JSON.parse(stdout) as { version?: unknown }).version]);
  }
  expect(seen).toEqual(seen.map(([words]) => [words, 1]));
});

describe('a file of another version', () => {
  test.each([
    [
      'check notes n.csv --map m.yaml',
      'm.yaml',
      'version: 2\nresource: notes\nfields: { body: B }\n',
      'm.yaml:1:10',
    ],
    ['migrate c.yaml', 'c.yaml', 'version: 2\nresources: { notes: { files: [n.csv] } }\n', 'c.yaml:1:10'],
    ['serve --seed s.yaml --port 0', 's.yaml', 'version: 2\n', 's.yaml:1:10'],
    ['contract show --contract c.json', 'c.json', '{\n  "version": 1 }\n', 'c.json:2:14'],
  ])('%s: is refused with its place', async (words, file, text, place) => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, file), text);
    writeFileSync(join(cwd, 'n.csv'), 'B\nrang\n');
    const { exitCode, stderr } = await runCli(words.split(' '), fakeIo({ cwd }));
    expect(exitCode).toBe(2);
    expect(stderr).toContain(place);
    expect(stderr).toMatch(/version/);
  });
});

describe('a journal of another version', () => {
  test.each(['push', 'resume'])(
    'is refused, and the same command sends nothing beside it: %s',
    async (command) => {
      const site = await migration(IMPORTED);
      site.csv('notes.csv', ...NOTES);
      expect((await site.cli('push', 'notes', 'notes.csv')).exitCode).toBe(0);
      const file = globSync(join(site.cwd, '.dataimport/journal/*/*/notes.sqlite'))[0]!;
      const database = new Database(file);
      database.pragma('journal_mode = delete');
      database.pragma('user_version = 17');
      database.close();
      const before = readFileSync(file);
      site.csv('notes.csv', ...NOTES, 'ACME,1001,2026-01-03T10:00:00Z,wrote');
      const words = command === 'push' ? ['push', 'notes', 'notes.csv'] : ['resume'];
      const { exitCode, stderr } = await site.cli(...words);
      expect([exitCode, stderr]).toEqual([8, expect.stringContaining('run_inaccessible')]);
      expect(readFileSync(file).equals(before)).toBe(true);
      expect(await site.ledger()).toHaveLength(1);
    },
  );
});
