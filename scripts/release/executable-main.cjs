'use strict';

// The main module of the single executable (scripts/release/executable.ts). The files of the package are its assets. It puts
// them into a private folder of the user, which is named by their hash, and starts the command from there. Each start
// compares every file that is run with its hash.

const { createHash, randomBytes } = require('node:crypto');
const fs = require('node:fs');
const nodeModule = require('node:module');
const { homedir, tmpdir } = require('node:os');
const { dirname, isAbsolute, join } = require('node:path');
const { getAsset, getRawAsset } = require('node:sea');

/** `hash` names the folder; `files` has size, SHA-256 and whether it is run of each file by its path. */
const { hash, files } = JSON.parse(getAsset('files.json', 'utf8'));

const folder = installed();
if (folder === undefined) {
  process.stderr.write(
    'dataimport: needs a folder of this user for its files; set XDG_CACHE_HOME or TMPDIR to one that can be written.\n',
  );
  process.exitCode = 8;
} else {
  nodeModule.enableCompileCache(join(folder, '..', 'compiled'));
  const require = nodeModule.createRequire(join(folder, 'bin', 'dataimport.js'));
  // The command starts itself again for the process of a query.
  const child = join(folder, 'dist', 'cli', 'sources', 'query', 'query-child.js');
  require(process.argv[2] === child ? child : './dataimport.js');
}

function installed() {
  for (const room of rooms()) {
    try {
      if (!isPrivate(room)) continue;
      const place = join(room, hash);
      if (isWhole(place) || install(room, place)) return place;
    } catch {
      // A folder that cannot be written. The next one may be.
    }
  }
  return undefined;
}

/** Folders that may hold the files, the best first. */
function rooms() {
  const { env, getuid } = process;
  const home = homeFolder();
  const caches =
    process.platform === 'win32'
      ? [env.LOCALAPPDATA]
      : [
          env.XDG_CACHE_HOME,
          home && (process.platform === 'darwin' ? join(home, 'Library', 'Caches') : join(home, '.cache')),
        ];
  const temporary = join(tmpdir(), `dataimport-${getuid ? getuid.call(process) : 'cache'}`);
  // An empty HOME leads into the folder where the command is typed.
  const rooms = [...caches.filter(Boolean).map((cache) => join(cache, 'dataimport')), temporary];
  return rooms.filter(isAbsolute);
}

function homeFolder() {
  try {
    return homedir();
  } catch {
    // This user has no entry in the table of users, and HOME is not set.
    return undefined;
  }
}

/** Whether the folder, made if it was missing, is a folder of this user that nobody else may write. */
function isPrivate(room) {
  fs.mkdirSync(room, { recursive: true, mode: 0o700 });
  const stats = fs.lstatSync(room);
  if (!stats.isDirectory()) return false;
  return process.getuid === undefined || (stats.uid === process.getuid() && (stats.mode & 0o022) === 0);
}

function isWhole(place) {
  return Object.entries(files).every(([path, { size, sha256, isRun }]) => {
    const file = join(place, path);
    try {
      if (isRun) return createHash('sha256').update(fs.readFileSync(file)).digest('hex') === sha256;
      return fs.statSync(file).size === size;
    } catch {
      // Missing.
      return false;
    }
  });
}

/** Writes all files and then moves them to their place at once, because another process may do the same. */
function install(room, place) {
  const fresh = join(room, `.${randomBytes(8).toString('hex')}`);
  try {
    for (const path of Object.keys(files)) {
      fs.mkdirSync(dirname(join(fresh, path)), { recursive: true, mode: 0o700 });
      fs.writeFileSync(join(fresh, path), Buffer.from(getRawAsset(path)), { mode: 0o600, flag: 'wx' });
    }
    try {
      fs.renameSync(fresh, place);
    } catch {
      // A folder is there: that of another process, or one that was changed.
      if (isWhole(place)) return true;
      fs.renameSync(place, `${fresh}-old`);
      fs.renameSync(fresh, place);
    }
    return isWhole(place);
  } finally {
    for (const left of [fresh, `${fresh}-old`]) fs.rmSync(left, { recursive: true, force: true });
  }
}
