'use strict';

// The main module of the single executable (scripts/release/executable.ts). The files of the package are its assets. It puts
// them into a private folder of the user, which is named by their hash, and starts the command from there. Each file that is
// run is compared with its hash before it is loaded, and replaced when it differs.

const { createHash, randomBytes } = require('node:crypto');
const fs = require('node:fs');
const nodeModule = require('node:module');
const { homedir, tmpdir } = require('node:os');
const { basename, dirname, isAbsolute, join, relative, sep } = require('node:path');
const { getAsset, getRawAsset } = require('node:sea');

/**
 * `hash` names the folder; `files` has the SHA-256 of each file by its path, and whether a thread of its own loads it, which knows
 * nothing of this module.
 */
const { hash, files } = JSON.parse(getAsset('files.json', 'utf8'));

const folder = installed();
if (folder === undefined) {
  process.stderr.write(
    'dataimport: needs a folder of this user for its files; set XDG_CACHE_HOME or TMPDIR to one that can be written.\n',
  );
  process.exitCode = 8;
} else {
  nodeModule.enableCompileCache(join(folder, '..', 'compiled'));
  checkWhatIsLoaded();
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
      if (!isThere(place)) install(room, place);
      for (const path of Object.keys(files)) if (files[path].isOfThread) repair(place, path);
      return place;
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

/** Whether all files are there. Reading folders takes a tenth of the time of asking for each file. */
function isThere(place) {
  const found = new Map();
  return Object.keys(files).every((path) => {
    const within = dirname(path);
    if (!found.has(within)) found.set(within, new Set(namesIn(join(place, within))));
    return found.get(within).has(basename(path));
  });
}

function namesIn(path) {
  try {
    return fs.readdirSync(path);
  } catch {
    // Missing.
    return [];
  }
}

/** Compares each file of the package before Node loads it. */
function checkWhatIsLoaded() {
  for (const [end, load] of Object.entries(nodeModule._extensions))
    nodeModule._extensions[end] = (module, file) => {
      const path = relative(folder, file).replaceAll(sep, '/');
      if (Object.hasOwn(files, path)) repair(folder, path);
      return load(module, file);
    };
}

/** Writes a file anew when it is not what was packed. */
function repair(place, path) {
  const file = join(place, path);
  if (createHash('sha256').update(fs.readFileSync(file)).digest('hex') === files[path].sha256) return;
  const fresh = `${file}.${randomBytes(8).toString('hex')}`;
  write(fresh, path);
  fs.renameSync(fresh, file);
}

function write(file, path) {
  fs.writeFileSync(file, Buffer.from(getRawAsset(path)), { mode: 0o600, flag: 'wx' });
}

/** Writes all files and then moves them to their place at once, because another process may do the same. */
function install(room, place) {
  const fresh = join(room, `.${randomBytes(8).toString('hex')}`);
  try {
    for (const path of Object.keys(files)) {
      fs.mkdirSync(dirname(join(fresh, path)), { recursive: true, mode: 0o700 });
      write(join(fresh, path), path);
    }
    try {
      fs.renameSync(fresh, place);
    } catch {
      // A folder is there: that of another process, or one that was changed.
      if (isThere(place)) return;
      fs.renameSync(place, `${fresh}-old`);
      fs.renameSync(fresh, place);
    }
  } finally {
    for (const left of [fresh, `${fresh}-old`]) fs.rmSync(left, { recursive: true, force: true });
  }
}
