import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export interface CommandOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a program and resolves with its standard output. @throws Error with its output when it fails */
export function command(program: string, args: readonly string[], options: CommandOptions = {}): string {
  try {
    return execFileSync(program, args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 64 * 1024 * 1024,
      ...options,
      env: { ...process.env, ...options.env },
    });
  } catch (error) {
    const {
      stdout = '',
      stderr = '',
      message,
      code,
    } = error as NodeJS.ErrnoException & { stdout?: string; stderr?: string };
    if (code === 'ENOENT')
      throw new Error(`${program} is not installed, and the release needs it`, { cause: error });
    throw new Error(`${program} ${args.join(' ')} failed: ${stderr || stdout || message}`, { cause: error });
  }
}

/** Whether a program can be found. */
export function isInstalled(program: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));
}
