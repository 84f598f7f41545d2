import { spawn } from 'node:child_process';
import { constants } from 'node:os';

/**
 * Runs a program to its end and resolves with its exit code, or 128 + n when signal n ended it, as a shell does.
 *
 * This process outlives the child whatever signal arrives, so that the shell's prompt comes back only after the
 * child has finished what it does on a signal.
 */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', ...options });

    // Ctrl-C reaches the whole foreground group of a terminal: the child has had its own, and a second one
    // would mean "stop at once" to it. Without a terminal a SIGINT was meant for this process alone.
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
