import { spawn, type ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { childStart } from './io.ts';

/**
 * Starts a module of this program in a process of its own, without the secrets of the environment. Ctrl-C in a terminal does not reach it:
 * the caller ends it.
 */
export function startModule(module: URL): ChildProcess & { stdin: Writable; stdout: Readable } {
  const { execPath, env } = childStart();
  return spawn(execPath, [fileURLToPath(module)], {
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true,
    windowsHide: true,
    env,
  });
}
