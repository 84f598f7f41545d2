'use strict';

const { existsSync } = require('node:fs');
const nodeModule = require('node:module');
const { join, resolve } = require('node:path');

// Keeps the compiled code on disk, so that the second start is faster. Deno, which can run the package, has no such cache.
if (nodeModule.enableCompileCache) nodeModule.enableCompileCache();

// A checkout runs its sources, and Node strips their types. An installed package has only dist, which is CommonJS.
const fromSource = existsSync(join(__dirname, '..', 'src', 'cli', 'main.ts'));
const missing = missingPart();

if (missing) {
  process.stderr.write(`dataimport: ${missing}\n`);
  process.exitCode = 2; // USAGE in the table of exit codes.
} else {
  start();
}

/** The sentence for a user whose copy is incomplete; undefined for a complete one. */
function missingPart() {
  if (!fromSource)
    return existsSync(join(__dirname, '..', 'dist', 'cli', 'main.js'))
      ? undefined
      : 'this package was packed without its build; run `npm run release` in the checkout and install the .tgz file of its folder release.';
  try {
    require.resolve('commander');
    return undefined;
  } catch {
    return `this checkout has no packages for its sources; run \`npm ci --include=dev\` in ${resolve(__dirname, '..')}.`;
  }
}

function start() {
  Promise.resolve()
    .then(() => (fromSource ? import('../src/cli/main.ts') : require('../dist/cli/main.js')))
    .then(({ main }) => main(process.argv.slice(2)))
    .then(
      (exitCode) => {
        process.exitCode = exitCode;
      },
      (error) => {
        // main reports every failure, so this error is a bug. Exit at once, because an open server or timer would keep
        // the broken process alive.
        console.error(error);
        process.exit(1);
      },
    );
}
