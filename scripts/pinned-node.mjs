// node scripts/pinned-node.mjs <script> [argument...]
//
// Runs a script of this project with the Node that the project is tested with, from any Node 16 or newer, so that a
// fresh clone needs one command and nothing but npm:
//   1. installs the packages of package-lock.json, unless they are installed;
//   2. finds the Node that tools/dev pins, which npm has put into node_modules like any other package;
//   3. runs the script with it. Arguments, streams, signals and exit code pass through unchanged.

import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installOnce } from './install.mjs';
import { environmentWith, pinnedNode } from './node-binary.mjs';
import { run } from './run.mjs';

const { isSupported } = createRequire(import.meta.url)('../bin/node-version.js');

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [script, ...args] = process.argv.slice(2);

process.exitCode = script === undefined ? usage() : (await installOnce(root)) || (await runPinned());

function usage() {
  console.error('usage: node scripts/pinned-node.mjs <script> [argument...]');
  return 2;
}

async function runPinned() {
  const node = pinnedNode(root) ?? (isSupported(process.versions.node) ? process.execPath : undefined);
  if (node === undefined) {
    console.error(
      `There is no Node for ${process.platform}-${process.arch} in node_modules, and this one ` +
        `(${process.versions.node}, ${process.execPath}) is too old; ` +
        'install the current LTS from https://nodejs.org/ and run the command again.',
    );
    return 2;
  }
  return run(node, [script, ...args], { env: environmentWith(node) });
}
