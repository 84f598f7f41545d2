import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { COMMANDS } from '../../src/cli/program/command-list.ts';
import { COMMAND } from '../support/built-cli.ts';
import { migration } from '../support/migration.ts';
import { SMALL_FIXTURE, writeFixture } from '../support/replay-fixture.ts';
import { typingProcess } from '../support/typing-process.ts';

/** A user that /etc/passwd does not have, as containers run with. */
const NAMELESS = { uid: 12_345, gid: 12_345 };
const FAULT = 'notes accept status=503';
const isRoot = process.getuid?.() === 0;
if (!isRoot) process.stderr.write('nameless-user: skipped, because only root becomes another user\n');

/** Starts the command as a process of its own. */
function started(words: readonly string[], cwd: string, env: Readonly<Record<string, string>>) {
  const command = [COMMAND, ...words];
  const options = { cwd, env, ...NAMELESS, input: '', stdio: 'pipe', encoding: 'utf8' } as const;
  return execFileSync(process.execPath, command, options);
}

const typing = isRoot ? typingProcess(NAMELESS) : undefined;
afterAll(() => typing?.end());

/** A folder of root that others may read and not write. */
function readOnlyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'dataimport-read-only-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFixture(folder, {
    'expected.yaml': null,
    'night.yaml': 'version: 1\nsupplier: ACME\nresources: { transactions: { files: [transactions.csv] } }\n',
    'faults.yaml': `version: 1\nrules: [${FAULT}]\n`,
  });
  writeFileSync(join(folder, 'dataimport.config.yaml'), 'batchSize: 10\n');
  chmodSync(folder, 0o755);
  return folder;
}

describe.skipIf(!isRoot)('a user without a name, a home folder and rights', () => {
  test.each([{}, { TMPDIR: '/missing' }])('checks a file, with %j', (env) => {
    const shown = started(['check', 'transactions', 'transactions.csv'], readOnlyFolder(), env);
    expect(shown).toContain('3 rows read: 3 valid');
  });

  test.each<[string[], Record<string, string>, string]>([
    [['demo'], {}, 'file_not_writable'],
    [['replay', '.', '--update'], {}, 'file_not_readable'],
    [['replay', 'transactions.csv'], {}, 'document_invalid'],
    [['check', 'transactions', '-'], { TMPDIR: '/missing' }, 'run_not_writable'],
    [['init', 'transactions.csv', '--resource', 'transactions'], {}, 'file_not_writable'],
    [['serve', '--port', '0', '--db', 'x.sqlite'], {}, 'database_unusable'],
  ])('gets the reason from %j with %j', async (words, env, code) => {
    const folder = readOnlyFolder();
    const { exit, stdout, stderr } = await typing!.typed({ words, cwd: folder, env });
    const shown = stdout + stderr;
    expect(shown).toContain(`error ${code} `);
    expect(shown).not.toMatch(/this is a bug|^ +at /m);
    expect(exit).not.toBe(0);
    expect(existsSync(join(folder, 'x.sqlite'))).toBe(false);
  });
});

describe.skipIf(!isRoot)('a user whose HOME is that of another user', () => {
  /** A home folder of root with settings that would end every command, with these rights. */
  function homeOfRoot(mode: number): string {
    const home = mkdtempSync(join(tmpdir(), 'dataimport-home-'));
    onTestFinished(() => rmSync(home, { recursive: true }));
    mkdirSync(join(home, '.config', 'dataimport'), { recursive: true });
    writeFileSync(join(home, '.config', 'dataimport', 'config.yaml'), 'batchSize: none\n');
    chmodSync(home, mode);
    return home;
  }
  /** A process of its own, because a process looks for its home folder once. */
  function checked(HOME: string) {
    const words = [COMMAND, 'check', 'transactions', 'transactions.csv'];
    const options = { cwd: readOnlyFolder(), env: { HOME }, ...NAMELESS, encoding: 'utf8' } as const;
    const { status: exit, stderr } = spawnSync(process.execPath, words, options);
    return { exit, stderr };
  }

  test('goes on without the settings there when it may not be read, and says so once', () => {
    const { exit, stderr } = checked(homeOfRoot(0o700));
    expect(exit).toBe(0);
    expect(
      stderr.match(/^No settings of your own are used: this user may not read .*config\.yaml/gm),
    ).toHaveLength(1);
  });

  test('gets the settings there when root lets every user read them', () => {
    const { exit, stderr } = checked(homeOfRoot(0o755));
    expect(exit).toBe(2);
    expect(stderr).toContain('the setting batchSize (');
  });

  test('is told nothing where no settings are, and is not asked for rights to its own folder', () => {
    const home = homeOfRoot(0o755);
    rmSync(join(home, '.config'), { recursive: true });
    expect(checked(home)).toEqual({ exit: 0, stderr: '' });
  });
});

