import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { execa } from 'execa';
import { describe, expect, onTestFinished, test } from 'vitest';
import { COMMAND } from '../../support/built-cli.ts';
import { Journal } from '../../../src/cli/journal/journal.ts';
import { JournalsFolder } from '../../../src/cli/journal/journals-folder.ts';
import { emptyJournal, journalIn, NOW } from '../../support/push-staged-run.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Rights do not limit root, so root runs the command as the user `nobody`, if that user can read the program. */
const ORDINARY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const hasRights = process.platform !== 'win32' && spawnSync('test', ['-r', COMMAND], ORDINARY).status === 0;

/** A folder with one journal, whose file and its folder have these rights for everybody. */
function folderWith(rights: { readonly file: number; readonly folder: number }) {
  const folder = new JournalsFolder(temporaryFolder());
  const scope = {
    resource: 'notes',
    target: 'https://platform.example',
    database: null,
    supplier: 'ACME',
    shard: null,
  } as const;
  const file = folder.fileOf(scope);
  Journal.empty(file, scope, { toolVersion: '0.0.0', createdAt: NOW }).close();
  const inner = dirname(file);
  for (const path of [folder.path, dirname(inner)]) chmodSync(path, 0o777);
  chmodSync(file, rights.file);
  chmodSync(inner, rights.folder);
  onTestFinished(() => chmodSync(inner, 0o700));
  return { folder, file };
}

describe.skipIf(!hasRights)('a journal that this user may not read and write', () => {
  const run = (folder: JournalsFolder, ...args: readonly string[]) =>
    execa(process.execPath, [COMMAND, ...args, '--run-dir', folder.path], {
      cwd: '/',
      env: { HOME: '/' },
      reject: false,
      ...ORDINARY,
    });

  test.each([
    ['the file can only be read', { file: 0o444, folder: 0o777 }, 'may not be written', 'Make it readable'],
    ['the file can only be written', { file: 0o222, folder: 0o777 }, 'may not be read', 'Make it readable'],
    ['its folder can only be read', { file: 0o666, folder: 0o555 }, 'its folder may not', 'Make the folder'],
    [
      'its folder cannot be searched',
      { file: 0o666, folder: 0o444 },
      'its folder may not',
      'Make the folder',
    ],
  ])('%s: that is the message, nothing is damaged and nothing changes', async (_, rights, reason, remedy) => {
    const { folder, file } = folderWith(rights);
    const before = readFileSync(file);
    const { exitCode, stderr } = await run(folder, 'runs', 'show', '20261121-101502-notes-4f2a');
    expect([exitCode, stderr]).toEqual([8, expect.stringContaining('error run_inaccessible')]);
    expect(stderr).toContain(reason);
    expect(stderr).toMatch(new RegExp(`\nnext: ${remedy}`));
    expect(stderr).not.toMatch(/damaged|start over/);
    const { stdout } = await run(folder, 'runs', '--json');
    const unread = { reason: expect.stringContaining(reason) as unknown };
    expect(JSON.parse(stdout)).toMatchObject({ runs: [], unread: [unread] });
    expect(readFileSync(file).equals(before)).toBe(true);
  });
});

describe('a disk or a process that cannot open a journal', () => {
  test('too many open files are no damage and no fault of the disk', async () => {
    const path = journalIn(emptyJournal());
    const module = new URL('../../../src/cli/journal/journal.ts', import.meta.url).href;
    const script = `
      import { closeSync, openSync } from 'node:fs';
      import { Journal } from '${module}';
      const path = '${path}';
      // Everything is loaded, and the run can be opened.
      Journal.open(path).close();
      const handles = [];
      try { for (;;) handles.push(openSync('/dev/null')); } catch {}
      // SQLite needs several handles, one after the other, and closes them when it does not get the next one.
      for (let free = 0; free < 6; free++) {
        try { Journal.open(path).close(); console.log('opened'); }
        catch (error) { console.log(error.code, error.facts.reason); }
        closeSync(handles.pop());
      }`;
    const argv = [
      '-c',
      'ulimit -n 64 && exec "$@"',
      'sh',
      process.execPath,
      '--input-type=module',
      '-e',
      script,
    ];
    const { stdout } = await execa('sh', argv);
    const ends = stdout.split('\n');
    expect(new Set(ends)).toEqual(new Set(['run_inaccessible too many files are open', 'opened']));
    expect(ends[0]).toBe('run_inaccessible too many files are open');
  });
});
