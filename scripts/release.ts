// npm run release -- [--again] [--folder FOLDER] [part...]
//
// Builds what a version is published as into the folder release, which is emptied first, and prints a table of it.
//   package      dataimport-VERSION.tgz for npm, checked with publint and attw, and the bill of materials
//   executable   one file for this machine
//   executables  the same for each machine of scripts/release/executable.ts
//   debian       a Debian package of this machine, with man pages; needs dpkg-deb
//   image        an image of this machine, as an OCI archive; needs buildah and root
// `sums` alone keeps the folder, and writes the hashes anew after files were signed.
// Without a part it builds all of them. SHA256SUMS has the hash of each file. It is signed when DATAIMPORT_RELEASE_KEY has an
// Ed25519 key (PEM, PKCS #8). --again builds everything a second time and names the files that differ.
//
// Runs on Linux, because it needs GNU tar.

import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { dateOfCommit, writeArchive } from './release/archive.ts';
import { isInstalled } from './release/command.ts';
import { differences, sha256Of, writeSums } from './release/checksums.ts';
import { buildDebianPackage } from './release/debian-package.ts';
import {
  addSqlite,
  buildExecutable,
  checkStructure,
  executableName,
  nodeOf,
  TARGETS,
  targetOfThisMachine,
  type Target,
} from './release/executable.ts';
import { buildImage } from './release/image.ts';
import { checkPackage, manifestOf, packForNpm, stagePackage } from './release/staged-package.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { version, description } = manifestOf(root);

/** Keeps the Nodes of other machines from one release to the next. */
const NODES = join(tmpdir(), 'dataimport-nodes');

/** A build that parts add their files to. */
interface Build {
  /** The folder of the files that are published. */
  readonly folder: string;
  /** The package as it is packed, with the SQLite of the last target. */
  readonly staged: string;
  /** A folder that is removed afterwards. */
  readonly work: string;
}

const PARTS: Readonly<Record<string, (build: Build) => Promise<void> | void>> = {
  package: ({ folder, staged }) => {
    checkPackage(packForNpm(staged, folder));
    copyFileSync(join(staged, 'dist', 'sbom.cdx.json'), join(folder, `dataimport-${version}.cdx.json`));
  },
  executable: (build) => {
    const target = targetOfThisMachine();
    if (target === undefined)
      throw new Error(`no executable is built for ${process.platform}-${process.arch}`);
    executable(build, target);
  },
  executables: (build) => {
    for (const target of TARGETS) executable(build, target);
  },
  debian: async ({ folder, staged, work }) => {
    const target = targetHere();
    addSqlite(root, staged, target);
    const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
    const facts = { version, description, architecture, date: dateOfCommit(root) };
    const output = join(folder, `dataimport_${version}_${architecture}.deb`);
    await buildDebianPackage(facts, staged, nodeOf(root, target, NODES), work, output);
  },
  image: ({ folder, staged, work }) => {
    const target = targetHere();
    addSqlite(root, staged, target);
    const output = join(folder, `dataimport-${version}-${target.name}-image.tar`);
    buildImage(version, dateOfCommit(root), staged, nodeOf(root, target, NODES), work, output);
  },
};

/** The programs that not every machine has, by the parts that need them. */
const NEEDED: Readonly<Record<string, string>> = { debian: 'dpkg-deb', image: 'buildah' };

/** A missing program is named before the last release is removed. @throws Error */
function assertInstalled(parts: readonly string[]): void {
  const part = parts.find((name) => name in NEEDED && !isInstalled(NEEDED[name]!));
  if (part === undefined) return;
  throw new Error(
    `${NEEDED[part]} is not installed, and the part ${part} needs it; name the other parts to build them without it`,
  );
}

function archiveOf(folder: string, target: string): string {
  return join(folder, `dataimport-${version}-${target}.tar.gz`);
}

function targetHere(): Target {
  const target = targetOfThisMachine();
  if (target === undefined) throw new Error(`nothing is built for ${process.platform}-${process.arch}`);
  return target;
}

function executable({ folder, staged, work }: Build, target: Target): void {
  const place = join(work, target.name);
  const file = join(place, executableName(target));
  addSqlite(root, staged, target);
  buildExecutable(root, staged, nodeOf(root, target, NODES), file);
  checkStructure(root, file, target);
  for (const name of ['LICENSE', 'dist/LICENSES.txt'])
    copyFileSync(join(staged, name), join(place, name.split('/').at(-1)!));
  writeArchive(place, dateOfCommit(root), archiveOf(folder, target.name));
  rmSync(place, { recursive: true });
}

async function build(folder: string, parts: readonly string[]): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'dataimport-release-'));
  try {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const staged = join(work, 'package');
    stagePackage(root, staged);
    for (const part of parts) {
      console.log(`== ${part}`);
      await PARTS[part]!({ folder, staged, work });
    }
    writeSums(folder, process.env['DATAIMPORT_RELEASE_KEY']);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function printTable(folder: string): void {
  for (const name of readdirSync(folder).toSorted()) {
    const megabytes = (statSync(join(folder, name)).size / 1e6).toFixed(2).padStart(8);
    console.log(`${megabytes} MB  ${sha256Of(join(folder, name))}  ${name}`);
  }
}

async function release(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      again: { type: 'boolean', default: false },
      folder: { type: 'string', default: join(root, 'release') },
    },
  });
  const folder = resolve(values.folder);
  if (positionals.join() === 'sums') {
    writeSums(folder, process.env['DATAIMPORT_RELEASE_KEY']);
    printTable(folder);
    return 0;
  }
  const unknown = positionals.filter((name) => !Object.hasOwn(PARTS, name));
  if (unknown.length > 0) {
    console.error(`release: no part ${unknown.join(', ')}; the parts are ${Object.keys(PARTS).join(', ')}`);
    return 2;
  }
  // `executables` includes this machine's.
  const parts =
    positionals.length > 0 ? positionals : Object.keys(PARTS).filter((name) => name !== 'executable');
  assertInstalled(parts);
  await build(folder, parts);
  printTable(folder);
  if (!process.env['DATAIMPORT_RELEASE_KEY'])
    console.log('SHA256SUMS is not signed: DATAIMPORT_RELEASE_KEY is not set.');
  if (!values.again) return 0;
  const second = mkdtempSync(join(tmpdir(), 'dataimport-release-again-'));
  await build(second, parts);
  const differing = differences(folder, second);
  rmSync(second, { recursive: true });
  console.log(
    differing.length === 0
      ? 'A second build has equal files.'
      : `A second build differs: ${differing.join(', ')}`,
  );
  return differing.length === 0 ? 0 : 1;
}

try {
  process.exitCode = await release();
} catch (error) {
  console.error(`release: ${(error as Error).message}`);
  process.exitCode = 1;
}
