// node scripts/try-release.mjs [--folder FOLDER] [form...]
//
// Installs a release (npm run release) in each form, as an empty user, and runs with each: --version, check, serve with its page,
// push, verify, completion. Prints a table, and ends with 1 when a form or a cell failed. A form is skipped only where this
// machine lacks what installs it. Any Node that the package supports runs this, so that one of several Nodes can be tried.

import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { folder: { type: 'string', default: join(root, 'release') } },
});
const release = resolve(values.folder);
const FILE = ['transactions', 'quickstart/transactions.csv'];
const STEPS = ['--version', 'check', 'serve', 'push', 'verify', 'completion'];
/** The Node that runs this first, so that npm and the command find it. */
const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter);
const isRoot = process.getuid?.() === 0;

/** How to install each form into an empty folder; gives the words that begin a command, or the reason to skip it. */
const FORMS = {
  npm: (place) => {
    run('npm', [
      'install',
      '--global',
      '--no-audit',
      '--no-fund',
      '--prefix',
      place,
      file(/^dataimport-[\d.]+\.tgz$/),
    ]);
    return { words: [join(place, 'bin', 'dataimport')] };
  },
  npx: () => ({ words: ['npx', '--yes', '--package', file(/^dataimport-[\d.]+\.tgz$/), '--', 'dataimport'] }),
  pnpm: (place) => {
    run('npx', ['--yes', 'pnpm@10', 'add', '--dir', place, file(/^dataimport-[\d.]+\.tgz$/)]);
    return { words: [join(place, 'node_modules', '.bin', 'dataimport')] };
  },
  yarn: (place) => {
    run('npx', ['--yes', 'yarn@1.22.22', 'add', '--cwd', place, `file:${file(/^dataimport-[\d.]+\.tgz$/)}`]);
    return { words: [join(place, 'node_modules', '.bin', 'dataimport')] };
  },
  bun: (place) => {
    run('npx', ['--yes', 'bun@1', 'add', '--cwd', place, file(/^dataimport-[\d.]+\.tgz$/)]);
    return { words: [join(place, 'node_modules', '.bin', 'dataimport')] };
  },
  executable: (place) => {
    run('tar', ['-xzf', file(new RegExp(`-${process.platform}-${process.arch}\\.tar\\.gz$`)), '-C', place]);
    return { words: [join(place, 'dataimport')], path: '' };
  },
  debian: (_, later) => {
    if (!isRoot) return { skipped: 'dpkg needs root' };
    if (existsSync('/usr/bin/dataimport')) return { skipped: '/usr/bin/dataimport is there already' };
    later(() => run('dpkg', ['--purge', 'dataimport']));
    run('dpkg', ['--install', file(/\.deb$/)]);
    return { words: ['/usr/bin/dataimport'], path: '' };
  },
  image: (place, later, user) => {
    if (!isRoot) return { skipped: 'buildah needs root' };
    const storage = ['--root', join(place, 'storage'), '--runroot', join(place, 'run')];
    const name = run('buildah', [...storage, 'from', `oci-archive:${file(/-image\.tar$/)}`]).trim();
    later(() => run('buildah', [...storage, 'rm', name]));
    run('chown', ['-R', '10001:10001', user]);
    // What the host has is beside /data, because buildah makes that volume itself.
    const flags = [
      '--volume',
      `${user}:/user`,
      '--workingdir',
      '/user',
      '--env',
      'DATAIMPORT_API_KEY=local-key',
    ];
    return { words: ['buildah', ...storage, 'run', ...flags, name, '--', 'dataimport'] };
  },
};

function file(pattern) {
  const name = readdirSync(release).find((each) => pattern.test(each));
  if (name === undefined) throw new Error(`${release} has no file ${pattern}`);
  return join(release, name);
}

function run(program, args, options = {}) {
  const env = { ...process.env, PATH, STORAGE_DRIVER: 'vfs', BUILDAH_ISOLATION: 'chroot' };
  return execFileSync(program, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env,
    ...options,
  });
}

