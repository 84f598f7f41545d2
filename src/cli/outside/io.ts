import type { ChildProcess } from 'node:child_process';
import { fstatSync, readFileSync, statfsSync, type StatsFs } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { basename, isAbsolute, join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Timing } from '../push/ports/timing.ts';
import { AppError } from '../../core/app-error.ts';

/** A stream for people or for the next program in a pipe. */
export interface TextOutput {
  write(text: string): void;
  /** Whether a person is watching. */
  readonly isTTY: boolean;
  /** Width in characters; undefined without a terminal, or when the terminal does not know. */
  readonly columns: number | undefined;
  /** Resolves when everything is written, with the error when it cannot be written. */
  settled(): Promise<NodeJS.ErrnoException | undefined>;
}

/** Signals that ask the program to end. SIGHUP comes from a terminal that was closed. */
export const END_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
export type EndSignal = (typeof END_SIGNALS)[number];

/** The outside world as a value. Functions get the parts that they need, so a test can pass its own. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder the command was typed in. @throws AppError `file_not_readable` when it was deleted */
  readonly cwd: string;
  /** Undefined for a user without one, as in many containers. */
  readonly homeDir: string | undefined;
  /** Number of the user who typed the command, as owner of files; undefined on Windows, where users have none. */
  readonly userId: number | undefined;
  /** Login name of this user; undefined for a user without an entry in /etc/passwd, as in many containers. */
  readonly userName: string | undefined;
  /** Folder of the user's settings, by the conventions of the operating system; undefined without a home folder. */
  configDir(): Promise<string | undefined>;
  readonly stdin: Readable;
  readonly stdout: TextOutput;
  readonly stderr: TextOutput;
  readonly timing: Timing;
  readonly pid: number;
  /** Whether a process of this machine has the number. */
  isRunning(pid: number): boolean;
  /** The folder with package.json and the sample data of this program. */
  readonly packageFolder: string;
  readonly platform: NodeJS.Platform;
  /** The number of the file system that has a path, as the system counts them; undefined when it does not say. */
  fileSystemType(path: string): number | undefined;
  /** Version of this program, from its package.json. */
  version(): string;
  /** Acts again and again until the returned function is called. Does not keep the process alive. */
  every(everyMs: number, act: () => void): () => void;
  /** Ends this process at once, as `kill -9` does. Nothing is finished or closed. */
  crash(): void;
  /** Calls back when the other end of a piped standard input is closed, as when the program that has it ends. The returned function stops watching. */
  onParentEnd(handler: () => void): () => void;
  /** Handles the end signals until the returned function is called. SIGHUP is none of them where this process began without it. */
  onSignal(handler: (signal: EndSignal) => void): () => void;
}

/** The outside world of this process. Nothing else in the client touches `process`. */
export function processIo(): Io {
  const signals = endSignals();
  return {
    env: process.env,
    get cwd() {
      return currentFolder();
    },
    homeDir: homeFolder(),
    userId: process.geteuid?.(),
    get userName() {
      return unlessThrown(() => userInfo().username);
    },
    configDir: async () => {
      // The package looks for the home folder as it is loaded.
      const folder =
        homeFolder() === undefined
          ? join(process.env['XDG_CONFIG_HOME'] ?? '', 'dataimport')
          : (await import('env-paths')).default('dataimport', { suffix: '' }).config;
      return isAbsolute(folder) ? folder : undefined;
    },
    get stdin() {
      return process.stdin;
    },
    stdout: outputOf(() => process.stdout),
    stderr: outputOf(() => process.stderr),
    timing: {
      nowMs: () => Date.now(),
      monotonicMs: () => performance.now(),
      stoodStillMs: standstill(),
      sleep,
      random: () => Math.random(),
    },
    pid: process.pid,
    isRunning: (pid) => {
      try {
        return process.kill(pid, 0);
      } catch (error) {
        // It belongs to another user.
        return (error as NodeJS.ErrnoException).code === 'EPERM';
      }
    },
    packageFolder: PACKAGE_FOLDER,
    platform: process.platform,
    fileSystemType: (path) => fileSystemOf(path)?.type,
    version: versionOfPackage,
    every(everyMs, act) {
      const timer = setInterval(act, everyMs).unref();
      return () => clearInterval(timer);
    },
    crash: () => void process.kill(process.pid, 'SIGKILL'),
    onParentEnd(handler) {
      // The end of a terminal, a file or /dev/null says nothing.
      const kind = unlessThrown(() => fstatSync(0));
      if (!kind?.isFIFO() && !kind?.isSocket()) return () => undefined;
      // A stream has to be read to reach its end. Its content does not matter.
      const input = process.stdin.once('end', handler).once('error', handler).resume();
      return () => void input.off('end', handler).off('error', handler).destroy();
    },
    onSignal(handler) {
      for (const signal of signals) process.on(signal, handler);
      return () => {
        for (const signal of signals) process.removeListener(signal, handler);
      };
    },
  };
}

