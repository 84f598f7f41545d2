import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { CommandContext, CommandEnd, ListedCommand } from '../../src/cli/command/command.ts';
import type { ExitName } from '../../src/cli/output/exit-codes.ts';
import { main } from '../../src/cli/main.ts';
import { mayColor } from '../../src/cli/output/text/paint.ts';
import { AppError } from '../../src/core/app-error.ts';
import { fakeIo, runCli, type FakeIo } from '../support/cli-io.ts';

type Run = (context: CommandContext) => ExitName | CommandEnd | Promise<ExitName | CommandEnd>;

/** A command with the run function of the test. */
function command(run: Run): readonly ListedCommand[] {
  const declaration = {
    examples: ['dataimport act'] as const,
    settings: [],
    declare: () => undefined,
    run: async (_: object, context: CommandContext): Promise<CommandEnd> => {
      const ended = await run(context);
      return typeof ended === 'string' ? { exit: ended } : ended;
    },
  };
  return [{ name: 'act', group: 'Look', summary: 'Act', load: async () => declaration }];
}

const fails = (error: unknown) => command(() => Promise.reject(error));

async function act(commands: readonly ListedCommand[], argv: readonly string[] = [], io: FakeIo = fakeIo()) {
  const exitCode = await main(['act', ...argv], io, commands);
  return { exitCode, ...io.printed };
}

describe('a command that fails', () => {
  test('ends with the exit code of its error and the next step', async () => {
    expect(
      await act(
        fails(
          new AppError('address_unavailable', {
            port: 4010,
            host: '127.0.0.1',
            reason: 'it is taken',
            remedy: 'Stop it',
          }),
        ),
      ),
    ).toEqual({
      exitCode: 2,
      stdout: '',
      stderr:
        'dataimport: error address_unavailable cannot listen on port 4010 of 127.0.0.1: it is taken\n' +
        'next: Stop it.\n',
    });
  });

  test('names the location in the file, in the form that editors read', async () => {
    const { stderr } = await act(
      fails(new AppError('quote_not_closed', { file: 'a.csv', line: 7, column: 2 })),
    );
    expect(stderr).toMatch(/^a\.csv:7:2 error quote_not_closed /);
  });

  test('prints exactly one document with --json, and the text goes to standard error', async () => {
    const error = new AppError('quote_not_closed', { file: 'a.csv', line: 7, column: 2 });
    const { exitCode, stdout, stderr } = await act(fails(error), ['--json']);
    expect(exitCode).toBe(3);
    expect(JSON.parse(stdout)).toEqual({
      version: 1,
      exit: { code: 3, name: 'INPUT_INVALID' },
      problems: [
        {
          code: 'quote_not_closed',
          severity: 'error',
          file: 'a.csv',
          line: 7,
          column: 2,
          detail: 'a quoted cell that opens in this row is never closed',
        },
      ],
      next: 'Export the file again, or repair it in a text editor.',
    });
    expect(stderr).toContain('quote_not_closed');
  });

  test('cannot control the terminal with quoted text', async () => {
    const error = new AppError('credentials_refused', { reason: '\u001B[2Jgone\nnext: rm' });
    const { stderr } = await act(fails(error));
    expect(stderr).toContain('\\u001b[2Jgone\\nnext: rm\n');
  });

  test('with an unknown error is a bug, with its stack and where to report it', async () => {
    const { exitCode, stderr } = await act(fails(new TypeError('x is not a function')));
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(
      /error bug this is a bug in dataimport: TypeError: x is not a function\n {2}TypeError: x/,
    );
    expect(stderr).toMatch(/main\.test\.ts/);
    expect(stderr).toMatch(/next: Please report it with the output of `dataimport --version`\.\n$/);
  });
});

describe('the result of a command', () => {
  const ended: CommandEnd = { exit: 'OK', result: { fields: { answer: 42 }, text: () => ['42'] } };

  test('is one document with --json', async () => {
    const { stdout } = await act(
      command(() => ended),
      ['--json'],
    );
    expect(JSON.parse(stdout)).toEqual({
      version: 1,
      exit: { code: 0, name: 'OK' },
      answer: 42,
      problems: [],
      next: null,
    });
  });

  test('is replaced by the failure of a closing step, so that there is one document', async () => {
    const commands = command((context) => {
      context.onClose(() =>
        Promise.reject(new AppError('run_not_writable', { folder: 'runs', reason: 'ENOSPC' })),
      );
      return ended;
    });
    const { exitCode, stdout } = await act(commands, ['--json']);
    expect(exitCode).toBe(8);
    expect(JSON.parse(stdout)).toMatchObject({ exit: { name: 'RUN_FILE' } });
  });
});

