// node scripts/check-lock.mjs [folder]
//
// Checks that package-lock.json works for `npm ci` on every machine, not only on the machine that wrote it.

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';

const root = process.argv[2] ?? dirname(dirname(fileURLToPath(import.meta.url)));
const problems = lockProblems(read('package-lock.json'), read('package.json'));

for (const problem of problems) console.error(`package-lock.json: ${problem}`);
if (problems.length === 0)
  console.log(
    'package-lock.json: complete for every platform, of no particular registry, and without install scripts',
  );
process.exitCode = problems.length === 0 ? 0 : 1;

function lockProblems({ packages }, manifest) {
  const locked = Object.entries(packages).map(([path, entry]) => ({ name: nameOf(path), ...entry, path }));
  return [
    ...staleRoot(packages[''], manifest),
    ...missingPlatforms(locked),
    ...addresses(locked),
    ...installScripts(locked),
  ];
}

/** `npm ci` refuses a lock that was not updated together with package.json. */
function staleRoot(entry, manifest) {
  return ['dependencies', 'devDependencies', 'optionalDependencies']
    .filter((kind) => !isDeepStrictEqual(entry[kind] ?? {}, manifest[kind] ?? {}))
    .map((kind) => `${kind} differ from package.json; run npm install`);
}

/**
 * npm silently leaves out a platform's binary that the registry did not have when the lock was written. On that platform
 * `npm ci` fails then, or the tool does not start.
 */
function missingPlatforms(locked) {
  const names = new Set(locked.map(({ name }) => name));
  return locked.flatMap(({ name, version, optionalDependencies = {} }) =>
    Object.entries(optionalDependencies)
      .filter(([needed]) => !names.has(needed))
      .map(([needed, range]) => `${name}@${version} lacks its optional ${needed}@${range}`),
  );
}

/** The address of a registry, or a path of a machine, does not work elsewhere. */
function addresses(locked) {
  return locked
    .filter(({ resolved, link }) => (link === true ? !resolved.startsWith('tools/') : resolved !== undefined))
    .map(({ path, resolved }) => `${path} is tied to ${resolved}`);
}

/** A script of a package would run as the user who installs this one. */
function installScripts(locked) {
  return locked
    .filter(({ hasInstallScript }) => hasInstallScript === true)
    .map(({ name, version }) => `${name}@${version} runs a script when it is installed`);
}

function nameOf(path) {
  return path.replace(/^.*node_modules\//, '');
}

function read(name) {
  return JSON.parse(readFileSync(join(root, name), 'utf8'));
}
