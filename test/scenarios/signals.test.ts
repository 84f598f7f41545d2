import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runDocument } from '../support/json-documents.ts';
import { dataimportInGroup, dataimportWith, untilStored } from '../support/built-cli.ts';
import { ledgerOf } from '../support/ledger.ts';
import { firstRows, QUICKSTART } from '../support/quickstart.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { platformHere, wordsTypedHere } from '../support/typed-command.ts';

const ROWS = 60;

/** Slow answers, so that few rows are enough for a signal in the middle. */
const SLOW = ['--fault', 'any after-commit delay=20'];

/** A platform, and the words of a push to it that takes a while. */
async function slowPush() {
  const cwd = temporaryFolder();
  const seed = join(QUICKSTART, 'seed.yaml');
  const platform = await platformHere(['--seed', seed, ...SLOW], cwd);
  onTestFinished(async () => expect(await platform.stop()).toBe(0));
  const file = firstRows('transactions', ROWS, cwd);
  return { ...platform, push: ['push', 'transactions', file, '--batch-size', '2', '-j', '2', '--json'] };
}

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 143],
] as const)(
  '%s lets the requests in flight end, records them and prints the way on',
  async (signal, exitCode) => {
    const { url, world, push } = await slowPush();
    const ended = await dataimportWith(push, world, async (child) => {
      await untilStored(url, 20);
      child.kill(signal);
    });
    expect(ended.exitCode).toBe(exitCode);
    const document = runDocument.parse(JSON.parse(ended.stdout));
    expect(document.exit).toEqual({ code: exitCode, name: 'INTERRUPTED', resumable: true });
    expect(document.rows.unknown).toBe(0);
    expect(document.rows.created).toBe((await ledgerOf(url)).length);
    expect(document.rows.not_sent).toBeGreaterThan(0);
    const resumed = await wordsTypedHere(document.next!.split(' ').slice(1), world);
    expect(resumed.exitCode, resumed.printed).toBe(0);
    expect(await ledgerOf(url)).toHaveLength(ROWS);
  },
);

test.each([
  ['nohup', 'exec nohup "$@"'],
  ['a script that ignores SIGHUP', 'trap "" HUP; "$@"; exit $?'],
])('a command under %s goes on when the terminal is closed', async (_, script) => {
  const { url, world, push } = await slowPush();
  // bash, zsh and ksh name the program that they start. The sh of other systems does not.
  const env = { ...world.env, _: script.includes('nohup') ? '/usr/bin/nohup' : '/bin/sh' };
  const ended = await dataimportInGroup(script, push, { ...world, env }, async (group) => {
    await untilStored(url, 20);
    group.kill('SIGHUP');
  });
  expect(ended.exitCode, ended.stderr).toBe(0);
  expect(await ledgerOf(url)).toHaveLength(ROWS);
});
