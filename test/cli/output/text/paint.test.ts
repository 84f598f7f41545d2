import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters, styleText } from 'node:util';
import { describe, expect, test } from 'vitest';
import { fakeIo, runCli, type FakeIo } from '../../../support/cli-io.ts';
import { HEADER, REFUSED } from '../../../support/refused-account.ts';

const colored = (color: 'red' | 'yellow' | 'cyan', text: string): string =>
  styleText(color, text, { validateStream: false });
const ERROR = colored('red', 'error');
const WARNING = colored('yellow', 'warning');

const NOW_MS = Date.UTC(2026, 10, 21);
const ROWS = ['1.00', '0.00', '0.00', '0.00', 'x', 'y'].map(
  (amount, at) => `ACME,1001,t-${at},2026-02-01,CREDIT,${amount}`,
);

/** A folder with a file of two errors and three warnings, and terminals where the test wants them. */
function world(
  terminals: readonly ('stdout' | 'stderr')[],
  env: Readonly<Record<string, string>> = {},
): FakeIo {
  const io = fakeIo({ env, nowMs: NOW_MS });
  writeFileSync(join(io.cwd, 't.csv'), `${[HEADER, ...ROWS].join('\n')}\n`);
  return terminalsOf(io, terminals);
}

function terminalsOf(io: FakeIo, terminals: readonly ('stdout' | 'stderr')[]): FakeIo {
  const [stdout, stderr] = (['stdout', 'stderr'] as const).map((name) => ({
    ...io[name],
    isTTY: terminals.includes(name),
  }));
  return { ...io, stdout: stdout!, stderr: stderr! };
}

const check = (io: FakeIo, ...flags: string[]) => runCli(['check', 'transactions', 't.csv', ...flags], io);

test('a check on a terminal shows errors, warnings and places in colour, and the worst cause first', async () => {
  const { stdout } = await check(world(['stdout']));
  const plain = (await check(world([]))).stdout;
  expect(stripVTControlCharacters(stdout)).toBe(plain);
  const lines = stdout.split('\n');
  expect(lines.slice(1, 3)).toEqual([
    `  ${ERROR}     invalid      amount      2  ${colored('cyan', '6, 7')}`,
    `  ${WARNING}   zero_amount  amount      3  ${colored('cyan', '3, 4, 5')}`,
  ]);
  expect(lines[3]).toContain(`${colored('cyan', 't.csv:6:6')} ${ERROR} invalid amount`);
  expect(lines[5]).toBe(
    `${colored('cyan', 't.csv:3:6')} ${WARNING} zero_amount amount is zero (and 2 more rows)`,
  );
});

describe('no colour is written', () => {
  test.each([
    ['off a terminal', [], {}, []],
    ['where only the other stream is a terminal', ['stderr'], {}, []],
    ['with NO_COLOR', ['stdout'], { NO_COLOR: '1' }, []],
    ['on a dumb terminal', ['stdout'], { TERM: 'dumb' }, []],
    ['into the document of --json', ['stdout'], {}, ['--json']],
    ['with FORCE_COLOR=0', ['stdout'], { FORCE_COLOR: '0' }, []],
  ] as const)('%s', async (_, terminals, env, flags) => {
    const { stdout } = await check(world(terminals, env), ...flags, '--no-progress');
    expect(stdout).toContain('invalid');
    expect(stripVTControlCharacters(stdout)).toBe(stdout);
  });
});

describe('the failure of a command', () => {
  const run = (io: FakeIo, ...flags: string[]) => runCli(['check', 'notes', 'missing.csv', ...flags], io);

  test('is in colour where standard error is a terminal', async () => {
    expect((await run(world(['stderr']))).stderr).toMatch(`dataimport: ${ERROR} file_not_readable`);
    expect((await run(world(['stdout']))).stderr).toMatch('dataimport: error file_not_readable');
  });
});

test('control characters of a file never become colours', async () => {
  const io = world(['stdout']);
  writeFileSync(join(io.cwd, 't.csv'), `${HEADER.replace('amount', 'am\u001b[31mount')}\n${REFUSED}\n`);
  const { stdout, stderr } = await check(io);
  expect(stdout + stderr).toContain(String.raw`am\u001b[31mount`);
});
