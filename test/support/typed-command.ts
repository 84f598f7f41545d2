import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { execa } from 'execa';
import type * as Main from '../../src/cli/main.ts';
import { processIo, type TextOutput } from '../../src/cli/outside/io.ts';
import { commandWords } from '../../src/cli/replay/command-words.ts';
import { PACKAGE, type ServeWithBanner } from './built-cli.ts';
import { fakeIo, type FakeIo } from './cli-io.ts';

/** The built command loads faster than its sources, whose types have to be stripped. */
const { main } = createRequire(import.meta.url)(join(PACKAGE, 'dist', 'cli', 'main.js')) as typeof Main;

/** Disturbances of a command in the middle of its work: signals, one after another. A held one is stopped until it goes on. */
export const DISTURBANCES = {
  killed: ['SIGKILL'],
  interrupted: ['SIGINT'],
  'interrupted twice': ['SIGINT', 'SIGINT'],
  terminated: ['SIGTERM'],
  held: ['SIGSTOP'],
} as const satisfies Readonly<Record<string, readonly NodeJS.Signals[]>>;
export type Disturbance = keyof typeof DISTURBANCES;

/** A local platform of a page. */
export type PlayedServer = Pick<ServeWithBanner, 'url' | 'port' | 'banner' | 'stop'>;

/** Where a command is typed. */
export interface Shell {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Address of the local platform whose faults time the disturbance. */
  readonly platformUrl: string | undefined;
}

/** The end of a command: its two streams as a terminal shows them, and its exit code as `$?` would show it. */
export interface Typed {
  readonly printed: string;
  readonly exitCode: number;
}

/** A running command. */
export interface Started {
  readonly ended: Promise<Typed>;
  /** Lets a held command go on. */
  goOn(): void;
}

/** Types a command into a shell. A disturbance happens at the next fault of the platform. */
export async function startCommand(
  command: string,
  { cwd, env, platformUrl }: Shell,
  disturbance: Disturbance | undefined,
): Promise<Started> {
  // The signal has to reach the command and not a shell around it.
  const line = disturbance === undefined ? command : `exec ${command}`;
  const options = { cwd, env, extendEnv: false, reject: false, stdin: 'ignore' } as const;
  const before = disturbance === undefined ? 0 : await faultsMet(platformUrl!);
  // One pipe for both streams keeps the order in which the command writes, as a terminal does.
  const child = execa('sh', ['-c', `exec 2>&1; ${line}`], options);
  if (disturbance !== undefined) {
    while ((await faultsMet(platformUrl!)) === before) await pause(5);
    await disturb(child, DISTURBANCES[disturbance]);
  }
  const end = async (): Promise<Typed> => {
    const { stdout, exitCode, signal } = await child;
    const printed = stdout === '' ? '' : `${stdout}\n`;
    if (signal === 'SIGKILL') return { printed: `${printed}Killed\n`, exitCode: 137 };
    return { printed, exitCode: exitCode ?? 1 };
  };
  return { ended: end(), goOn: () => void child.kill('SIGCONT') };
}

/**
 * A command that needs no shell: variables, and then words of `dataimport` without anything that a shell expands. Its output
 * may go nowhere, and its exit code may be printed.
 */
