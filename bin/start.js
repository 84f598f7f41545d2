'use strict';

const { existsSync } = require('node:fs');
const { enableCompileCache } = require('node:module');
const { join } = require('node:path');

// Keeps the compiled code of the command and its packages on disk: the second start is faster.
enableCompileCache();

// A checkout runs its sources, Node strips the types; an installed package has only dist, which is CommonJS.
const fromSource = existsSync(join(__dirname, '..', 'src', 'cli', 'main.ts'));

Promise.resolve()
  .then(() => (fromSource ? import('../src/cli/main.ts') : require('../dist/cli/main.js')))
  .then(({ main }) => main(process.argv.slice(2)))
  .then(
    (exitCode) => {
      process.exitCode = exitCode;
    },
    (error) => {
      // main reports every failure it knows about, so what arrives here is a bug. Exit at once: whatever is
      // still open (a server, a timer) would keep a broken process alive.
      console.error(error);
      process.exit(1);
    },
  );
