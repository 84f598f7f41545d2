import { resolve } from 'node:path';
import { AppError } from '../core/app-error.ts';
import type { CommandContext, GlobalFlags, ListedCommand } from './command.ts';
import { EXITS, type ExitName } from './exit-codes.ts';
import { failureDocument, failureOf, failureText } from './failure.ts';
import { processIo, type Io, type TextOutput } from './io.ts';
import { NO_LOG, openLogFile, type Log } from './log-file.ts';
import type { CommandLine } from './command-line.ts';
import { wantsJson } from './json-mode.ts';
import { writeDocument, type JsonDocument } from './render/json-output.ts';

/**
 * Runs one command line and resolves with its exit code. Nothing else prints an error or picks an exit code: a
 * command that fails throws, and the failure is reported here, as text and with --json also as the one document.
 * `commands`: those of the program, unless a test has its own.
 */
export async function main(
  argv: readonly string[],
  io: Io = processIo(),
  commands?: readonly ListedCommand[],
): Promise<number> {
  let exit: ExitName = 'OK';
  try {
    const line = await readCommandLine(argv, io, commands);
    if (line) {
      const result = await runCommand(line, io);
      if (result.document) writeDocument(io.stdout, result.document);
      exit = result.exit;
    }
  } catch (error) {
    const failure = failureOf(error);
    if (wantsJson(argv, io)) writeDocument(io.stdout, failureDocument(failure));
    io.stderr.write(failureText(failure));
    exit = failure.exit;
  }
  return EXITS[await afterOutput(exit, io)].code;
}

async function readCommandLine(
  argv: readonly string[],
  io: Io,
  commands?: readonly ListedCommand[],
): Promise<CommandLine | undefined> {
  if (argv.length === 1 && argv[0] === '--version') {
    // Without the parser and the declarations this takes 1.6 times as long as a bare Node, with them 2.2 times.
    io.stdout.write(`${io.version()}\n`);
    return undefined;
  }
  return (await import('./command-line.ts')).parseCommandLine(argv, io, commands);
}

interface CommandResult {
  readonly exit: ExitName;
  readonly document: JsonDocument | undefined;
}

/** Runs the command and then its closing steps, last in, first out; each runs even if another fails. */
async function runCommand(
  { command, options, settingFlags, globals }: CommandLine,
  io: Io,
): Promise<CommandResult> {
  let document: JsonDocument | undefined;
  const closing: Closing[] = [];
  const log = openLog(globals, io, closing);
  const { env, cwd, homeDir, configDir } = io;
  const context: CommandContext = {
    io,
    globals,
    color: { stdout: mayColor(io.stdout, globals, io), stderr: mayColor(io.stderr, globals, io) },
    log,
    settings: once(async () => {
      const { resolveSettings } = await import('./settings/settings.ts');
      return resolveSettings({ env, cwd, homeDir, configDir, ...globals, flags: settingFlags });
    }),
    document: (given) => void (document = globals.json ? given : undefined),
    onClose: (close) => void closing.push(close),
  };
  log.write('start', { command: command.name, version: io.version(), pid: io.pid });
  const run = await settle(() => command.run(options, context));
  const exit = run.status === 'fulfilled' ? run.value : failureOf(run.reason).exit;
  log.write('end', { exit: EXITS[exit].name, code: EXITS[exit].code });
  const closed = await closeAll(closing);
  // A failure of the run is the cause; what closing says after it is most often its consequence.
  for (const result of [run, ...closed]) if (result.status === 'rejected') throw result.reason;
  return { exit, document };
}

type Closing = () => void | Promise<void>;

async function closeAll(closing: Closing[]): Promise<readonly PromiseSettledResult<void>[]> {
  const results: PromiseSettledResult<void>[] = [];
  for (const close of closing.toReversed()) results.push(await settle(async () => close()));
  return results;
}

function openLog({ logFile }: GlobalFlags, io: Io, closing: Closing[]): Log {
  if (logFile === undefined) return NO_LOG;
  if (logFile === '-') {
    const reason = '--log-file takes a file, not standard output; -v shows the requests on standard error';
    throw new AppError('usage', { reason, command: '' });
  }
  const log = openLogFile(resolve(io.cwd, logFile), () => io.timing.nowMs());
  closing.push(() => log.close());
  return log;
}

/** A reader that has gone away is no failure of ours; output that cannot be written is. */
async function afterOutput(exit: ExitName, io: Io): Promise<ExitName> {
  const failure = await io.stdout.settled();
  await io.stderr.settled();
  if (!failure || failure.code === 'EPIPE') return exit;
  const reason = `standard output cannot be written (${failure.code})`;
  io.stderr.write(failureText(failureOf(new AppError('usage', { reason, command: '' }))));
  return exit === 'OK' ? 'USAGE' : exit;
}

/** https://no-color.org; a dumb terminal understands no colours. */
function mayColor(output: TextOutput, { color }: GlobalFlags, { env }: Io): boolean {
  return color && output.isTTY && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
}

async function settle<T>(act: () => Promise<T>): Promise<PromiseSettledResult<T>> {
  const [result] = await Promise.allSettled([act()]);
  return result;
}

function once<T>(act: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => (result ??= act());
}
