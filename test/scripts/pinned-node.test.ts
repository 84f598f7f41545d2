import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { beforeEach, describe, expect, test } from 'vitest';
import { projectRoot } from '../support/source-tree.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const lock = {
  packages: {
    '': { name: 'tiny' },
    'node_modules/needed': { version: '1.0.0', integrity: 'sha512-needed' },
    'node_modules/native': {
      version: '1.0.0',
      integrity: 'sha512-native',
      optional: true,
      os: [process.platform],
      cpu: [process.arch],
    },
    'node_modules/other-platform': {
      version: '1.0.0',
      integrity: 'sha512-other',
      optional: true,
      os: ['aix'],
      cpu: ['ppc64'],
    },
  },
};
const { 'node_modules/needed': needed, 'node_modules/native': native } = lock.packages;
const complete = { packages: { 'node_modules/needed': needed, 'node_modules/native': native } };

/** The file that npm leaves in node_modules when an installation is finished. */
const installedList = join('node_modules', '.package-lock.json');

let root: string;

beforeEach(() => {
  root = temporaryFolder();
  for (const path of ['scripts', 'bin/node-version.js', 'bin/package.json', 'tools/dev/package.json']) {
    cpSync(join(projectRoot, path), join(root, path), { recursive: true });
  }
  write('package-lock.json', lock);
});

function write(path: string, content: unknown): string {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), typeof content === 'string' ? content : JSON.stringify(content));
  return join(root, path);
}

/** Runs a script through pinned-node.mjs, with an npm that notes how it was called and then does `work`. */
function pinned(script: string, args: readonly string[] = [], work = 'installs()') {
  const npm = write(
    'npm-cli.js',
    `const { appendFileSync, existsSync, mkdirSync, symlinkSync, writeFileSync } = require('node:fs');
    function installs(packages = ${JSON.stringify(complete)}) {
      mkdirSync('node_modules', { recursive: true });
      writeFileSync(${JSON.stringify(installedList)}, JSON.stringify(packages));
    }
    appendFileSync('npm-calls', [process.argv0, ...process.argv.slice(2)].join(' ') + '\\n');
    console.log('npm says hello');
    ${work};`,
  );
  const path = write('script.cjs', script);
  return execa(process.execPath, [join(root, 'scripts', 'pinned-node.mjs'), path, ...args], {
    env: { npm_execpath: npm },
    reject: false,
  });
}

function npmCalls(): string[] {
  const path = join(root, 'npm-calls');
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : [];
}

describe('the dependencies', () => {
  test('are installed when they are missing, and npm writes to stderr only', async () => {
    const result = await pinned("console.log('the script')");
    expect(result).toMatchObject({ exitCode: 0, stdout: 'the script' });
    expect(result.stderr).toContain('npm says hello');
    expect(npmCalls()).toEqual([expect.stringMatching(/ ci .*--include=dev --include=optional/)]);
  });

  test('are left alone when they match the lock, except for packages of other platforms', async () => {
    write(installedList, complete);
    expect((await pinned('')).exitCode).toBe(0);
    expect(npmCalls()).toEqual([]);
  });

  test('are installed once by two runs started together when all packages are missing', async () => {
    write(installedList, { packages: {} });
    // npm ends only after the other run has said that it waits.
    const work = `const poll = setInterval(() => {
      if (!existsSync('other-run-waits')) return;
      clearInterval(poll);
      installs();
    }, 10)`;
    const runs = [pinned('', [], work), pinned('', [], work)];
    for (const run of runs) {
      run.stderr.on('data', (text: Buffer) => {
        if (text.includes('Waiting for it')) write('other-run-waits', '');
      });
    }
    const results = await Promise.all(runs);
    expect(results.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    expect(npmCalls()).toHaveLength(1);
    expect(results.filter(({ stderr }) => stderr.includes('Waiting for it'))).toHaveLength(1);
  });
});

describe('the script', () => {
  beforeEach(() => {
    write(installedList, complete);
  });

  test('gets the arguments and the input, and gives its output and exit code', async () => {
    const child = pinned('process.stdin.pipe(process.stdout); process.exitCode = +process.argv[2]', [
      '6',
      'a b',
    ]);
    child.stdin.end('the input');
    expect(await child).toMatchObject({ exitCode: 6, stdout: 'the input', stderr: '' });
  });

  test.each(['SIGINT', 'SIGTERM'] as const)('hears a %s and may finish what it does', async (signal) => {
    const child = pinned(`
      process.on('${signal}', () => setImmediate(() => { console.log('finished'); process.exit(143); }));
      setInterval(() => {}, 1000);
      console.log('ready');
    `);
    child.stdout.once('data', () => child.kill(signal));
    expect(await child).toMatchObject({ exitCode: 143, stdout: 'ready\nfinished' });
  });
});
