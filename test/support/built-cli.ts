import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { execa } from 'execa';
import { projectRoot } from './source-tree.ts';

const builtPackage = process.env['DATAIMPORT_TEST_PACKAGE'];
if (builtPackage === undefined && 'VITEST' in process.env)
  throw new Error('A test that starts the command belongs to the project `processes` of vitest.config.ts.');

/** The folder of the package that the tests have built. For a campaign outside of tests it is the checkout. */
export const PACKAGE = builtPackage ?? projectRoot;

/** The command as a user starts it. */
export const COMMAND = join(PACKAGE, 'bin', 'dataimport.js');

/** The output and the exit of a command. */
export interface Ended {
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** Folder and variables of a command. It gets nothing of the environment of the test. */
export interface CliEnvironment {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs the command to its end, however it ends. */
export async function dataimport(args: readonly string[], world: CliEnvironment): Promise<Ended> {
  const result = await execa(process.execPath, [COMMAND, ...args], { ...optionsOf(world), reject: false });
  return endedOf(result);
}

/** Runs the command from a shell that has run `first`, such as `umask 000`. */
export async function dataimportInShell(
  first: string,
  args: readonly string[],
  world: CliEnvironment,
): Promise<Ended> {
  const script = `${first} && exec "$@"`;
  const words = ['-c', script, 'sh', process.execPath, COMMAND, ...args];
  return endedOf(await execa('sh', words, { ...optionsOf(world), reject: false }));
}

/** Runs the command from a shell script that has it as `"$@"`. The signals that are sent reach the shell and the command. */
export async function dataimportInGroup(
  script: string,
  args: readonly string[],
  world: CliEnvironment,
  meanwhile: (group: { kill(signal: NodeJS.Signals): void }) => Promise<void>,
): Promise<Ended> {
  const words = ['-c', script, 'sh', process.execPath, COMMAND, ...args];
  const child = execa('sh', words, { ...optionsOf(world), detached: true, reject: false });
  await meanwhile({ kill: (signal) => void process.kill(-child.pid!, signal) });
  return endedOf(await child);
}

/** Runs the command, calls back with its process, and waits for its end. */
export async function dataimportWith(
  args: readonly string[],
  world: CliEnvironment,
  meanwhile: (child: { pid: number; kill(signal: NodeJS.Signals): void }) => Promise<void>,
): Promise<Ended> {
  const child = execa(process.execPath, [COMMAND, ...args], { ...optionsOf(world), reject: false });
  await meanwhile({ pid: child.pid!, kill: (signal) => void child.kill(signal) });
  return endedOf(await child);
}

/** A `dataimport serve` in its own process. */
export interface ServeProcess {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Kills the process with SIGKILL. */
  crash(): Promise<void>;
  /** Ends the process with SIGINT. Resolves with its exit code. */
  stop(): Promise<number | null>;
}

/** A server that printed its ready line. */
export interface Platform extends ServeProcess {
  readonly apiKey: string;
  /** Resolves as soon as the platform has at least this many records. */
  untilStored(records: number): Promise<void>;
}

/** A server that printed its ready text. */
export interface ServeWithBanner extends ServeProcess {
  readonly banner: string;
}

/** Starts the local platform and waits until it says that it is ready. */
export async function serve(args: readonly string[], world: CliEnvironment): Promise<Platform> {
  const child = spawnServe([...args, '--json'], world);
  const ready = await printedUntil(child, '\n');
  const { url, api_key } = JSON.parse(ready) as { url: string; api_key: string };
  return {
    ...endingsOf(child, url),
    apiKey: api_key,
    untilStored: (records) => untilStored(url, records),
  };
}

/** The same without --json. */
export async function startServe(args: readonly string[], world: CliEnvironment): Promise<ServeWithBanner> {
  const child = spawnServe(args, world);
  const banner = await printedUntil(child, 'Ctrl-C.\n');
  return { ...endingsOf(child, /http:\S+/.exec(banner)![0]), banner };
}

function spawnServe(args: readonly string[], world: CliEnvironment): ChildProcess {
  return spawn(process.execPath, [COMMAND, 'serve', ...args], {
    cwd: world.cwd,
    env: environmentOf(world),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

function endingsOf(child: ChildProcess, url: string): ServeProcess {
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const end = (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal);
    return ended;
  };
  return {
    url,
    port: Number(new URL(url).port),
    pid: child.pid!,
    crash: async () => void (await end('SIGKILL')),
    stop: () => end('SIGINT'),
  };
}

/** Resolves as soon as a platform has at least this many records. */
export async function untilStored(url: string, records: number): Promise<void> {
  while ((await storedBy(url)) < records) await pause(5);
}

async function storedBy(url: string): Promise<number> {
  const health = (await (await fetch(`${url}/_local/health`)).json()) as {
    counts: { records: Record<string, number> };
  };
  return Object.values(health.counts.records).reduce((sum, count) => sum + count, 0);
}

/** The output of a process until it ends with `end`. */
function printedUntil(child: ChildProcess, end: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = '';
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      if (printed.endsWith(end)) resolve(printed);
    });
    child.once('exit', (code) => reject(new Error(`serve ended with ${code} before it was ready`)));
  });
}

function optionsOf(world: CliEnvironment) {
  return { cwd: world.cwd, env: environmentOf(world), extendEnv: false, stdin: 'ignore' } as const;
}

/** The variables of a command with a home of its own. It uses the code that other tests have compiled. */
function environmentOf({ cwd, env }: CliEnvironment) {
  return { PATH: process.env['PATH'], HOME: cwd, ...compiledCode(), ...env };
}

/** Where a Node that a test starts finds compiled code; nothing outside of tests. */
export function compiledCode(): Readonly<Record<string, string>> {
  const { NODE_COMPILE_CACHE } = process.env;
  return NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };
}

function endedOf(result: {
  exitCode?: number | undefined;
  signal?: string | undefined;
  stdout: string;
  stderr: string;
}): Ended {
  const { exitCode, signal, stdout, stderr } = result;
  return { exitCode, signal, stdout, stderr };
}
