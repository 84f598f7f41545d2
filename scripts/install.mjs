import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { lock } from './lock.mjs';
import { environmentWith, pinnedNode } from './node-binary.mjs';
import { run } from './run.mjs';

/**
 * Installs the packages of package-lock.json, and resolves with 0 or with the exit code of the npm that failed. A second
 * run at the same time waits for the installation of the first one and uses it.
 */
export async function installOnce(root) {
  if (missingPackages(root).length === 0) return 0;
  const release = await lock(join(root, '.install.lock'), () => {
    console.error('Another command is installing the dependencies. Waiting for it.');
  });
  try {
    return missingPackages(root).length === 0 ? 0 : await install(root);
  } finally {
    release();
  }
}

async function install(root) {
  console.error('Installing the dependencies (npm ci). This is needed once.');
  const exitCode = await npmCi(root, process.execPath);
  const node = pinnedNode(root);
  if (exitCode !== 0 || node === undefined || missingPackages(root).length === 0) return exitCode;

  // npm leaves out optional packages that need a newer Node. The pinned Node is installed by now.
  console.error(
    `Node ${process.versions.node} is too old for some of them. Installing again with the pinned Node.`,
  );
  const secondExitCode = await npmCi(root, node);
  const missing = missingPackages(root);
  if (secondExitCode === 0 && missing.length > 0) console.error(`npm has left out ${missing.join(', ')}.`);
  return secondExitCode;
}

function npmCi(root, node) {
  // Development and optional packages are named, because NODE_ENV=production or an `omit` setting would leave out the
  // pinned Node. The warnings of npm would only say that the Node it runs on is too old for the packages.
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
 * Packages that package-lock.json lists for this machine and node_modules does not have, by the list that npm writes
 * there when it has finished. Contents are compared and not times, because a git checkout changes times. Other packages
 * may be present.
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

/** An optional package is needed here only if it names this platform. */
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
