import { closeSync, openSync } from 'node:fs';
import { isOutOfHandles } from '../core/file-reason.ts';

/** How many more files this process may open now (`ulimit -n`), counted up to `most` by opening and closing them. */
export function freeHandles(most: number): number {
  const opened: number[] = [];
  try {
    while (opened.length < most) opened.push(openSync('/', 'r'));
    return most;
  } catch (error) {
    return isOutOfHandles(error) ? opened.length : most;
  } finally {
    for (const handle of opened) closeSync(handle);
  }
}
