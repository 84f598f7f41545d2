'use strict';

const { existsSync } = require('node:fs');
const { enableCompileCache } = require('node:module');
const { join } = require('node:path');

// Keeps the compiled code on disk, so that the second start is faster.
enableCompileCache();

// A checkout runs its sources, and Node strips their types. An installed package has only dist, which is CommonJS.
const fromSource = existsSync(join(__dirname, '..', 'src', 'cli', 'main.ts'));

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
