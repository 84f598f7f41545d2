import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectRoot } from '../support/source-tree.ts';

const manifest = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
  version: string;
  files: string[];
};

/** Installing asks the registry for what the cache does not have. */
const INSTALL_TIMEOUT_MS = 300_000;

/** The Node of this run first, so that npm and the command's `env node` find it. */
const env = { PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter) };

let work: string;
let installed: string;

// Built and packed from a copy: the checkout's own dist belongs to whoever works in it.
beforeAll(async () => {
  work = mkdtempSync(join(realpathSync(tmpdir()), 'dataimport-tarball-'));
  const staged = join(work, 'staged');
  installed = join(work, 'installed');
  mkdirSync(staged);
  mkdirSync(installed);

  const shipped = [
    'package.json',
    'README.md',
    'LICENSE',
    ...manifest.files.filter((path) => path !== 'dist'),
  ];
  for (const path of shipped.filter((name) => existsSync(join(projectRoot, name)))) {
    cpSync(join(projectRoot, path), join(staged, path), { recursive: true });
  }
  await execa(process.execPath, [join(projectRoot, 'scripts', 'build.mjs'), join(staged, 'dist')]);
  await npm(staged, ['pack', '--pack-destination', work]);

  const tarball = readdirSync(work).find((name) => name.endsWith('.tgz')) ?? 'no tarball';
  const options = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
  await npm(installed, ['install', '--prefix', installed, ...options, join(work, tarball)]);
}, INSTALL_TIMEOUT_MS);

afterAll(() => {
  rmSync(work, { recursive: true, force: true, maxRetries: 3 });
});

async function npm(cwd: string, args: readonly string[]): Promise<void> {
  await execa('npm', args, { cwd, env });
}

function dataimport(...args: readonly string[]) {
  return execa(join(installed, 'node_modules', '.bin', 'dataimport'), args, {
    cwd: installed,
    env,
    reject: false,
  });
}

test('the installed command says its version', async () => {
  expect(await dataimport('--version')).toMatchObject({ exitCode: 0, stdout: manifest.version, stderr: '' });
});

test('the installed demo imports everything it brings', async () => {
  const result = await dataimport('demo');
  expect(result).toMatchObject({ exitCode: 0 });
  expect(result.stdout).toContain('to the penny');
});

test('the package holds what is needed to run, and no sources', () => {
  const contents = readdirSync(join(installed, 'node_modules', 'dataimport'));
  expect(contents).toEqual(expect.arrayContaining(['bin', 'dist', 'package.json']));
  expect(contents).not.toContain('src');
});
