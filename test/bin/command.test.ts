import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { COMMAND, dataimportInShell, PACKAGE } from '../support/built-cli.ts';
import { projectRoot } from '../support/source-tree.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const bin = join(projectRoot, 'bin', 'dataimport.js');

/** An installed package without sources, whose compiled main module is the given text. */
function installedWith(main: string): string {
  const folder = temporaryFolder();
  cpSync(join(projectRoot, 'bin'), join(folder, 'bin'), { recursive: true });
  mkdirSync(join(folder, 'dist', 'cli'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'dist', 'cli', 'main.js'), main);
  return join(folder, 'bin', 'dataimport.js');
}

/** Folders of a user that would be folders of the project. */
const NO_HOMES = [{ HOME: '' }, { HOME: '.' }, { XDG_CACHE_HOME: '.cache', XDG_CONFIG_HOME: '.config' }];

describe('on an unsupported Node', () => {
  test('one sentence names the needed version, this version, its path and the next step', async () => {
    const preload = join(temporaryFolder(), 'old-node.cjs');
    writeFileSync(
      preload,
      `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '22.18.0' } });`,
    );
    const installed = installedWith('');
    const result = await execa(process.execPath, ['-r', preload, installed, '--version'], { reject: false });
    expect(result.exitCode).toBe(2);
    expect(result.stdout).toBe('');
    expect(result.stderr).toBe(
      'dataimport: needs Node.js 22.19 or later in 22, 24, or 26 and newer, ' +
        `but this is 22.18.0 (${process.execPath}); ` +
        'install the current LTS from https://nodejs.org/ and run the command again.',
    );
    // A checkout has a Node of its own, which passes on how the command ends.
    const own = await execa(process.execPath, ['-r', preload, bin, 'no-command'], { reject: false });
    expect(own).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('unknown command') as string });
  });
});

describe('the supported versions', () => {
  const { isSupported } = createRequire(import.meta.url)('../../bin/node-version.js') as {
    isSupported: (version: string) => boolean;
  };

  test('are the engines of package.json', () => {
    const { engines } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
      engines: { node: string };
    };
    // When this changes, the table below and bin/node-version.js change with it.
    expect(engines.node).toBe('^22.19.0 || ^24.0.0 || >=26.0.0');
  });

  test.each([
    ['0.10.48', false],
    ['20.20.2', false],
    ['22.18.0', false],
    ['22.19.0', true],
    ['22.23.0', true],
    ['23.11.1', false],
    ['24.0.0', true],
    ['24.14.0', true],
    ['25.9.0', false],
    ['26.0.0', true],
    ['27.1.0-nightly', true],
    ['100.0.0', true],
  ])('%s: %s', (version, supported) => {
    expect(isSupported(version)).toBe(supported);
  });
});

test('a program that imports the platform on another Node reads which it needs', async () => {
  const old =
    "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } });";
  for (const load of ["require('dataimport/server')", "import('dataimport/server')"]) {
    const { stderr, exitCode } = await execa(process.execPath, ['-e', old + load], {
      cwd: PACKAGE,
      reject: false,
    });
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringContaining(
        'Error: dataimport/server needs Node.js 22.19 or later in 22, 24, or 26 and newer',
      ),
    ]);
  }
});

describe('an incomplete copy ends with one sentence', () => {
  const sources = (folder: string): void => {
    mkdirSync(join(folder, 'src', 'cli'), { recursive: true });
    writeFileSync(join(folder, 'src', 'cli', 'main.ts'), "throw new Error('started');");
  };

  test.each([
    ['packed without its build', () => {}, /^dataimport: this package was .* `npm run release` .*\.$/],
    [
      'a checkout without packages',
      sources,
      /^dataimport: this checkout has .* `npm ci --include=dev` in \/.*\.$/,
    ],
  ])('%s', async (_, fill, sentence) => {
    const folder = temporaryFolder();
    cpSync(join(projectRoot, 'bin'), join(folder, 'bin'), { recursive: true });
    fill(folder);
    const command = [join(folder, 'bin', 'dataimport.js'), '--version'];
    const result = await execa(process.execPath, command, { reject: false });
    expect(result).toMatchObject({ exitCode: 2, stdout: '' });
    expect(result.stderr).toMatch(sentence);
  });
});

