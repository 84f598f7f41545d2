import { resolve } from 'node:path';
import { AppError } from '../core/app-error.ts';
import { fileReason } from '../core/file-reason.ts';
import type { CommandLine } from './program/command-line.ts';
import type { ClosingStep } from './command/command-ports.ts';
import type { CommandContext, GlobalFlags, ListedCommand } from './command/command.ts';
import { EXITS, type ExitName } from './output/exit-codes.ts';
import { assertReplaceable } from './command/typed-file.ts';
import { assertWrittenApart } from './command/written-files.ts';
import { processIo, type Io } from './outside/io.ts';
import { NO_LOG, openLogFile, type Log } from './outside/log-file.ts';
import type { OutputPort } from './output/output.ts';
import { wantsJson } from './program/typed-flags.ts';

/**
 * Runs one command line and resolves with its exit code. Only this module shows failures and picks exit codes: a command
 * that fails throws. `commands`: the commands of the program, unless a test has its own.
 */
export async function main(
  argv: readonly string[],
  io: Io = processIo(),
  commands?: readonly ListedCommand[],
): Promise<number> {
  let exit: ExitName = 'OK';
  try {
    // A deleted folder is named before anything else, whatever was typed.
    void io.cwd;
    const line = await parsedLine(argv, io, commands);
    if (line) exit = await runCommand(line, { words: argv, io }, commands);
  } catch (error) {
    exit = await (await loadOutput()).showFailure(error, io, wantsJson(argv, io));
  }
  return EXITS[await afterOutput(exit, io)].code;
}

/** Loaded once something is shown, because it takes a third of the start of `--version`. */
const loadOutput = () => import('./output/output.ts');

async function parsedLine(
  argv: readonly string[],
  io: Io,
  commands?: readonly ListedCommand[],
): Promise<CommandLine | undefined> {
  if (argv.length === 1 && argv[0] === '--version') {
    // Without the parser this takes 1.6 times as long as a bare Node, with it 2.2 times.
    io.stdout.write(`${io.version()}\n`);
    return undefined;
  }
  return (await import('./program/command-line.ts')).parseCommandLine(argv, io, commands);
}

/** Runs the command and then its closing steps, the last registered first. Each closing step runs even if another fails. */
async function runCommand(
  { command, options, settingFlags, globals }: CommandLine,
  { words, io }: { words: readonly string[]; io: Io },
  commands?: readonly ListedCommand[],
): Promise<ExitName> {
  const closing: ClosingStep[] = [];
  assertWrittenApart({ ...options, ...settingFlags, ...globals }, io);
  const output = (await loadOutput()).openOutput(globals, io);
  const log = openLog(globals, { io, output }, closing);
  const { env, cwd, homeDir, configDir, userId } = io;
  const context: CommandContext = {
    io,
    globals,
    words,
    log,
    output,
    settings: once(async () => {
      const { resolveSettings } = await import('./settings/settings.ts');
      const notice = (text: string): void => output.emit({ kind: 'notice', text });
      const files = { cwd, homeDir, configDir, userId, notice, ...globals };
      return resolveSettings({ env, ...files, flags: settingFlags });
    }),
    onClose: (close) => void closing.push(close),
    runCommandLine: (argv, ownIo) => main(argv, ownIo, commands),
    surface: async (typed) => (await import('./program/command-line.ts')).surfaceOf(typed, io, commands),
  };
  log.write('start', { command: command.name, version: io.version(), pid: io.pid });
  const run = await settle(async () => {
    const { exit, result } = await command.run(options, context);
    if (result) await output.show(result, exit);
    return exit;
  });
  const exit = run.status === 'fulfilled' ? run.value : await exitOfFailure(run.reason);
  log.write('end', { exit: EXITS[exit].name, code: EXITS[exit].code });
  const closed = await closeAll(closing);
  // The failure of the run is the cause. A failure of closing is most often its consequence.
  for (const result of [run, ...closed]) if (result.status === 'rejected') throw result.reason;
  output.finish();
  return exit;
}

async function exitOfFailure(error: unknown): Promise<ExitName> {
  return (await import('./output/failure.ts')).failureOf(error).exit;
}

async function closeAll(closing: ClosingStep[]): Promise<readonly PromiseSettledResult<void>[]> {
  const results: PromiseSettledResult<void>[] = [];
  for (const close of closing.toReversed()) results.push(await settle(async () => close()));
  return results;
}

function openLog(
  { logFile }: GlobalFlags,
  { io, output }: { io: Io; output: OutputPort },
  closing: ClosingStep[],
): Log {
  if (logFile === undefined) return NO_LOG;
  if (logFile === '-') {
    const reason = '--log-file takes a file, not standard output; -v shows the requests on standard error';
    throw new AppError('usage', { reason, command: '' });
  }
  assertReplaceable(logFile, io.cwd, 'log');
  const log = openLogFile(resolve(io.cwd, logFile), io.timing.nowMs, (reason) =>
    output.emit({ kind: 'notice', text: `the log ${logFile} ends here, and the command goes on: ${reason}` }),
  );
  closing.push(() => log.close());
  return log;
}

/** A reader that closed its end of the pipe is no failure. A result that nobody can read, such as on a full disk, is one. */
async function afterOutput(exit: ExitName, io: Io): Promise<ExitName> {
  const failure = await io.stdout.settled();
  await io.stderr.settled();
  if (!failure || failure.code === 'EPIPE') return exit;
  const error = new AppError('run_not_writable', {
    what: 'the command has ended, but its result was not written to standard output',
    reason: fileReason(failure),
    remedy: 'Type the same command again',
    todo: 'with its output to a place that has room.',
  });
  const unread = await (await loadOutput()).showFailure(error, io);
  return exit === 'OK' ? unread : exit;
}

async function settle<T>(act: () => Promise<T>): Promise<PromiseSettledResult<T>> {
  const [result] = await Promise.allSettled([act()]);
  return result;
}

function once<T>(act: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => (result ??= act());
}
