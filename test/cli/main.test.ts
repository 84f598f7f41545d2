import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { CommandContext, ListedCommand } from '../../src/cli/command.ts';
import type { ExitName } from '../../src/cli/exit-codes.ts';
import { main } from '../../src/cli/main.ts';
import { exitDocument } from '../../src/cli/render/json-output.ts';
import { AppError } from '../../src/core/app-error.ts';
import { fakeIo, runCli, type FakeIo } from '../support/cli-io.ts';

/** A command whose run function is the test's. */
function command(run: (context: CommandContext) => ExitName | Promise<ExitName>): readonly ListedCommand[] {
  const title = { name: 'act', group: 'Look', summary: 'Act' } as const;
  const declared = {
    ...title,
    examples: ['dataimport act'] as const,
    settings: [],
    declare: () => undefined,
  };
  return [{ ...title, load: async () => ({ ...declared, run: async (_, context) => run(context) }) }];
}

const fails = (error: unknown) => command(() => Promise.reject(error));

async function act(commands: readonly ListedCommand[], argv: readonly string[] = [], io: FakeIo = fakeIo()) {
  const exitCode = await main(['act', ...argv], io, commands);
  return { exitCode, ...io.printed };
}

describe('a command that fails', () => {
  test('ends with the exit code of its error and says what to do next', async () => {
    expect(await act(fails(new AppError('port_taken', { port: 4010, host: '127.0.0.1' })))).toEqual({
      exitCode: 2,
      stdout: '',
      stderr:
        'dataimport: error port_taken port 4010 on 127.0.0.1 is taken\n' +
        'next: Stop the program that listens there, or serve a second platform with `--port 0 --db second.sqlite`: each has a database of its own.\n',
    });
  });

  test('names the place in the file, in the form that editors read', async () => {
    const { stderr } = await act(
      fails(new AppError('quote_not_closed', { file: 'a.csv', line: 7, column: 2 })),
    );
    expect(stderr).toMatch(/^a\.csv:7:2 error quote_not_closed /);
  });

  test('does not name a file twice that its sentence names', async () => {
    const { stderr } = await act(
      fails(new AppError('file_not_readable', { file: 'a.csv', reason: 'ENOENT' })),
    );
    expect(stderr).toBe(
      'dataimport: error file_not_readable a.csv cannot be read: ENOENT\nnext: Check the path, and that you may read what is there.\n',
    );
  });

  test('with --json prints exactly one document, and the words go to standard error', async () => {
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

  test('cannot write to the terminal with what it quotes', async () => {
    const error = new AppError('credentials_refused', { reason: '\u001B[2Jgone\nnext: rm' });
    const { stderr } = await act(fails(error));
    expect(stderr).toContain('\\u001b[2Jgone\\nnext: rm\n');
  });

  test('with anything but an error of the table is a bug: stack and where to report', async () => {
    const { exitCode, stderr } = await act(fails(new TypeError('x is not a function')));
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(
      /error bug this is a bug in dataimport: TypeError: x is not a function\n {2}TypeError: x/,
    );
    expect(stderr).toMatch(/main\.test\.ts/);
    expect(stderr).toMatch(/next: Please report it with the output of `dataimport --version`\.\n$/);
  });

  test('with something that is no error at all is a bug as well', async () => {
    expect(await act(fails('a string'))).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('a string') as string,
    });
  });
});

describe('the document of a command', () => {
  const document = { version: 1, exit: exitDocument('OK'), answer: 42 } as const;

  test('is printed with --json', async () => {
    const { stdout } = await act(
      command((context) => (context.document(document), 'OK')),
      ['--json'],
    );
    expect(JSON.parse(stdout)).toEqual(document);
  });

  test('is not printed without --json', async () => {
    expect((await act(command((context) => (context.document(document), 'OK')))).stdout).toBe('');
  });

  test('gives way to the failure when closing fails after it, so that there is one document', async () => {
    const commands = command((context) => {
      context.document(document);
      context.onClose(() =>
        Promise.reject(new AppError('run_not_writable', { folder: 'runs', reason: 'ENOSPC' })),
      );
      return 'OK';
    });
    const { exitCode, stdout } = await act(commands, ['--json']);
    expect(exitCode).toBe(8);
    expect(JSON.parse(stdout)).toMatchObject({ exit: { name: 'RUN_FILE' } });
  });
});

describe('closing', () => {
  test('runs last in, first out, and goes on when one step fails', async () => {
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

  test('happens after a failure, which stays the one that is reported', async () => {
    const closed: string[] = [];
    const commands = command((context) => {
      context.onClose(() => {
        closed.push('closed');
        throw new Error('cannot close');
      });
      throw new AppError('wait_timed_out', { status: 'UNKNOWN', seconds: 1 });
    });
    expect(await act(commands)).toMatchObject({
      exitCode: 5,
      stderr: expect.stringContaining('wait_timed_out') as string,
    });
    expect(closed).toEqual(['closed']);
  });
});

describe('standard output', () => {
  test('may lose its reader without that being a failure', async () => {
    const io = fakeIo({ stdoutFailure: 'EPIPE' });
    expect(
      await act(
        command(() => 'PARTIAL'),
        [],
        io,
      ),
    ).toEqual({ exitCode: 6, stdout: '', stderr: '' });
  });

  test('that cannot be written fails a command that was fine', async () => {
    const { exitCode, stderr } = await act(
      command(() => 'OK'),
      [],
      fakeIo({ stdoutFailure: 'ENOSPC' }),
    );
    expect(exitCode).toBe(2);
    expect(stderr).toContain('standard output cannot be written (ENOSPC)');
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

  test('that cannot be opened stops the command before it starts', async () => {
    const commands = command(() => {
      throw new Error('ran');
    });
    expect(await act(commands, ['--log-file', '-'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('--log-file takes a file, not standard output') as string,
    });
    const { exitCode, stderr } = await act(commands, ['--log-file', 'missing/log.ndjson']);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/the log file .*missing\/log\.ndjson cannot be written \(ENOENT\)/);
  });
});

describe('colours', () => {
  const colours = async (io: FakeIo, argv: readonly string[] = []) => {
    let seen: CommandContext['color'] | undefined;
    await act(
      command((context) => ((seen = context.color), 'OK')),
      argv,
      io,
    );
    return seen;
  };
  const all = { stdout: true, stderr: true };
  const none = { stdout: false, stderr: false };

  test('are shown on a terminal only, and not when the user says so', async () => {
    expect(await colours(fakeIo({ isTTY: true }))).toEqual(all);
    expect(await colours(fakeIo({ isTTY: false }))).toEqual(none);
    expect(await colours(fakeIo({ isTTY: true }), ['--no-color'])).toEqual(none);
    expect(await colours(fakeIo({ isTTY: true, env: { NO_COLOR: '1' } }))).toEqual(none);
    expect(await colours(fakeIo({ isTTY: true, env: { TERM: 'dumb' } }))).toEqual(none);
  });
});

test('--version alone and beside other flags is the version', async () => {
  expect((await runCli(['--version'])).stdout).toBe('9.8.7\n');
  expect(await runCli(['--json', '--version'])).toMatchObject({ exitCode: 0, stdout: '9.8.7\n', stderr: '' });
});
