import { describe, expect, test } from 'vitest';
import { parseCommandLine } from '../../../src/cli/program/command-line.ts';
import type { CommandDeclaration, ListedCommand } from '../../../src/cli/command/command.ts';
import { COMMANDS } from '../../../src/cli/program/command-list.ts';
import { AppError } from '../../../src/core/app-error.ts';
import { fakeIo, runCli } from '../../support/cli-io.ts';

const NO_FLAGS = { json: false, quiet: false, verbose: false, progress: true };

async function parse(argv: readonly string[], env: Record<string, string> = {}) {
  const line = await parseCommandLine(argv, fakeIo({ env }));
  if (!line) throw new Error('help or version was printed');
  const { command, ...rest } = line;
  return { name: command.name, ...rest };
}

async function usageOf(argv: readonly string[], env: Record<string, string> = {}) {
  try {
    await parse(argv, env);
  } catch (error) {
    if (error instanceof AppError) return { code: error.code, ...error.facts };
    throw error;
  }
  throw new Error('the command line was accepted');
}

describe('a typed command line becomes options', () => {
  test.each([
    [['status', '1001'], 'status', { account: '1001' }, {}],
    [['status', '--', '-7'], 'status', { account: '-7' }, {}],
    [
      ['status', '1', '--supplier', 'S', '--base-url=https://h'],
      'status',
      { account: '1' },
      { supplier: 'S', baseUrl: 'https://h' },
    ],
    [['accounts'], 'accounts', {}, {}],
    [['accounts', '--state', 'imported'], 'accounts', { state: 'imported' }, {}],
    [['auth'], 'auth', {}, {}],
    [['explain'], 'explain', {}, {}],
    [['explain', 'required'], 'explain', { code: 'required' }, {}],
  ])('%j', async (argv, name, options, settingFlags) => {
    expect(await parse(argv)).toEqual({ name, options, settingFlags, globals: NO_FLAGS });
  });
});

describe('one variable for each flag', () => {
  test('sets flags of the program and of the command', async () => {
    const env = {
      DATAIMPORT_JSON: '1',
      DATAIMPORT_NO_PROGRESS: 'true',
      DATAIMPORT_PORT: '0',
    };
    expect(await parse(['serve'], env)).toMatchObject({
      globals: { json: true, progress: false },
      options: { port: 0 },
    });
  });

  test('a typed flag comes before its variable', async () => {
    expect(await parse(['serve', '--port', '1'], { DATAIMPORT_PORT: '2' })).toMatchObject({
      options: { port: 1 },
    });
  });

  test.each([
    [{ DATAIMPORT_PORT: '70000' }, 'DATAIMPORT_PORT: it must be a whole number from 0 to 65535'],
    [{ DATAIMPORT_JSON: 'maybe' }, 'DATAIMPORT_JSON must be true or false'],
  ])('%j is a usage error that names the variable', async (env, reason) => {
    expect(await usageOf(['serve'], env as Record<string, string>)).toMatchObject({ code: 'usage', reason });
  });
});

const WHERE_KEYS_GO = ': no flag takes a key or token; set DATAIMPORT_API_KEY or DATAIMPORT_TOKEN';