const PLAIN =
  /^((?:[A-Z_]+=\S+ )*)dataimport ([^;|<>&$`*]*?)( > \/dev\/null( 2>&1)?)?(; echo "exit code \$\?")?$/;

/**
 * Types a command without a shell and in this process, which takes a twentieth of the time of a start. Undefined for a command that
 * needs a shell.
 */
export function typedHere(
  command: string,
  { cwd, env }: Pick<Shell, 'cwd' | 'env'>,
): Promise<Typed> | undefined {
  const plain = PLAIN.exec(command);
  if (!plain) return undefined;
  const own = commandWords(plain[1]!).map((pair) => pair.split('=', 2) as [string, string]);
  const shell = { cwd, env: { ...env, ...Object.fromEntries(own) } };
  return typedAs(plain, shell);
}

/** Runs the parts of a plain command. */
async function typedAs(
  [, , words, isSilent, isMute, withCode]: RegExpExecArray,
  shell: Pick<Shell, 'cwd' | 'env'>,
): Promise<Typed> {
  const typed = await wordsTypedHere(commandWords(words!), shell, { isSilent: isSilent !== undefined });
  const printed = isMute === undefined ? typed.printed : '';
  return withCode === undefined
    ? { ...typed, printed }
    : { printed: `${printed}exit code ${typed.exitCode}\n`, exitCode: 0 };
}

/** Types words into the built command in this process. `isSilent`: its standard output is not printed. */
export async function wordsTypedHere(
  words: readonly string[],
  shell: Pick<Shell, 'cwd' | 'env'>,
  { isSilent = false } = {},
): Promise<Typed & { readonly stdout: string }> {
  let [printed, stdout] = ['', ''];
  const io = ioOf(shell, (text) => (printed += text));
  const write = (text: string): void => {
    stdout += text;
    if (!isSilent) printed += text;
  };
  const exitCode = await main(words, { ...io, stdout: { ...io.stdout, write } });
  return { printed: printed === '' || printed.endsWith('\n') ? printed : `${printed}\n`, stdout, exitCode };
}

/** The world of a command in this process, with both streams as one. */
function ioOf({ cwd, env }: Pick<Shell, 'cwd' | 'env'>, print: (text: string) => void): FakeIo {
  const terminal: TextOutput = {
    write: print,
    isTTY: false,
    columns: undefined,
    settled: async () => undefined,
  };
  const { timing, pid, isRunning, userName, fileSystemType, version, every } = processIo();
  return {
    ...fakeIo({ env, cwd, homeDir: cwd, configDir: join(cwd, '.config', 'dataimport'), userName }),
    timing,
    pid,
    isRunning,
    fileSystemType,
    version,
    every,
    packageFolder: PACKAGE,
    stdin: Readable.from([]),
    stdout: terminal,
    stderr: terminal,
    onParentEnd: () => () => undefined,
  };
}

/** A platform in this process for commands of others, with the key of the quickstart. `world`: where such a command is typed. */
export async function platformHere(
  args: readonly string[],
  cwd: string,
): Promise<{
  url: string;
  world: { cwd: string; env: Record<string, string> };
  stop(): Promise<number | null>;
}> {
  const { url, stop } = await serveHere([...args, '--port', '0', '--db', ':memory:'], { cwd, env: {} });
  return { url, stop, world: { cwd, env: { DATAIMPORT_BASE_URL: url, DATAIMPORT_API_KEY: 'local-key' } } };
}

/** Starts the local platform in this process and waits until it says that it is ready. */
export async function serveHere(
  args: readonly string[],
  shell: Pick<Shell, 'cwd' | 'env'>,
): Promise<PlayedServer> {
  let banner = '';
  let isReady = (): void => undefined;
  const ready = new Promise<void>((resolve) => (isReady = resolve));
  const io = ioOf(shell, (text) => {
    banner += text;
    if (banner.endsWith('Ctrl-C.\n')) isReady();
  });
  const ended = main(['serve', ...args], io);
  await Promise.race([
    ready,
    ended.then((code) => Promise.reject(new Error(`serve ended with ${code}: ${banner}`))),
  ]);
  const url = /http:\S+/.exec(banner)![0];
  const stop = (): Promise<number> => {
    io.raise('SIGINT');
    return ended;
  };
  return { url, port: Number(new URL(url).port), banner, stop };
}

interface Disturbed extends PromiseLike<unknown> {
  readonly stdout: NodeJS.ReadableStream;
  kill(signal: NodeJS.Signals): boolean;
}

/** Each further signal is sent after the command has written about the previous one. */
async function disturb(child: Disturbed, signals: readonly NodeJS.Signals[]): Promise<void> {
  for (const signal of signals) {
    const heard = new Promise((resolve) => child.stdout.once('data', resolve));
    child.kill(signal);
    if (signal !== 'SIGKILL' && signal !== 'SIGSTOP') await Promise.race([heard, child]);
  }
}

/** How often the rules of `serve --fault` were hit. */
async function faultsMet(platformUrl: string): Promise<number> {
  const answer = await fetch(`${platformUrl}/_local/faults`);
  const { rules } = (await answer.json()) as { rules: readonly { hits: number }[] };
  return rules.reduce((sum, { hits }) => sum + hits, 0);
}
