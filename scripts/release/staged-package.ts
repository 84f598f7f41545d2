import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { command } from './command.ts';

interface Manifest {
  readonly version: string;
  readonly description: string;
  readonly files: readonly string[];
  readonly [key: string]: unknown;
}

/** Keys of package.json that mean something in a checkout only. */
const OF_A_CHECKOUT = new Set(['scripts', 'devDependencies', 'allowScripts']);

/** Checks a package as other programs read it. Run by npx at these versions, because no test needs them. */
const PACKAGE_CHECKS = [
  ['publint@0.3.25', 'run', '--strict'],
  // The package is a module of ECMAScript only, as its engines allow.
  ['@arethetypeswrong/cli@0.18.5', '--profile', 'esm-only'],
] as const;

export function manifestOf(root: string): Manifest {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
}

/** Fills a folder with the package: the files of the last commit that it ships, a README of its own, and a fresh build. */
export function stagePackage(root: string, folder: string): void {
  const { files, ...manifest } = manifestOf(root);
  mkdirSync(folder, { recursive: true });
  const shipped = ['LICENSE', 'CHANGELOG.md', ...files.filter((path) => path !== 'dist')];
  // Files that Git does not know are of this machine, and its modes are those of every machine.
  const listed = command(
    'git',
    ['ls-files', '--stage', '-z', '--', ...shipped.filter((path) => !path.startsWith('!'))],
    {
      cwd: root,
    },
  );
  const omitted = new Set(shipped.filter((path) => path.startsWith('!')).map((path) => path.slice(1)));
  for (const [, mode, path] of listed.matchAll(/(\d+) \w+ \d\t([^\0]+)\0/g)) {
    if (omitted.has(path!)) continue;
    cpSync(join(root, path!), join(folder, path!));
    chmodSync(join(folder, path!), mode === '100755' ? 0o755 : 0o644);
  }
  cpSync(join(import.meta.dirname, 'README.md'), join(folder, 'README.md'));
  const kept = Object.entries({ ...manifest, files }).filter(([key]) => !OF_A_CHECKOUT.has(key));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(Object.fromEntries(kept), undefined, 2)}\n`);
  command(process.execPath, [join(root, 'scripts', 'build.mjs'), join(folder, 'dist')], { cwd: root });
}

/** Packs the staged package for npm. Its path. */
export function packForNpm(staged: string, folder: string): string {
  const [packed] = JSON.parse(
    command('npm', ['pack', '--json', '--pack-destination', folder], { cwd: staged }),
  ) as readonly [{ readonly filename: string }];
  return join(folder, packed.filename);
}

/** @throws Error with the findings of `publint` or `attw` */
export function checkPackage(tarball: string): void {
  for (const [tool, ...args] of PACKAGE_CHECKS) command('npx', ['--yes', tool, ...args, tarball]);
}
