// node scripts/build.mjs [folder]
//
// Builds a folder (dist unless named). The folder is emptied first, because npm would pack files of an earlier build.
//   cli/main.js        the command, for bin/start.js
//   cli/csv, cli/journal  the threads that read large files and prove large journals
//   LICENSES.txt       of the packages that are bundled
//   sbom.cdx.json      the bundled packages and the dependencies, in CycloneDX
//   ui/                the page of the local server, with Preact and htm in one file (src/server/routes/page-routes.ts)
//   server/public.mjs  `import { startServer } from 'dataimport/server'`, with its types in server/*.d.ts and server/*.d.mts
//
// Sources and packages are bundled, and as CommonJS, because a start that loads a few files takes half the time
// (`npm run bench -- start` prints it). Only SQLite and DuckDB stay outside, because they are native.

import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { billOfMaterials } from './release/bill-of-materials.mjs';
import { run } from './run.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = resolve(process.argv[2] ?? join(root, 'dist'));

rmSync(folder, { recursive: true, force: true });
[process.exitCode] = await Promise.all([writeTypes('server/public.d.ts'), writeCode()]);

async function writeCode() {
  const bundle = await rolldown({
    cwd: root,
    input: {
      'cli/main': 'src/cli/main.ts',
      'cli/csv/reading-thread-main': 'src/cli/csv/reading-thread-main.ts',
      'cli/journal/proving-thread-main': 'src/cli/journal/proving-thread-main.ts',
      'server/public': 'src/server/public.ts',
    },
    platform: 'node',
    external: ['better-sqlite3', '@duckdb/node-api'],
  });
  const { output } = await bundle.write({
    dir: folder,
    format: 'cjs',
    entryFileNames: '[name].js',
    banner: ({ name }) => (name === 'server/public' ? checkOfNode() : ''),
    // As deep as the entries: src/cli/outside/io.ts and src/server/public.ts look for package.json two folders up.
    chunkFileNames: 'chunks/[name]-[hash].js',
  });
  await bundle.close();
  const isOfPage = (path) => !path.endsWith('.d.ts');
  cpSync(join(root, 'src/server/ui'), join(folder, 'ui'), { recursive: true, filter: isOfPage });
  cpSync(join(root, 'node_modules/htm/preact/standalone.module.js'), join(folder, 'ui/htm.js'));
  const modules = output.flatMap(({ moduleIds = [] }) => moduleIds);
  // The file of htm contains Preact.
  const ofPage = ['htm', 'preact'].map((name) => join(root, 'node_modules', name, 'package.json'));
  const packages = packagesOf([...modules, ...ofPage]);
  writeFileSync(join(folder, 'LICENSES.txt'), licencesOf(packages));
  writeFileSync(
    join(folder, 'sbom.cdx.json'),
    `${JSON.stringify(billOfMaterials(root, packages), undefined, 2)}\n`,
  );
  writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }\n');
  writeFileSync(join(folder, 'server', 'public.mjs'), "export { startServer } from './public.js';\n");
}

/** Another program imports the platform, so no command has checked the version of Node. */
function checkOfNode() {
  return `var reason = require('../../bin/node-version.js').unsupportedReason(process.versions.node, process.execPath);
if (reason) throw new Error('dataimport/server ' + reason);`;
}

/** The folders of the packages that some modules belong to. */
function packagesOf(modules) {
  return [
    ...new Set(modules.flatMap((path) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path) ?? [])),
  ];
}

/** The licences of the bundled packages. They have to accompany every copy of the packages. */
function licencesOf(packages) {
  return packages
    .map((path) => {
      const { name, version, license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
      const file = readdirSync(path).find((entry) => /^licen[cs]e/i.test(entry));
      const text = file === undefined ? license : readFileSync(join(path, file), 'utf8').trim();
      return `${name} ${version}\n\n${text}\n`;
    })
    .join(`\n${'-'.repeat(80)}\n\n`);
}

/**
 * Writes the declarations that the entry needs, and no others. A user's compiler reads these only. A declaration that needs
 * the types of another package is an error, because a user may not have that package.
 */
async function writeTypes(entry) {
  const all = mkdtempSync(join(tmpdir(), 'dataimport-types-'));
  const compiler = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--outDir', all];
  const exitCode = await run(process.execPath, compiler, { cwd: root });
  for (const file of reachable(all, entry)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(all, file), join(folder, file));
  }
  // The entry for `import` is a module of ECMAScript, and so has to be its declaration.
  writeFileSync(join(folder, entry.replace('.d.ts', '.d.mts')), "export * from './public.js';\n");
  rmSync(all, { recursive: true, force: true });
  return exitCode;
}

function reachable(base, file, found = new Set()) {
  if (found.has(file)) return found;
  found.add(file);
  const text = readFileSync(join(base, file), 'utf8');
  for (const [, specifier] of text.matchAll(/(?:from|import\()\s*'([^']*)'/g)) {
    if (!specifier.startsWith('.')) throw new Error(`${file} needs the types of ${specifier}`);
    reachable(base, join(dirname(file), specifier.replace(/\.ts$/, '.d.ts')), found);
  }
  return found;
}
