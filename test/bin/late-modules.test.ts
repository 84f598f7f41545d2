import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { dataimport } from '../support/built-cli.ts';
import { firstRows, QUICKSTART } from '../support/quickstart.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { platformHere } from '../support/typed-command.ts';

/** Says which modules a process loads after its first batch. */
const WATCH = `
  const { registerHooks } = require('node:module');
  const { subscribe } = require('node:diagnostics_channel');
  const { writeSync } = require('node:fs');
  let hasSent = false;
  subscribe('undici:client:sendHeaders', ({ request }) => {
    if (!hasSent && request.path.includes('/transactions')) writeSync(2, 'first batch\\n');
    hasSent ||= request.path.includes('/transactions');
  });
  registerHooks({
    load(url, context, next) {
      if (hasSent && !url.startsWith('node:')) writeSync(2, 'late: ' + url + '\\n');
      return next(url, context);
    },
  });`;

const COHORT = `version: 1\nname: late\nresources:\n  transactions: { files: [transactions.csv] }\n`;

// A process without a free file descriptor can load nothing, and has to show how its run has ended.
test.each([
  ['push', 'transactions', 'transactions.csv'],
  ['migrate', 'cohort.yaml'],
])('%s loads no module after it has begun to send', async (...words) => {
  const cwd = temporaryFolder();
  const { world, stop } = await platformHere(['--seed', join(QUICKSTART, 'seed.yaml')], cwd);
  onTestFinished(async () => void (await stop()));
  firstRows('transactions', 60, cwd);
  writeFileSync(join(cwd, 'cohort.yaml'), COHORT);
  writeFileSync(join(cwd, 'watch.cjs'), WATCH);
  const env = { ...world.env, NODE_OPTIONS: `--require ${join(cwd, 'watch.cjs')}` };
  const { exitCode, stderr } = await dataimport(words, { cwd, env });
  expect(exitCode, stderr).toBe(0);
  expect(stderr.split('\n').filter((line) => /^(first batch|late: .*)$/.test(line))).toEqual(['first batch']);
});
