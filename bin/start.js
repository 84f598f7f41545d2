'use strict';

const { existsSync, lstatSync, mkdirSync } = require('node:fs');
const nodeModule = require('node:module');
const { homedir } = require('node:os');
const { isAbsolute, join, resolve } = require('node:path');

// Deno, which can run the package, has no such cache.
if (nodeModule.enableCompileCache) keepCompiled();

// A checkout runs its sources, and Node strips their types. An installed package has only dist, which is CommonJS.
const fromSource = existsSync(join(__dirname, '..', 'src', 'cli', 'main.ts'));
const missing = missingPart();

if (process.env.ENDS_WITH_PARENT && process.channel) {
  delete process.env.ENDS_WITH_PARENT;
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  process.channel.unref();
}

if (missing) {
  process.stderr.write(`dataimport: ${missing}\n`);
  process.exitCode = 2; // USAGE in the table of exit codes.
} else {
  start();
}

/**
 * Keeps the compiled code on disk, so that the second start is faster. Node's own place is below /tmp, where another user can have put
 * code that would run as this one. `NODE_COMPILE_CACHE`, which names another place, has an effect before this file.
 */
function keepCompiled() {
  const { env, platform, getuid } = process;
  // The temporary folder of Windows belongs to the user.
  if (platform === 'win32') return void nodeModule.enableCompileCache();
  try {
    const caches =
      env.XDG_CACHE_HOME || join(homedir(), platform === 'darwin' ? join('Library', 'Caches') : '.cache');
    const own = join(caches, 'dataimport');
    const folder = join(own, 'compiled');
    const isPrivate = (path) => {
      mkdirSync(path, { recursive: true, mode: 0o700 });
      const { uid, mode } = lstatSync(path);
      return uid === getuid.call(process) && (mode & 0o022) === 0;
    };
    // An empty HOME leads into the folder where the command is typed.
    if (isAbsolute(own) && isPrivate(own) && isPrivate(folder)) nodeModule.enableCompileCache(folder);
  } catch {
    // Without a folder of the user every start compiles anew.
  }
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