/** Words for every command, so that each reads and writes what it can. The files are those of `readOnlyFolder`. */
const EVERY: Readonly<Record<string, string>> = {
  init: '',
  check: 'transactions transactions.csv --rejects rejected.csv',
  push: 'transactions transactions.csv',
  migrate: 'night.yaml',
  resume: '',
  verify: 'transactions transactions.csv',
  'contract import': 'openapi.yaml --out contract.json',
  'contract show': '',
  'contract diff': 'contract.json contract.json',
  runs: '',
  'runs show': 'RUN',
  'runs confirm': 'RUN --arrived --by Ada',
  'runs forget': 'RUN --force',
  status: '1 --supplier ACME',
  accounts: '--supplier ACME',
  auth: '',
  inspect: 'transactions.csv',
  demo: '',
  parity: 'pilot.jsonl --seed seed.yaml',
  serve: '--port 0 --db x.sqlite',
  replay: '.',
  try: '--seed seed.yaml --runs 1 -- false',
  'admin supplier': '',
  'admin accounts': '',
  'admin account': 'show 1 --supplier ACME',
  'admin reset': '',
  'admin faults': '',
  'admin clock': '',
  'admin snapshot': 'save one',
  'admin ledger': '',
  'admin requests': '',
  config: '',
  schema: 'mapping',
  completion: 'bash',
  explain: 'invalid',
};

describe.skipIf(!isRoot)('every command of a user without a name, a home folder and rights', () => {
  test('is in the list of this test', () => {
    expect(Object.keys(EVERY)).toEqual(COMMANDS.map(({ name }) => name));
  });

  test.each(['of nobody', 'of another user', 'of this user'])(
    'ends with a reason in a folder that can only be read, beside runs %s',
    { timeout: 240_000 },
    async (whose) => {
      const folder = readOnlyFolder();
      const site = await migration(SMALL_FIXTURE['seed.yaml']);
      const env = site.io().env as Readonly<Record<string, string>>;
      const runs = join(folder, '.dataimport', 'journal');
      let run = '20261121-101502-transactions-0000';
      if (whose !== 'of nobody') {
        const pushed = await site.cliIn(
          { cwd: folder },
          'push',
          'transactions',
          'transactions.csv',
          '--json',
        );
        run = (pushed.json() as { run: string }).run;
        const owner = whose === 'of this user' ? NAMELESS.uid : 0;
        for (const path of [...readdirSync(runs).map((name) => join(runs, name)), runs, dirname(runs)]) {
          chownSync(path, owner, owner);
          chmodSync(path, statSync(path).isFile() ? 0o400 : 0o500);
        }
      }
      const lines = Object.entries(EVERY).map(([name, words]) =>
        `${name} ${words.replaceAll('RUN', run)}`
          .trim()
          .split(' ')
          .map((word) => word.replace('FAULT', FAULT)),
      );
      const ended = [];
      for (const words of lines) ended.push({ words, ...(await typing!.typed({ words, cwd: folder, env })) });
      const wrong = ended.filter(({ exit, stderr }) => {
        const isReason = exit === 0 || /error \w+ |next: /.test(stderr);
        return exit === 1 || !isReason || /this is a bug|^ +at |error usage /m.test(stderr);
      });
      expect(wrong).toEqual([]);
      // Reading works, so the reasons are not those of a machine on which nothing works.
      expect(ended.filter(({ exit }) => exit === 0).length).toBeGreaterThan(lines.length / 3);
    },
  );
});
