import { fstatSync } from 'node:fs';
import type { Readable } from 'node:stream';

/** Time between two looks for the parent, in milliseconds. The system does not report that a parent was killed. */
const LOOK_EVERY_MS = 250;

/** Signs that the process that started this one has ended. */
interface ParentSigns {
  /** Id of the parent. An orphan gets another parent, except on Windows. */
  readonly parentId: () => number;
  readonly stdin: () => Readable;
}

/**
 * Calls back once when the parent has ended, however it ended: this process is an orphan, or the other end of its standard input is closed.
 * The closed input also shows the end of a program behind a wrapper (npm, a shell) that outlives it. The returned function stops watching.
 */
export function onParentEnd(
  { parentId, stdin }: ParentSigns,
  handler: () => void,
  isStdinPiped = isPipe(0),
): () => void {
  const parent = parentId();
  const input = isStdinPiped ? stdin() : undefined;
  const stop = (): void => {
    clearInterval(look);
    input?.off('end', ended).off('error', ended);
    // An open input would keep the process alive.
    input?.destroy();
  };
  const ended = (): void => {
    stop();
    handler();
  };
  const look = setInterval(() => {
    if (parentId() !== parent) ended();
  }, LOOK_EVERY_MS);
  // A stream has to be read to reach its end. Its content does not matter.
  input?.once('end', ended).once('error', ended).resume();
  return stop;
}

/** The end of a terminal, a file or /dev/null says nothing about the parent. */
function isPipe(descriptor: number): boolean {
  try {
    const kind = fstatSync(descriptor);
    return kind.isFIFO() || kind.isSocket();
  } catch {
    return false;
  }
}