/** The signals that end this process. One that was started without SIGHUP, such as with `nohup`, goes on after it. */
function endSignals(): readonly EndSignal[] {
  if (!startedWithoutHangUp()) return END_SIGNALS;
  if (!process.listeners('SIGHUP').includes(goOn)) process.on('SIGHUP', goOn);
  return END_SIGNALS.filter((signal) => signal !== 'SIGHUP');
}

function goOn(): void {
  // Without a listener SIGHUP would end the process.
}

/**
 * Whether SIGHUP was ignored when this process started. Node has set every signal to its default by now, so this looks for what is left:
 * the name that bash, zsh and ksh put into `_`, and on Linux the standard input that nohup makes write-only, and the parent's ignored signals.
 */
function startedWithoutHangUp(): boolean {
  if (basename(process.env['_'] ?? '') === 'nohup') return true;
  const linux = (path: string): string => unlessThrown(() => readFileSync(`/proc/${path}`, 'utf8')) ?? '';
  const isWriteOnly = /^flags:\s*\d*1$/m.test(linux('self/fdinfo/0'));
  // The last hexadecimal digit has the bits of the signals 1 to 4, and SIGHUP is the first.
  return isWriteOnly || /^SigIgn:.*[13579bdf]$/m.test(linux(`${process.ppid}/status`));
}

/** @throws AppError `file_not_readable` */
function currentFolder(): string {
  try {
    return process.cwd();
  } catch (error) {
    const reason = 'it was deleted; go to another folder (`cd`)';
    throw new AppError('file_not_readable', { file: 'the current folder', reason }, error);
  }
}

/**
 * Undefined for a user without HOME and without an entry in /etc/passwd, as in many containers, and when HOME is empty or relative: that would be
 * a folder of whatever project the command is typed in.
 */
function homeFolder(): string | undefined {
  const home = unlessThrown(homedir);
  return home !== undefined && isAbsolute(home) ? home : undefined;
}

function unlessThrown<T>(find: () => T): T | undefined {
  try {
    return find();
  } catch {
    return undefined;
  }
}

/** Undefined for a folder that cannot be used. Opening a run reports why. */
const fileSystemOf = (path: string): StatsFs | undefined => unlessThrown(() => statfsSync(path));

/** The first use opens the stream, because `--version` does not need stderr. */
function outputOf(open: () => NodeJS.WriteStream): TextOutput {
  let opened: NodeJS.WriteStream | undefined;
  let failure: NodeJS.ErrnoException | undefined;
  const stream = (): NodeJS.WriteStream => {
    if (opened) return opened;
    opened = open();
    // Without a listener a reader that closed the pipe (`| head`) would kill the program in the middle of its work.
    opened.on('error', (error) => (failure ??= error));
    return opened;
  };
  return {
    write: (text) => void (failure ?? stream().write(text)),
    get isTTY() {
      return stream().isTTY;
    },
    get columns() {
      // A terminal that does not know its width reports 0.
      return (stream().isTTY && stream().columns) || undefined;
    },
    settled: () =>
      new Promise((resolve) => {
        if (opened && !failure) opened.write('', (error) => resolve(failure ?? error ?? undefined));
        else resolve(failure);
      }),
  };
}

/** How often a process that runs looks at the clock, in milliseconds. */
const LOOK_MS = 500;

/** The measure of how long the process has stood still. It begins with its first use, and counts what is longer than two looks. */
function standstill(): () => number {
  let [lookedMs, stoodMs] = [performance.now(), 0];
  let isLooking = false;
  const look = (): number => {
    const sinceMs = performance.now() - lookedMs;
    if (isLooking && sinceMs > 2 * LOOK_MS) stoodMs += sinceMs - LOOK_MS;
    lookedMs += sinceMs;
    return stoodMs;
  };
  return () => {
    if (!isLooking) setInterval(look, LOOK_MS).unref();
    const stood = look();
    isLooking = true;
    return stood;
  };
}

async function sleep(waitMs: number, signal?: AbortSignal): Promise<void> {
  try {
    await wait(waitMs, undefined, signal ? { signal } : {});
  } catch (error) {
    // An abort ends the wait. The caller looks at the signal.
    if (!signal?.aborted) throw error;
  }
}

/** Two levels up, from src/cli and from the folders of dist alike. */
const PACKAGE_FOLDER = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../../' : '../../', import.meta.url),
);

function versionOfPackage(): string {
  const manifest = readFileSync(join(PACKAGE_FOLDER, 'package.json'), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

/** Whether a detached process leads a group of processes. */
export const HAS_GROUPS = process.platform !== 'win32';

/** Kills a detached process with everything that it has started. */
export function killGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined && HAS_GROUPS) process.kill(-child.pid, 'SIGKILL');
    else child.kill('SIGKILL');
  } catch {
    // Nothing of the group is left.
  }
}
