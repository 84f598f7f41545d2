import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';

/** A program to measure, with everything that it depends on. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Exit codes beside 0 that are no failure of the measurement. */
  readonly exitCodes?: readonly number[];
  /** Folder whose size on disk is watched while the program runs, deleted files that are still open included. */
  readonly watched?: string;
}

/** The cost of one process, from its start to its end. */
export interface Usage {
  readonly wallMs: number;
  /** User and system time of all threads and of child processes. */
  readonly cpuMs: number;
  /** Largest resident memory (VmHWM). */
  readonly peakBytes: number;
  /** Largest size of the watched folder; 0 without one. */
  readonly diskBytes: number;
}

/** A process that prints lines and runs until it is stopped. */
export interface Running {
  readonly pid: number;
  /** The first line of its output. */
  readonly line: string;
  /** Milliseconds from the start to the first line. */
  readonly readyMs: number;
  /** Resolves with the next line. */
  nextLine(): Promise<string>;
  /** CPU time so far, in milliseconds. */
  cpuMs(): number;
  /** Ends the process with SIGINT, so that it ends in order. */
  stop(): Promise<Usage>;
}

const HERE = import.meta.dirname;
/** Milliseconds of a clock tick in /proc/PID/stat. */
const TICK_MS = 10;
const WATCH_MS = 50;
/** Characters of unread output that are kept. */
const KEPT_OUTPUT = 64 * 1024;

/** A script that runs in the Node of the bench. */
export function node(
  script: string,
  args: readonly string[],
  place: Omit<Program, 'command' | 'args'>,
): Program {
  return { ...place, command: process.execPath, args: [script, ...args] };
}

/** The path of a script in the folder of baselines. */
export function baseline(name: string): string {
  return join(HERE, 'baselines', name);
}

/** A baseline in Python. */
export function python(
  name: string,
  args: readonly string[],
  place: Omit<Program, 'command' | 'args'>,
): Program {
  return { ...place, command: 'python3', args: [join(HERE, 'usage.py'), baseline(name), ...args] };
}

/** Runs a program to its end. A program that fails ends the bench. */
export async function runToEnd(program: Program): Promise<Usage> {
  return start(program).ended;
}

/** Starts a program and waits for its first line. */
export async function startServer(program: Program): Promise<Running> {
  const started = performance.now();
  const { child, ended, nextLine } = start(program);
  const line = await Promise.race([nextLine(), ended.then(() => Promise.reject(tooEarly(program)))]);
  const readyMs = performance.now() - started;
  return {
    pid: child.pid!,
    line,
    readyMs,
    nextLine,
    cpuMs: () => processCpuMs(child.pid!),
    stop: () => {
      child.kill('SIGINT');
      return ended;
    },
  };
}

/** Starts a program, waits until `reached` resolves, and kills the program. Its usage is that up to this moment. */
export async function runUntil(program: Program, reached: Promise<unknown>): Promise<Usage> {
  const started = performance.now();
  const { child, ended } = start({ ...program, exitCodes: [-1] });
  await Promise.race([reached, ended.then(() => Promise.reject(tooEarly(program)))]);
  const usage = {
    wallMs: performance.now() - started,
    cpuMs: processCpuMs(child.pid!),
    peakBytes: processPeakBytes(child.pid!),
    diskBytes: program.watched === undefined ? 0 : sizeOf(program.watched, child.pid!),
  };
  child.kill('SIGKILL');
  await ended;
  return usage;
}