describe('on a supported Node', () => {
  test.skipIf(process.platform === 'win32')(
    'the compiled code is kept in a private folder of the user, and nowhere else',
    async () => {
      const [home, shared] = [temporaryFolder(), temporaryFolder()];
      const command = installedWith('export async function main() { return 6; }');
      const start = async (): Promise<readonly string[]> => {
        const env = { HOME: home, TMPDIR: shared };
        await execa(process.execPath, [command], { env, extendEnv: false, reject: false });
        return readdirSync(compiled);
      };
      const caches = process.platform === 'darwin' ? join('Library', 'Caches') : '.cache';
      const compiled = join(home, caches, 'dataimport', 'compiled');
      expect(await start()).toHaveLength(1);
      rmSync(compiled, { recursive: true });
      // Somebody else could have put code there.
      mkdirSync(compiled);
      chmodSync(compiled, 0o777);
      expect(await start()).toEqual([]);
      expect(readdirSync(shared)).toEqual([]);
    },
  );

  test.skipIf(process.platform === 'win32')('no file of the project is a file of the user', async () => {
    const [cwd, home] = [temporaryFolder(), temporaryFolder()];
    const show = async (env: Readonly<Record<string, string>>): Promise<string> => {
      const options = { cwd, env, extendEnv: false, reject: false };
      return (await execa(process.execPath, [COMMAND, 'config', '--json'], options)).stdout;
    };
    for (const above of [cwd, home]) {
      mkdirSync(join(above, '.config', 'dataimport'), { recursive: true });
      writeFileSync(join(above, '.config', 'dataimport', 'config.yaml'), 'apiKeyCommand: echo key\n');
    }
    for (const folders of NO_HOMES) {
      expect(await show({ HOME: home, ...folders }), JSON.stringify(folders)).not.toContain(
        'key from apiKeyCommand',
      );
      expect(existsSync(join(cwd, '.cache'))).toBe(false);
    }
    // The same file in a home folder counts.
    expect(await show({ HOME: home, XDG_CONFIG_HOME: join(home, '.config') })).toContain(
      'key from apiKeyCommand',
    );
  });

  test('main gets the arguments, and its result is the exit code', async () => {
    const main = 'export async function main(argv) { console.log(JSON.stringify(argv)); return 6; }';
    const result = await execa(process.execPath, [installedWith(main), 'push', '--json', ''], {
      reject: false,
    });
    expect(result).toMatchObject({ exitCode: 6, stdout: '["push","--json",""]', stderr: '' });
  });

  test.each([
    [
      'main rejects',
      "export async function main() { setInterval(() => {}, 1000); throw new Error('lost'); }",
    ],
    ['main cannot be loaded', "throw new Error('lost');"],
  ])('when %s, the stack is printed and the exit code is 1', async (_, main) => {
    const result = await execa(process.execPath, [installedWith(main)], { reject: false });
    expect(result).toMatchObject({ exitCode: 1, stdout: '' });
    expect(result.stderr).toMatch(/Error: lost\n\s+at .*main\.js/);
  });

  test('a checkout runs its sources', async () => {
    const result = await execa(process.execPath, [bin, '--version'], { reject: false });
    expect(result).toMatchObject({ exitCode: 0, stderr: '' });
  });
});

test.skipIf(process.platform === 'win32')(
  'a folder that was deleted is named in two lines, whatever is typed',
  async () => {
    for (const word of ['--version', 'runs']) {
      const { exitCode, stderr } = await dataimportInShell('mkdir gone && cd gone && rmdir "$PWD"', [word], {
        cwd: temporaryFolder(),
      });
      expect({ exitCode, lines: stderr.trimEnd().split('\n') }).toEqual({
        exitCode: 2,
        lines: [
          expect.stringContaining('the current folder cannot be read: it was deleted'),
          expect.stringMatching(/^next: /),
        ],
      });
    }
  },
);
