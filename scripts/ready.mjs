// node scripts/ready.mjs [rounds]
//
// Measures how long `dataimport serve` takes until it is ready, compared with a bare Node that starts and ends, and with a
// server of nothing but HTTP and SQLite, which is the minimum. Builds the package into a temporary folder first, because
// a checkout runs its sources and is slower. The programs take turns, so that other load on the machine hits all alike.
// The budget is 4 times a bare Node.

import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { run } from './run.mjs';

const LEAST = `
const http = require('node:http');
new (require('better-sqlite3'))(':memory:').exec('CREATE TABLE t (c)');
http.createServer(() => {}).listen(0, '127.0.0.1', () => process.stdout.write('ready\\n'));
`;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const rounds = Number(process.argv[2] ?? 21);
const folder = mkdtempSync(join(tmpdir(), 'dataimport-ready-'));

try {
  await run(process.execPath, [join(root, 'scripts', 'build.mjs'), join(folder, 'dist')]);
  for (const name of ['bin', 'package.json'])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir');
  writeFileSync(join(folder, 'least.cjs'), LEAST);

  const serve = ['serve', '--port', '0', '--db', ':memory:', '--json'];
  const starts = {
    'node -e 0': () => untilEnd(['-e', '0']),
    'HTTP and SQLite': () => untilReady([join(folder, 'least.cjs')]),
    'dataimport serve': () => untilReady([join(folder, 'bin', 'dataimport.js'), ...serve]),
  };
  const times = Object.fromEntries(Object.keys(starts).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++)
    for (const [name, start] of Object.entries(starts)) times[name].push(await start());

  const bare = median(times['node -e 0']);
  for (const [name, all] of Object.entries(times)) {
    const middle = median(all);
    console.log(`${name.padEnd(17)} ${middle.toFixed(1).padStart(6)} ms  ${(middle / bare).toFixed(2)}`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

function untilEnd(args) {
  return timed(args, (child, done) => child.once('exit', done));
}

function untilReady(args) {
  // With --json a failure is a document on stdout as well, so wait for the word.
  return timed(args, (child, done) =>
    child.stdout.once('data', (text) => `${text}`.includes('ready') && done()),
  );
}

/** Milliseconds from the start of a process to the moment that `until` reports. The process has ended when this resolves. */
function timed(args, until) {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    let milliseconds;
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    until(child, () => {
      milliseconds = performance.now() - started;
      // Not SIGKILL, because Node keeps its compile cache only when it ends in order.
      child.kill('SIGINT');
    });
    child.once('close', () =>
      milliseconds === undefined
        ? reject(new Error(`${args.join(' ')} ended too early`))
        : resolve(milliseconds),
    );
  });
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1];
}
