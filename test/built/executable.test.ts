import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import {
  addSqlite,
  buildExecutable,
  checkStructure,
  nodeOf,
  TARGETS,
  targetOfThisMachine,
} from '../../scripts/release/executable.ts';
import { PACKAGE } from '../support/built-cli.ts';
import { firstRows } from '../support/quickstart.ts';
import { projectRoot } from '../support/source-tree.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const target = targetOfThisMachine();
const transactions = ['transactions', 'quickstart/transactions.csv'];

/** Skipped on machines that no executable is built for, and with a Node that cannot build one. */
describe.skipIf(target === undefined || Number.parseInt(process.versions.node) < 26)('the executable', () => {
  let work: string;
  let file: string;
  let folder: string;
  let cache: string;

  beforeAll(() => {
    work = mkdtempSync(join(realpathSync(tmpdir()), 'dataimport-executable-'));
    const staged = join(work, 'package');
    // node_modules of the package is that of the checkout.
    cpSync(PACKAGE, staged, { recursive: true, filter: (path) => path !== join(PACKAGE, 'node_modules') });
    addSqlite(projectRoot, staged, target!);
    file = join(work, 'dataimport');
    buildExecutable(projectRoot, staged, nodeOf(projectRoot, target!, join(work, 'node')), file);
  });

  afterAll(() => rmSync(work, { recursive: true, force: true }));

  beforeEach(() => {
    folder = temporaryFolder();
    cache = temporaryFolder();
    cpSync(join(projectRoot, 'fixtures', 'quickstart'), join(folder, 'quickstart'), { recursive: true });
    firstRows('transactions', 20, join(folder, 'quickstart'));
  });

  /** Runs it without Node and HOME. */
  const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    execa(file, args, {
      cwd: folder,
      env: { PATH: '', XDG_CACHE_HOME: cache, TMPDIR: folder, ...env },
      extendEnv: false,
      reject: false,
    });

  /** The folder that it has put its files into. */
  const installed = (): string =>
    join(
      cache,
      'dataimport',
      readdirSync(join(cache, 'dataimport')).find((name) => name.length === 32)!,
    );

  test('checks, serves with its page, pushes, verifies and completes, without Node and HOME', async () => {
    expect(await run(['check', ...transactions])).toMatchObject({ exitCode: 0, stderr: '' });
    const serve = run([
      'serve',
      '--seed',
      'quickstart/seed.yaml',
      '--port',
      '0',
      '--db',
      ':memory:',
      '--json',
    ]);
    onTestFinished(() => void serve.kill('SIGKILL'));
    for await (const line of serve) {
      if (!line.includes('"ready"')) continue;
      const { url } = JSON.parse(line) as { url: string };
      const pages = ['', '/app.js', '/htm.js'].map(
        async (name) => (await fetch(`${url}/_local/ui${name}`)).status,
      );
      expect(await Promise.all(pages)).toEqual([200, 200, 200]);
      const settings = { DATAIMPORT_BASE_URL: url, DATAIMPORT_API_KEY: 'local-key' };
      expect(await run(['push', ...transactions], settings)).toMatchObject({ exitCode: 0 });
      expect(await run(['verify', ...transactions, '--ledger', url], settings)).toMatchObject({
        exitCode: 0,
      });
      serve.kill('SIGINT');
    }
    expect((await run(['completion', 'bash'])).stdout).toContain('dataimport');
    const docs = /^The folder docs: (.+)$/m.exec((await run(['--help'])).stdout)![1]!;
    expect(docs).toBe(join(installed(), 'docs'));
    expect(existsSync(join(docs, 'runs.md'))).toBe(true);
  });

  test('replaces files of it that were changed, and puts a file back that was removed', async () => {
    await run(['--version']);
    const changed = [
      'dist/cli/main.js',
      'dist/cli/csv/reading-thread-main.js',
      `node_modules/better-sqlite3/prebuilds/${target!.name}.node`,
    ].map((path) => join(installed(), path));
    const bytes = changed.map((path) => readFileSync(path));
    for (const path of changed) appendFileSync(path, "console.log('changed');");
    const page = join(installed(), 'docs', 'runs.md');
    rmSync(page);
    const { stdout, exitCode } = await run(['check', ...transactions]);
    expect({ stdout, exitCode }).toMatchObject({
      exitCode: 0,
      stdout: expect.not.stringMatching(/^changed/m) as string,
    });
    expect(changed.filter((path, index) => !readFileSync(path).equals(bytes[index]!))).toEqual([]);
    expect(existsSync(page)).toBe(true);
    expect(readdirSync(join(cache, 'dataimport'))).toHaveLength(2);
  });

  test('leaves a folder that others may write, and takes the temporary one', async () => {
    mkdirSync(join(cache, 'dataimport'));
    chmodSync(join(cache, 'dataimport'), 0o777);
    expect(await run(['--version'], { HOME: '/dev/null' })).toMatchObject({ exitCode: 0 });
    expect(readdirSync(join(cache, 'dataimport'))).toEqual([]);
    expect(readdirSync(folder).filter((name) => name.startsWith('dataimport-'))).toHaveLength(1);
  });

  test('names the variables when no folder can be written', async () => {
    rmSync(cache, { recursive: true });
    const nowhere = { HOME: '/dev/null', XDG_CACHE_HOME: '/dev/null', TMPDIR: '/dev/null' };
    expect(await run(['--version'], nowhere)).toMatchObject({
      exitCode: 8,
      stderr: expect.stringMatching(/^dataimport: needs a folder .* XDG_CACHE_HOME or TMPDIR/) as string,
    });
  });

  test('is of its own machine and no other', () => {
    checkStructure(projectRoot, file, target!);
    const other = TARGETS.find(({ name }) => name !== target!.name)!;
    expect(() => checkStructure(projectRoot, file, other)).toThrow(`has not the SQLite of ${other.name}`);
    expect(() => checkStructure(projectRoot, process.execPath, target!)).toThrow('has no program');
  });
});
