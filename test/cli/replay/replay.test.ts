import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { fakeIo, runCli } from '../../support/cli-io.ts';
import { SMALL_FIXTURE, writeFixture } from '../../support/replay-fixture.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

type Changed = Readonly<Record<string, string | null>>;

/** A folder with fixtures, and `replay` typed in it. */
function folderWith(fixtures: Readonly<Record<string, Changed>>): string {
  const cwd = temporaryFolder();
  for (const [name, changed] of Object.entries(fixtures)) writeFixture(join(cwd, name), changed);
  return cwd;
}

function replayIn(cwd: string, ...args: readonly string[]) {
  return runCli(['replay', ...args], fakeIo({ cwd }));
}

function expectationOf(cwd: string, folder: string): string {
  return readFileSync(join(cwd, folder, 'expected.yaml'), 'utf8');
}

const EXPECTED = SMALL_FIXTURE['expected.yaml'];

describe('a folder whose expectation is met', () => {
  test('ends with 0', async () => {
    const result = await replayIn(folderWith({ small: {} }), 'small');
    expect(result).toMatchObject({
      exitCode: 0,
      stdout: 'same         small  (1 step)\n1 folder: 1 same\n',
      stderr: '',
    });
  });

  test('may leave out the digests of the ledger, and then misses a change that no sum shows', async () => {
    const changed = {
      'transactions.csv': SMALL_FIXTURE['transactions.csv'].replace('2026-02-03', '2026-02-04'),
      'expected.yaml': EXPECTED.replaceAll(/, content: \w+/g, ''),
    };
    expect((await replayIn(folderWith({ small: changed }), 'small')).exitCode).toBe(0);
  });

  test('is replayed on its own day, whatever day it is', async () => {
    const early = EXPECTED.replace('today: 2026-11-21', 'today: 2026-02-02');
    const result = await replayIn(folderWith({ small: { 'expected.yaml': early } }), 'small');
    expect(result.exitCode).toBe(1);
    expect(result.stdout).toContain(
      '+      - { code: transaction_in_future, file: transactions.csv, line: 4, column: 4 }',
    );
  });
});

describe('faults of an expectation', () => {
  const withFaults = (rule: string): Changed => ({
    'expected.yaml': EXPECTED.replace('steps:', `faults: ['${rule}']\nsteps:`),
  });

  test('are armed: a retry leads to the same records', async () => {
    const retried = withFaults('transactions accept status=503 times=1');
    expect((await replayIn(folderWith({ small: retried }), 'small')).exitCode).toBe(0);
  });

  test('that are wrong are reported', async () => {
    const cwd = folderWith({ small: withFaults('transactions sometime') });
    const { exitCode, stderr } = await replayIn(cwd, 'small');
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('error seed_invalid the fault ')]);
  });
});

