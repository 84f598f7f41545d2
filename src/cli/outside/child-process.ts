import { spawn } from 'node:child_process';
import { HAS_GROUPS, killGroup } from './io.ts';

/** How much of the output of a program is kept, in UTF-16 units. */
const KEPT_OUTPUT = 64_000;

/** How long a program that has ended may still deliver output, in milliseconds. */
const LAST_OUTPUT_MS = 500;

/**
 * Starts a program of the user without a shell, in a process group of its own. `ended` resolves with its exit code, null when it was killed or
 * could not be started. `kill` ends the program and everything that it has started, and may be called at any time.
 */
export function startProgram(
  [file, ...args]: readonly [string, ...string[]],
  { cwd, env }: { cwd: string; env: Readonly<Record<string, string | undefined>> },
) {
  const child = spawn(file, args, {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: HAS_GROUPS,
    windowsHide: true,
  });
  let output = '';
  const keep = (chunk: string): void => void (output = (output + chunk).slice(-KEPT_OUTPUT));
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', keep);
  let isOver = false;
  const kill = (): void => {
    if (!isOver) killGroup(child);
  };
  const ended = new Promise<number | null>((resolve) => {
    child.once('error', (error) => {
      keep(error.message);
      resolve(null);
    });
    child.once('exit', (exitCode) => {
      // A program that it has left behind would keep its output open, and one that left its group is out of reach.
      kill();
      setTimeout(
        () => [child.stdout, child.stderr].forEach((stream) => stream.destroy()),
        LAST_OUTPUT_MS,
      ).unref();
      child.once('close', () => {
        isOver = true;
        resolve(exitCode);
      });
    });
  });
  return { ended, kill, output: () => output };
}
