// node scripts/build.mjs [folder]
//
// Compiles src into a folder, dist unless named, that holds nothing else afterwards: a file left by an earlier
// build would be packed with the rest.

import { rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './run.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = resolve(process.argv[2] ?? join(root, 'dist'));

rmSync(folder, { recursive: true, force: true });
process.exitCode = await run(
  process.execPath,
  ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--outDir', folder],
  { cwd: root },
);
