import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { lock } from './lock.mjs';
import { environmentWith, pinnedNode } from './node-binary.mjs';
import { run } from './run.mjs';

/**
 * Makes node_modules what package-lock.json says, and resolves with 0, or with the exit code of the npm that
 * failed. Of two runs started together the second waits for the first one's installation and uses it.
 */
export async function installOnce(root) {
  if (missingPackages(root).length === 0) return 0;
  const release = await lock(join(root, '.install.lock'), () => {
    console.error('Another command is installing the dependencies; waiting for it.');
  });
  try {
    return missingPackages(root).length === 0 ? 0 : await install(root);
  } finally {
    release();
  }
}

async function install(root) {
  console.error('Installing the dependencies (npm ci); this is needed once.');
  const exitCode = await npmCi(root, process.execPath);
  const node = pinnedNode(root);
  if (exitCode !== 0 || node === undefined || missingPackages(root).length === 0) return exitCode;

  // On a Node older than an optional package wants, npm leaves that package out. Our Node is there by now.
  console.error(`Node ${process.versions.node} is too old for some of them; once more with our own.`);
  const secondExitCode = await npmCi(root, node);
  const missing = missingPackages(root);
  if (secondExitCode === 0 && missing.length > 0) console.error(`npm has left out ${missing.join(', ')}.`);
  return secondExitCode;
}

function npmCi(root, node) {
  // Development and optional packages are asked for by name because NODE_ENV=production or an `omit` setting
  // would leave out the Node that everything else here runs on. Below errors npm only warns that the old Node
  // it runs on itself would be too old for the packages.
  const args = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];
  const [command, npm] = npmCommand(node);
  // stdout belongs to the script that runs afterwards.
  return run(command, [...npm, ...args], { cwd: root, stdio: ['ignore', 2, 2], env: environmentWith(node) });
}

/** The npm that runs this script, if one does; else the npm on PATH. */
function npmCommand(node) {
  const cli = process.env.npm_execpath;
  if (cli !== undefined && basename(cli) === 'npm-cli.js') return [node, [cli]];
  return process.platform === 'win32' ? ['cmd.exe', ['/d', '/s', '/c', 'npm']] : ['npm', []];
}

/**
 * What package-lock.json lists for this machine and node_modules does not hold, going by the list that npm leaves
 * there when it has finished. Contents are compared, not times: a git checkout changes those. Packages beyond the
 * list may be present.
 */
function missingPackages(root) {
  const path = join(root, 'node_modules', '.package-lock.json');
  const installed = existsSync(path) ? packagesOf(path) : {};
  const libc = libcOfThisMachine();
  return Object.entries(packagesOf(join(root, 'package-lock.json')))
    .filter(([name, wanted]) => name !== '' && isFor(libc, wanted))
    .filter(([name, { version, integrity }]) => {
      const found = installed[name];
      return found === undefined || found.version !== version || found.integrity !== integrity;
    })
    .map(([name]) => name);
}

/** Only an optional package that names this very platform is certain to be wanted here. */
function isFor(libc, wanted) {
  const { optional, os = [], cpu = [] } = wanted;
  if (optional !== true) return true;
  return (
    [os].flat().includes(process.platform) &&
    [cpu].flat().includes(process.arch) &&
    [wanted.libc ?? libc].flat().includes(libc)
  );
}

function libcOfThisMachine() {
  return process.report.getReport().header.glibcVersionRuntime === undefined ? 'musl' : 'glibc';
}

function packagesOf(lockPath) {
  return JSON.parse(readFileSync(lockPath, 'utf8')).packages;
}