describe('a command line that makes no sense', () => {
  test.each([
    [['stats'], '', "unknown command 'stats'; did you mean status?"],
    [['runs', 'shwo'], 'runs', "unknown command 'shwo'; did you mean show?"],
    [['runs', '--run-dir', 'shwo', 'forgte', 'x'], 'runs', "unknown command 'forgte'; did you mean forget?"],
    [['runs', 'sk_live'], 'runs', "too many arguments for 'runs'. Expected 0 arguments but got 1"],
    [['contract', 'shwo'], 'contract', "unknown command 'shwo'; did you mean show?"],
    [['admin', 'acounts'], 'admin', "unknown command 'acounts'; did you mean accounts?"],
    [['status', '1', '--rceord'], 'status', "unknown option '--rceord'; did you mean --record?"],
    [['status'], 'status', "missing required argument 'account'"],
    [['status', '1', '2'], 'status', /too many arguments/],
    [
      ['push', 'notes', 'a.csv', '--max-duration', '5'],
      'push',
      /argument '5' is invalid. it must be a span of time/,
    ],
    [['serve', '--port', '-1'], 'serve', /'-1' is invalid. it must be a whole number from 0 to 65535/],
    [['accounts', '--pending'], 'accounts', 'there is no --pending any more: `--state pending` does this'],
    [['explain', '--api-key', 'k'], 'explain', /unknown option '--api-key'/],
    [['status', '1', '--supplier'], 'status', /argument missing/],
    [['push', '--batchsize', '5'], 'push', "unknown option '--batchsize'; did you mean --batch-size?"],
    [['check', '--jsn'], 'check', "unknown option '--jsn'; did you mean --json?"],
    [['check', '--colour=red', '--api-key=k'], 'check', "unknown option '--colour'"],
    [['check', '--api-key=sk_live'], 'check', `unknown option '--api-key'${WHERE_KEYS_GO}`],
    [['check', "--api-key=it's"], 'check', `unknown option '--api-key'${WHERE_KEYS_GO}`],
    [['check', 'notes', 'n.csv', '--token', 'sk_live'], 'check', `unknown option '--token'${WHERE_KEYS_GO}`],
    [['check', 'notes', 'n.csv', '-ksk_live'], 'check', "unknown option '-k'"],
    [['push', 'bogus'], 'push', /invalid for argument 'resource'/],
    [['verify', 'bogus', 'x', '--token', 'sk_live'], 'verify', `unknown option '--token'${WHERE_KEYS_GO}`],
    [['version'], '', /^unknown command; the commands are: /],
    [['-V'], '', "unknown option '-V'"],
    [['status', '-7', '--bogus'], 'status', "unknown option '--bogus'"],
    [['status', '-7x'], 'status', "unknown option '-7'"],
    [['auth', 'sk_live', 'x'], 'auth', "too many arguments for 'auth'. Expected 0 arguments but got 2"],
    [['status', 'sk_live', 'x'], 'status', "too many arguments for 'status'. Expected 1 argument but got 2"],
    [
      ['check', 'transaction', 'f.csv'],
      'check',
      "'transaction' is invalid for argument 'resource'. Allowed choices are notes, transactions, statements, payment-instructions.",
    ],
    [
      ['verify', 'transaction', 'f.csv'],
      'verify',
      /or the name of a \.yaml file; did you mean transactions\?$/,
    ],
    [
      ['push', 'notes', 'n.csv', '--on-reject', 'sotp'],
      'push',
      "option '--on-reject <what>' argument 'sotp' is invalid. Allowed choices are stop, skip.",
    ],
    [
      ['push', 'notes', 'n.csv', '--on-reject', 'x\ny'],
      'push',
      "option '--on-reject <what>' argument 'x y' is invalid. Allowed choices are stop, skip.",
    ],
  ])('%j', async (argv, command, reason) => {
    expect(await usageOf(argv)).toMatchObject({
      code: 'usage',
      command,
      reason: typeof reason === 'string' ? reason : (expect.stringMatching(reason) as string),
    });
  });

  test('ends with 2 and names the help command', async () => {
    expect(await runCli(['status'])).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr:
        "dataimport: error usage missing required argument 'account'\nnext: See `dataimport status --help`.\n",
    });
    expect((await runCli(['stats'])).stderr).toContain('next: See `dataimport --help`.\n');
  });
});

test.each([
  [[], ''],
  [['contract'], ' contract'],
  [['admin'], ' admin'],
  [['help'], ''],
  [['--help'], ''],
  [['help', '--help'], ''],
  [['help', 'help'], ''],
  [['status', '-h'], ' status'],
  [['help', 'auth'], ' auth'],
  [['help', 'serve'], ' serve'],
  [['help', 'admin', 'account'], ' admin account'],
  [['help', 'runs', 'show'], ' runs show'],
])('%j asks for help, gets it once on standard output, and that is fine', async (argv, of) => {
  const { exitCode, stderr, stdout } = await runCli(argv);
  expect([exitCode, stderr]).toEqual([0, '']);
  expect(stdout.split('Usage: ')).toEqual(['', expect.stringContaining(`dataimport${of} [options]`)]);
});

