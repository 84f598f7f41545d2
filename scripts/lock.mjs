import { readFileSync, rmSync, writeFileSync } from 'node:fs';

const POLL_MS = 300;

/**
 * Waits until the file can be created, and resolves with the function that removes it. Calls `onWait` once if another
 * process has the file. The file of a process that died is taken over.
 */
export async function lock(path, onWait) {
  for (let waiting = false; !create(path); waiting = true) {
    if (isAbandoned(path)) {
      rmSync(path, { force: true });
      continue;
    }
    if (!waiting) onWait();
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return () => rmSync(path, { force: true });
}

function create(path) {
  try {
    writeFileSync(path, `${process.pid}\n`, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function isAbandoned(path) {
  try {
    const pid = Number(readFileSync(path, 'utf8'));
    // An empty file was created this moment and is not written yet. Signal 0 only asks whether the process exists.
    return pid !== 0 && !process.kill(pid, 0);
  } catch (error) {
    return error.code === 'ESRCH';
  }
}