test('a command can run a command line of the same program in another world', async () => {
  const inner = fakeIo();
  const io = fakeIo();
  const commands = command(async (context) => {
    if (context.io === inner) return 'PARTIAL';
    expect(await context.runCommandLine(['act'], inner)).toBe(6);
    return 'OK';
  });
  expect((await act(commands, [], io)).exitCode).toBe(0);
});

describe('closing', () => {
  test('runs the last registered step first, and all steps even if one fails', async () => {
    const closed: string[] = [];
    const commands = command((context) => {
      context.onClose(() => void closed.push('first opened'));
      context.onClose(() => {
        closed.push('second opened');
        throw new Error('cannot close');
      });
      context.onClose(async () => void closed.push('third opened'));
      return 'OK';
    });
    expect((await act(commands)).exitCode).toBe(1);
    expect(closed).toEqual(['third opened', 'second opened', 'first opened']);
  });
});

describe('standard output', () => {
  test('may lose its reader without a failure', async () => {
    const io = fakeIo({ stdoutFailure: 'EPIPE' });
    expect(
      await act(
        command(() => 'PARTIAL'),
        [],
        io,
      ),
    ).toEqual({ exitCode: 6, stdout: '', stderr: '' });
  });

  test('on a full disk fails a successful command, which was typed well, and leaves any other end', async () => {
    const full = async (exit: CommandEnd['exit']) =>
      act(
        command(() => exit),
        [],
        fakeIo({ stdoutFailure: 'ENOSPC' }),
      );
    const { exitCode, stderr } = await full('OK');
    expect(exitCode).toBe(8);
    expect(stderr).toBe(
      `dataimport: error run_not_writable the command has ended, but its result was not written to standard output: no space is left
next: Type the same command again, with its output to a place that has room.
`,
    );
    expect((await full('INPUT_INVALID')).exitCode).toBe(3);
  });
});

describe('--log-file', () => {
  test('gets start, events and end as NDJSON, readable by its owner only', async () => {
    const io = fakeIo();
    const commands = command(
      (context) => (context.log.write('request', { method: 'GET', outcome: 200 }), 'OK'),
    );
    await act(commands, ['--log-file', 'log.ndjson'], io);
    await act(
      command(() => 'REFUSED'),
      ['--log-file', 'log.ndjson'],
      io,
    );
    const file = join(io.cwd, 'log.ndjson');
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { time: io.timing.nowMs(), event: 'start', command: 'act', version: '9.8.7', pid: 4711 },
      { event: 'request', method: 'GET', outcome: 200 },
      { event: 'end', exit: 'OK', code: 0 },
      { event: 'start' },
      { event: 'end', exit: 'REFUSED', code: 4 },
    ]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('stops the command before it starts when the file cannot be opened', async () => {
    const commands = command(() => {
      throw new Error('ran');
    });
    expect(await act(commands, ['--log-file', '-'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('--log-file takes a file, not standard output') as string,
    });
    const { exitCode, stderr } = await act(commands, ['--log-file', 'missing/log.ndjson']);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/error file_not_writable .*missing\/log\.ndjson cannot be written: no such file/);
  });
});

test('a deleted folder is named in one sentence, also for --version, and any other one is no obstacle', async () => {
  const facts = { file: 'the current folder', reason: 'it was deleted' };
  for (const argv of [['--version'], ['--help'], ['runs']]) {
    const io = Object.defineProperty(fakeIo(), 'cwd', {
      get: () => {
        throw new AppError('file_not_readable', facts);
      },
    });
    expect(await main(argv, io)).toBe(2);
    expect(io.printed.stderr).toMatch(
      /^dataimport: error \w+ the current folder cannot be read: it was deleted\nnext: .*\n$/,
    );
  }
  expect((await runCli(['--version'])).exitCode).toBe(0);
});

test('colours are shown on a terminal only, and not when the user says so', () => {
  const isColored = (io: FakeIo) => mayColor(io.stderr, io);
  expect(isColored(fakeIo({ isTTY: true }))).toBe(true);
  expect(isColored(fakeIo({ isTTY: false }))).toBe(false);
  expect(isColored(fakeIo({ isTTY: true, env: { NO_COLOR: '1' } }))).toBe(false);
  expect(isColored(fakeIo({ isTTY: true, env: { TERM: 'dumb' } }))).toBe(false);
});

test('--version prints the version, alone and beside other flags', async () => {
  expect((await runCli(['--version'])).stdout).toBe('9.8.7\n');
  expect(await runCli(['--json', '--version'])).toMatchObject({ exitCode: 0, stdout: '9.8.7\n', stderr: '' });
});
