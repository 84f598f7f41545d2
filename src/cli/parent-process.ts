import { fstatSync } from 'node:fs';
import type { Readable } from 'node:stream';

/** How often the parent is looked for, in milliseconds: nothing tells a process that its parent was killed. */
const LOOK_EVERY_MS = 250;

/** What shows that the process that started this one has ended. */
export interface ParentSigns {
  /** Id of the parent; an orphan gets another one. On Windows it never changes. */
  readonly parentId: () => number;
  readonly stdin: () => Readable;
}

/**
 * Calls back once when the parent has ended, however it ended: this process is an orphan, or the other end of its
 * standard input is gone. The second also tells when the parent is a wrapper (npm, a shell) that outlives the program
 * behind it. Watches until the returned function is called.
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
    // It would keep the process alive.
    input?.destroy();
  };
  const ended = (): void => {
    stop();
    handler();
  };
  const look = setInterval(() => {
    if (parentId() !== parent) ended();
  }, LOOK_EVERY_MS);
  // What comes is of no interest, but without being read a stream has no end.
  input?.once('end', ended).once('error', ended).resume();
  return stop;
}

/** A terminal, a file or /dev/null has an end that says nothing about the parent. */
function isPipe(descriptor: number): boolean {
  try {
    const kind = fstatSync(descriptor);
    return kind.isFIFO() || kind.isSocket();
  } catch {
    return false;
  }
}