function start(program: Program): {
  readonly child: ChildProcess;
  readonly ended: Promise<Usage>;
  readonly nextLine: () => Promise<string>;
} {
  const folder = mkdtempSync(join(tmpdir(), 'bench-usage-'));
  const usageFile = join(folder, 'usage.json');
  const started = performance.now();
  const child = spawn(program.command, program.args, {
    cwd: program.cwd,
    env: {
      PATH: process.env['PATH'],
      HOME: program.cwd,
      TMPDIR: tmpdir(),
      NODE_OPTIONS: `--require=${join(HERE, 'usage.cjs')}`,
      BENCH_USAGE: usageFile,
      ...program.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // A bench that fails or is stopped leaves no process behind.
  const kill = (): boolean => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('close', () => process.off('exit', kill));
  let stdout = '';
  let stderr = '';
  let taken = 0;
  const waiting: ((line: string) => void)[] = [];
  const tellLines = (): void => {
    for (
      let end = stdout.indexOf('\n', taken);
      end >= 0 && waiting.length > 0;
      end = stdout.indexOf('\n', taken)
    ) {
      waiting.shift()!(stdout.slice(taken, end));
      taken = end + 1;
    }
  };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    tellLines();
    // The output of a command may be larger than memory. Nobody reads more than its first line.
    if (stdout.length > KEPT_OUTPUT) [stdout, taken] = [stdout.slice(-KEPT_OUTPUT), 0];
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const watch = watchedSize(program.watched, child);
  const ended = new Promise<Usage>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      const wallMs = performance.now() - started;
      const diskBytes = watch.end();
      const isExpected = code === 0 || (program.exitCodes ?? []).includes(code ?? -1);
      try {
        const measured = code === null ? { cpuMs: 0, peakBytes: 0 } : usageIn(usageFile);
        if (isExpected) resolve({ wallMs, diskBytes, ...measured });
        else reject(failed(program, `exit ${code}`, stderr || stdout));
      } catch (cause) {
        reject(failed(program, String(cause), stderr));
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });
  });
  // A server may end while nobody waits for its end. Whoever waits later still gets the error.
  ended.catch(() => {});
  const nextLine = (): Promise<string> =>
    new Promise((resolve) => {
      waiting.push(resolve);
      tellLines();
    });
  return { child, ended, nextLine };
}

function usageIn(file: string): Pick<Usage, 'cpuMs' | 'peakBytes'> {
  return JSON.parse(readFileSync(file, 'utf8')) as Pick<Usage, 'cpuMs' | 'peakBytes'>;
}

function failed({ command, args }: Program, end: string, text: string): Error {
  return new Error(`${[command, ...args].join(' ')}\n${end}: ${text.slice(-2_000)}`);
}

function tooEarly({ command, args }: Program): Error {
  return new Error(`${[command, ...args].join(' ')} ended too early`);
}

function processCpuMs(pid: number): number {
  // The name of the program, which may contain spaces, is in parentheses.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * TICK_MS;
}

function processPeakBytes(pid: number): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) * 1024;
}

function watchedSize(folder: string | undefined, child: ChildProcess): { end(): number } {
  if (folder === undefined || child.pid === undefined) return { end: () => 0 };
  const { pid } = child;
  let largest = 0;
  const look = (): void => {
    largest = Math.max(largest, sizeOf(folder, pid));
  };
  const timer = setInterval(look, WATCH_MS);
  return {
    end: () => {
      clearInterval(timer);
      look();
      return largest;
    },
  };
}

/** Bytes on disk of all files below a folder, and of deleted files of the folder that a process still has open. */
function sizeOf(folder: string, pid: number): number {
  const sizes = new Map<number, number>();
  const add = (path: string): void => {
    try {
      const { ino, blocks, isFile } = fileAt(path);
      if (isFile) sizes.set(ino, blocks * 512);
    } catch {
      // The file was removed or closed since it was listed.
    }
  };
  for (const entry of listed(folder, true)) add(join(folder, entry));
  for (const descriptor of listed(`/proc/${pid}/fd`, false)) {
    const link = `/proc/${pid}/fd/${descriptor}`;
    if (targetOf(link).startsWith(`${folder}/`)) add(link);
  }
  return sizes.values().reduce((sum, size) => sum + size, 0);
}

function fileAt(path: string): { readonly ino: number; readonly blocks: number; readonly isFile: boolean } {
  const found = statSync(path);
  return { ino: found.ino, blocks: found.blocks, isFile: found.isFile() };
}

function listed(folder: string, recursive: boolean): readonly string[] {
  try {
    return readdirSync(folder, { recursive, encoding: 'utf8' });
  } catch {
    // The process has ended, or the folder is not there yet.
    return [];
  }
}

function targetOf(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return '';
  }
}