/** Runs each step with one form. The result of each step: "ok", or the first line of what went wrong. */
async function tried(form) {
  const work = mkdtempSync(join(tmpdir(), `dataimport-try-${form}-`));
  const [place, user] = ['form', 'user'].map((name) => join(work, name));
  const undo = [];
  for (const folder of [place, user]) mkdirSync(folder);
  cpSync(join(root, 'fixtures', 'quickstart'), join(user, 'quickstart'), { recursive: true });
  try {
    const { words, path = PATH, skipped } = FORMS[form](place, (step) => undo.unshift(step), user);
    if (skipped) return { skipped };
    return await steps(words, user, {
      PATH: path,
      HOME: user,
      // The authorities that a network of its own needs are those of the machine, not of the user.
      ...(process.env.NODE_EXTRA_CA_CERTS && { NODE_EXTRA_CA_CERTS: process.env.NODE_EXTRA_CA_CERTS }),
      STORAGE_DRIVER: 'vfs',
      BUILDAH_ISOLATION: 'chroot',
    });
  } catch (error) {
    return { failed: firstLine(error) };
  } finally {
    for (const step of undo) step();
    rmSync(work, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function steps([program, ...first], cwd, env) {
  const results = {};
  const step = async (name, action) => {
    try {
      await action();
      results[name] = 'ok';
    } catch (error) {
      results[name] = firstLine(error);
    }
  };
  const command = (args, more = {}) => run(program, [...first, ...args], { cwd, env: { ...env, ...more } });
  await step('--version', () => command(['--version']));
  await step('check', () => command(['check', ...FILE]));
  await step('completion', () => command(['completion', 'bash']));
  const serve = spawn(
    program,
    [...first, 'serve', '--seed', 'quickstart/seed.yaml', '--port', '0', '--db', ':memory:', '--json'],
    { cwd, env, stdio: ['ignore', 'pipe', 'inherit'], detached: true },
  );
  const ended = new Promise((end) => serve.once('close', end));
  await step('serve', async () => {
    const url = await addressOf(serve);
    const page = await fetch(`${url}/_local/ui/app.js`);
    if (page.status !== 200) throw new Error(`the page answers ${page.status}`);
    const settings = { DATAIMPORT_API_KEY: 'local-key' };
    await step('push', () => command(['push', ...FILE, '--base-url', url], settings));
    await step('verify', () => command(['verify', ...FILE, '--base-url', url, '--ledger', url], settings));
  });
  // As a terminal does: npx passes no signal on.
  if (serve.pid !== undefined) process.kill(-serve.pid, 'SIGINT');
  await ended;
  return results;
}

async function addressOf(serve) {
  for await (const line of createInterface({ input: serve.stdout })) {
    if (line.includes('"ready"')) return JSON.parse(line).url;
  }
  throw new Error('serve ended');
}

function firstLine(error) {
  return (error.stderr || error.message).trim().split('\n')[0];
}

const unknown = positionals.filter((name) => !Object.hasOwn(FORMS, name));
if (unknown.length > 0) {
  console.error(`try-release: no form ${unknown.join(', ')}; the forms are ${Object.keys(FORMS).join(', ')}`);
  process.exit(2);
}
console.log(['form'.padEnd(12), ...STEPS.map((name) => name.padEnd(11))].join(''));
for (const form of positionals.length > 0 ? positionals : Object.keys(FORMS)) {
  const { skipped, failed, ...results } = await tried(form);
  const cells = skipped
    ? [`skipped: ${skipped}`]
    : failed
      ? [`failed: ${failed}`]
      : STEPS.map((name) => (results[name] ?? '-').padEnd(11));
  console.log([form.padEnd(12), ...cells].join(''));
  if (!skipped && STEPS.some((name) => results[name] !== 'ok')) process.exitCode = 1;
}
