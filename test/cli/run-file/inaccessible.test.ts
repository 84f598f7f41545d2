import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync } from 'node:fs';
import { execa } from 'execa';
import { describe, expect, onTestFinished, test } from 'vitest';
import { RunsFolder } from '../../../src/cli/run-file/runs-folder.ts';
import { COMMAND } from '../../support/built-cli.ts';
import { headerOf, newRun, RUN_ID } from '../../support/push-staged-run.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Rights do not limit root, so root runs the command as the user `nobody`, if that user can read the program. */
const ORDINARY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const hasRights = process.platform !== 'win32' && spawnSync('test', ['-r', COMMAND], ORDINARY).status === 0;

function folderWithRun(): RunsFolder {
  const folder = new RunsFolder(temporaryFolder());
  folder.create(headerOf('notes'), newRun()).close();
  return folder;
}

describe.skipIf(!hasRights)('a run file that this user may not read and write', () => {
  const run = (folder: RunsFolder, ...args: readonly string[]) =>
    execa(process.execPath, [COMMAND, ...args, '--run-dir', folder.path], {
      cwd: '/',
      env: { HOME: '/' },
      reject: false,
      ...ORDINARY,
    });

  /** A run with these rights for everybody. */
  function folderWith(rights: { readonly file: number; readonly folder: number }): RunsFolder {
    const folder = folderWithRun();
    chmodSync(folder.fileOf(RUN_ID), rights.file);
    chmodSync(folder.path, rights.folder);
    onTestFinished(() => chmodSync(folder.path, 0o700));
    return folder;
  }

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
    const folder = folderWith(rights);
    const before = readFileSync(folder.fileOf(RUN_ID));
    // Each command opens the run in the same way, so one of them shows the other answers about a file and a folder.
    const isFirst = rights.file === 0o444 || rights.folder === 0o555;
    for (const command of [['resume', RUN_ID], ...(isFirst ? [['runs', 'show', RUN_ID], ['resume']] : [])]) {
      const { exitCode, stderr } = await run(folder, ...command);
      // What the runs of the folder know of each record is kept beside them.
      const code =
        command[0] === 'resume' && rights.folder !== 0o777 ? 'run_not_writable' : 'run_inaccessible';
      expect([exitCode, stderr]).toEqual([8, expect.stringContaining(`error ${code}`)]);
      expect(stderr).toContain(reason);
      expect(stderr).toMatch(new RegExp(`\nnext: ${remedy}`));
      expect(stderr).not.toMatch(/damaged|start over/);
    }
    if (isFirst) {
      const listed = await run(folder, 'runs');
      expect(listed.exitCode).toBe(0);
      expect(listed.stdout).toMatch(new RegExp(`^  ${RUN_ID}  cannot be opened\\n .*${reason}`, 'm'));
    }
    const { stdout } = await run(folder, 'runs', '--json');
    const state = { state: 'inaccessible', reason: expect.stringContaining(reason) as unknown };
    expect(JSON.parse(stdout)).toMatchObject({ runs: [state] });
    expect(readFileSync(folder.fileOf(RUN_ID)).equals(before)).toBe(true);
  });
});

describe('a disk or a process that cannot open a run file', () => {
  test('too many open files are no damage and no fault of the disk', async () => {
    const folder = folderWithRun();
    const module = new URL('../../../src/cli/run-file/runs-folder.ts', import.meta.url).href;
    const script = `
      import { closeSync, openSync } from 'node:fs';
      import { RunFile } from '${module.replace('runs-folder', 'run-file')}';
      const path = '${folder.fileOf(RUN_ID)}';
      // Everything is loaded, and the run can be opened.
      RunFile.open(path, '${RUN_ID}').close();
      const handles = [];
      try { for (;;) handles.push(openSync('/dev/null')); } catch {}
      // SQLite needs several handles, one after the other, and closes them when it does not get the next one.
      for (let free = 0; free < 6; free++) {
        try { RunFile.open(path, '${RUN_ID}').close(); console.log('opened'); }
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