test.each([
  [['--json'], {}, ['push', 'serve', 'explain'], 'dataimport --help'],
  [['contract', '--json'], {}, ['import', 'show', 'diff'], 'dataimport contract --help'],
  [['admin', '--json'], {}, ['account', 'reset'], 'dataimport admin --help'],
  [['contract'], { DATAIMPORT_JSON: 'true' }, ['show'], 'dataimport contract --help'],
])(
  '%j with %j lacks a command: a script gets a document and those that there are',
  async (argv, env, names, help) => {
    const { exitCode, json } = await runCli(argv, fakeIo({ env }));
    expect(exitCode).toBe(2);
    expect(json()).toMatchObject({
      exit: { name: 'USAGE' },
      problems: [
        {
          code: 'usage',
          detail: expect.stringMatching(/^a command is missing; the commands are: /) as string,
        },
      ],
      next: `See \`${help}\`.`,
    });
    const [{ detail }] = json()['problems'] as [{ detail: string }];
    expect(detail.split(': ')[1]!.split(', ')).toEqual(expect.arrayContaining(names));
  },
);

test('the help of a command has the flags of an ordinary day, and all of them on request', async () => {
  const flagsIn = async (...argv: string[]) =>
    [...(await runCli(argv)).stdout.matchAll(/^ +(?:-\w, )?(--[a-z-]+)/gm)].map(([, flag]) => flag!);
  const [few, all] = [await flagsIn('push', '--help'), await flagsIn('push', '--help', '--all')];
  expect(few.length).toBeLessThanOrEqual(10);
  expect(all).toEqual(expect.arrayContaining([...few, '--concurrency']));
  expect(all).not.toContain('--json');
  expect(await flagsIn('--help')).toContain('--json');
});

describe('the list of commands', () => {
  test('loads only the commands whose names are typed', async () => {
    const loads: string[] = [];
    const commands = COMMANDS.map((listed) => ({
      ...listed,
      load: () => (loads.push(listed.name), listed.load()),
    }));
    await parseCommandLine(['auth', '--supplier', 'serve'], fakeIo(), commands);
    expect(loads).toEqual(['auth']);
    loads.length = 0;
    // The value of a flag may be the name of a command.
    await parseCommandLine(['--json', 'auth', '--supplier', 'serve'], fakeIo(), commands);
    expect(loads).toEqual(['auth', 'serve']);
  });

  test('has only examples that can be parsed', async () => {
    for (const listed of COMMANDS) {
      for (const example of (await listed.load()).examples) {
        // The output of a completion is for the shell: `eval "$(dataimport …)"`.
        const [, command = example] = /^eval "\$\((.*)\)"$/.exec(example) ?? [];
        // Split as by a shell: a text in quotes is one word.
        const words = [...command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)];
        const [program, ...argv] = words.map(([, single, double, word]) => single ?? double ?? word!);
        expect(program).toBe('dataimport');
        // The help of a family may show a sub-command: `runs show`.
        expect(`${(await parse(argv)).name} `.startsWith(`${listed.name} `), example).toBe(true);
      }
    }
  });
});

describe('a command below another one', () => {
  const command = (name: string, flag: string): ListedCommand => {
    const declaration: CommandDeclaration<object> = {
      examples: [`dataimport ${name}`],
      settings: ['runDir'],
      declare: (parsed) => void parsed.option('--all').option(flag),
      run: () => Promise.reject(new Error('unexpected run')),
    };
    return { name, group: 'Look', summary: name, load: async () => declaration };
  };
  const commands = [command('runs', '--newest'), command('runs show', '--rows')];
  const read = (...argv: string[]) => parseCommandLine(argv, fakeIo(), commands);

  test('gets the flags after it, even flags that both commands have', async () => {
    expect(await read('runs', 'show', '--run-dir', 'a', '--all', '--rows', '--json')).toMatchObject({
      command: { name: 'runs show' },
      settingFlags: { runDir: 'a' },
      options: { all: true, rows: true },
      globals: { json: true },
    });
  });
});
