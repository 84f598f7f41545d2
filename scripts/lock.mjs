import { readFileSync, rmSync, writeFileSync } from 'node:fs';

const POLL_MS = 300;

/**
 * Waits until the file could be created, and resolves with the function that removes it again. `onWait` is called
 * once if another process has it. The file of a process that died is taken over.
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
    // Empty: created this moment and not yet written to. Signal 0 only asks whether the process is there.
    return pid !== 0 && !process.kill(pid, 0);
  } catch (error) {
    return error.code === 'ESRCH';
  }
}
