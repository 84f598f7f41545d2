import { spawn } from 'node:child_process';
import { constants } from 'node:os';

/**
 * Runs a program to its end and resolves with its exit code, or 128 + n when signal n ended it, as a shell does.
 *
 * This process outlives the child whatever signal arrives, so that the prompt of the shell returns only after the child
 * has handled the signal.
 */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', ...options });

    // On a terminal Ctrl-C reaches the child, too. A second signal would mean "stop now" to it. Without a terminal a
    // SIGINT reaches this process alone.
    const onTerminal = [process.stdin, process.stdout, process.stderr].some((stream) => stream.isTTY);
    const forward = {
      SIGINT: () => onTerminal || child.kill('SIGINT'),
      SIGTERM: () => child.kill('SIGTERM'),
    };
    for (const [signal, send] of Object.entries(forward)) process.on(signal, send);
    const release = () => {
      for (const [signal, send] of Object.entries(forward)) process.removeListener(signal, send);
    };

    child.on('error', (error) => {
      release();
      reject(error);
    });
    child.on('close', (code, signal) => {
      release();
      resolve(code ?? 128 + constants.signals[signal]);
    });
  });
}
