import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { writeFixture } from '../support/replay-fixture.ts';
import { projectRoot } from '../support/source-tree.ts';

/** A user that /etc/passwd does not have, as containers run with. */
const NAMELESS = { uid: 12_345, gid: 12_345 };
const isRoot = process.getuid?.() === 0;
if (!isRoot) process.stderr.write('nameless-user: skipped, because only root becomes another user\n');

function typed(words: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}) {
  try {
    const command = [join(projectRoot, 'bin/dataimport.js'), ...words];
    const options = { cwd, env, ...NAMELESS, input: '', stdio: 'pipe', encoding: 'utf8' } as const;
    return { exit: 0, shown: execFileSync(process.execPath, command, options) };
  } catch (error) {
    const { status, stdout, stderr } = error as { status: number; stdout: string; stderr: string };
    return { exit: status, shown: stdout + stderr };
  }
}

/** A folder of root that others may read and not write. */
function readOnlyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'dataimport-read-only-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFixture(folder, { 'expected.yaml': null });
  writeFileSync(join(folder, 'dataimport.config.yaml'), 'batchSize: 10\n');
  chmodSync(folder, 0o755);
  return folder;
}

describe.skipIf(!isRoot)('a user without a name, a home folder and rights', () => {
  test('checks a file', () => {
    const { exit, shown } = typed(['check', 'transactions', 'transactions.csv'], readOnlyFolder());
    expect([exit, shown]).toEqual([0, expect.stringContaining('3 rows read: 3 valid')]);
  });

  test.each<[string[], Record<string, string>, string]>([
    [['demo'], {}, 'file_not_writable'],
    [['replay', '.', '--update'], {}, 'file_not_writable'],
    [['replay', '.', '--update'], { TMPDIR: '/missing' }, 'temporary_file_not_written'],
    [['check', 'transactions', '-'], { TMPDIR: '/missing' }, 'temporary_file_not_written'],
    [['map', 'init', 'transactions', 'transactions.csv'], {}, 'file_not_writable'],
    [['serve', '--port', '0', '--db', 'x.sqlite'], {}, 'database_unusable'],
    [['config', 'trust'], {}, 'file_not_writable'],
  ])('gets the reason from %j with %j', (words, env, code) => {
    const folder = readOnlyFolder();
    const { exit, shown } = typed(words, folder, env);
    expect(shown).toContain(`error ${code} `);
    expect(shown).not.toMatch(/this is a bug|^ +at /m);
    expect(exit).not.toBe(0);
    expect(existsSync(join(folder, 'x.sqlite'))).toBe(false);
  });
});