describe('a difference', () => {
  test.each(
    Object.entries<[Changed, string[]]>({
      'one cell of the CSV': [
        { 'transactions.csv': SMALL_FIXTURE['transactions.csv'].replace('7.25', '7.26') },
        [
          "-      - { type: CHARGE, count: 2, read: '17.25', accepted: '17.25' }",
          "+  - { kind: transaction, type: CHARGE, count: 2, sum: '17.26', content: c6141b9c23326b6e }",
        ],
      ],
      'one date, which no sum shows': [
        { 'transactions.csv': SMALL_FIXTURE['transactions.csv'].replace('2026-02-03', '2026-02-04') },
        ["-  - { kind: transaction, type: CHARGE, count: 2, sum: '17.25', content: 7ac3035c14d2e010 }"],
      ],
      'one account of the seed': [
        { 'seed.yaml': SMALL_FIXTURE['seed.yaml'].replace("'2', state: imported", "'2', state: staged") },
        ['-    exit: OK', '+    exit: REFUSED'],
      ],
      'one count of the expectation': [
        { 'expected.yaml': EXPECTED.replace('created: 3', 'created: 2') },
        ['-    rows: { read: 3, created: 2 }', '+    rows: { read: 3, created: 3 }'],
      ],
      'one line of the expected ledger': [
        { 'expected.yaml': EXPECTED.replace(/ {2}- \{ kind: transaction, type: CREDIT.*\n/, '') },
        ["+  - { kind: transaction, type: CREDIT, count: 1, sum: '2.50', content: 62942d727321e378 }"],
      ],
    }),
  )('in %s is shown as a diff and ends with 1', async (_what, [changed, lines]) => {
    const result = await replayIn(folderWith({ small: changed }), 'small');
    expect(result.exitCode).toBe(1);
    for (const line of lines) expect(result.stdout).toContain(`\n  ${line}\n`);
    expect(result.stdout).toContain('`dataimport replay --update small`');
  });

  test('in the exit code is shown with standard error of the step', async () => {
    const changed = { 'transactions.csv': SMALL_FIXTURE['transactions.csv'].replace('7.25', 'seven') };
    const { stderr } = await replayIn(folderWith({ small: changed }), 'small');
    expect(stderr).toMatch(
      /^small: push transactions transactions\.csv\ntransactions\.csv:4:5 error invalid /,
    );
  });
});

test('--update writes the results, and does not change commands and comments', async () => {
  const wrong = EXPECTED.replace('created: 3', 'created: 1, invalid: 2').replace("sum: '2.50'", "sum: '0'");
  const cwd = folderWith({ small: { 'expected.yaml': wrong } });
  expect(await replayIn(cwd, 'small', '--update')).toMatchObject({
    exitCode: 0,
    stdout: 'updated      small  (1 step)\n1 folder: 1 updated\n',
  });
  expect(expectationOf(cwd, 'small')).toBe(EXPECTED);
});

describe('a folder that cannot be replayed', () => {
  test.each(
    Object.entries<[Changed, string]>({
      'without an expectation': [
        { 'expected.yaml': null },
        'error file_not_readable small/expected.yaml cannot be read: ',
      ],
      'with an unknown key': [
        { 'expected.yaml': EXPECTED.replace('exit: OK', 'exitt: OK') },
        'small/expected.yaml:6:5 error document_invalid the expectation cannot be used: steps.0: unrecognized key: "exitt"',
      ],
      'with an unknown exit': [
        { 'expected.yaml': EXPECTED.replace('exit: OK', 'exit: FINE') },
        'small/expected.yaml:7:11 error document_invalid ',
      ],
      'with a sum that YAML reads as a number': [
        { 'expected.yaml': EXPECTED.replace("sum: '2.50'", 'sum: 2.50') },
        'small/expected.yaml:16:55 error document_invalid ',
      ],
      'with a day that does not exist': [
        { 'expected.yaml': EXPECTED.replace('11-21', '11-31') },
        'small/expected.yaml:3:8 error document_invalid the expectation cannot be used: today: must be a calendar date',
      ],
      'with YAML that cannot be read': [
        { 'expected.yaml': 'version: 1\nsteps: [' },
        'small/expected.yaml:2:9 error document_invalid the expectation cannot be used: it is not readable YAML: Flow sequence ',
      ],
      'with a quotation mark that is not closed': [
        { 'expected.yaml': EXPECTED.replace('push transactions', 'push "transactions') },
        'error document_invalid the expectation cannot be used: the step `push "transactions transactions.csv` cannot be run: a quotation mark is not closed',
      ],
      'that would replay a replay': [
        { 'expected.yaml': EXPECTED.replace('push transactions transactions.csv', 'replay .') },
        'a step is one of: check, push, migrate, resume',
      ],
    }),
  )('%s is told and ends with 2', async (_what, [changed, told]) => {
    const { exitCode, stderr } = await replayIn(folderWith({ small: changed }), 'small');
    expect(exitCode).toBe(2);
    expect(stderr).toContain(told);
  });
});

describe('the outside world', () => {
  test('does not matter: settings and variables of the user do not reach a step', async () => {
    const cwd = folderWith({ small: {} });
    const env = {
      DATAIMPORT_BASE_URL: 'https://platform.example',
      DATAIMPORT_API_KEY: 'not-of-the-seed',
      DATAIMPORT_SUPPLIER: 'OTHER',
      DATAIMPORT_SKIP_INVALID: 'maybe',
      HTTPS_PROXY: 'http://127.0.0.1:1',
    };
    expect((await runCli(['replay', 'small'], fakeIo({ cwd, env }))).exitCode).toBe(0);
  });

  test('has no trace of a replay afterwards', async () => {
    const cwd = folderWith({ small: {} });
    const ofThisTest = temporaryFolder();
    vi.stubEnv('TMPDIR', ofThisTest);
    onTestFinished(() => void vi.unstubAllEnvs());
    await replayIn(cwd, 'small');
    expect(readdirSync(join(cwd, 'small')).toSorted()).toEqual(Object.keys(SMALL_FIXTURE).toSorted());
    expect(existsSync(join(cwd, '.dataimport'))).toBe(false);
    expect(readdirSync(ofThisTest).filter((name) => name.startsWith('dataimport-replay-'))).toEqual([]);
  });
});

test('--junit writes a test for each folder, and the difference of one that differs', async () => {
  const cwd = folderWith({
    same: {},
    small: { 'expected.yaml': EXPECTED.replace('exit: OK', 'exit: PARTIAL') },
  });
  expect((await replayIn(cwd, 'same', 'small', '--junit', 'out.xml')).exitCode).toBe(1);
  const text = readFileSync(join(cwd, 'out.xml'), 'utf8');
  expect(text).toContain('<testsuites name="dataimport replay" tests="2" failures="1"');
  expect(text).toContain('<testcase classname="replay" name="same" time="');
  expect(text).toContain('<failure message="differs from its expectation">');
  expect(text).toContain('exit: PARTIAL');
});

test('in a step of GitHub Actions a folder that differs is annotated', async () => {
  const cwd = folderWith({
    same: {},
    small: { 'expected.yaml': EXPECTED.replace('exit: OK', 'exit: PARTIAL') },
  });
  const env = { GITHUB_ACTIONS: 'true' };
  const { exitCode, stdout } = await runCli(['replay', 'same', 'small'], fakeIo({ cwd, env }));
  expect(exitCode).toBe(1);
  expect(stdout.match(/^::error .*/gm)).toEqual([
    expect.stringMatching(/^::error file=small\/expected\.yaml,line=1,title=replay differs::/),
  ]);
});
