import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runDocument } from '../support/json-documents.ts';
import { dataimportWith, untilStored } from '../support/built-cli.ts';
import { ledgerOf } from '../support/ledger.ts';
import { firstRows, QUICKSTART } from '../support/quickstart.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { platformHere, wordsTypedHere } from '../support/typed-command.ts';

const ROWS = 60;

/** Slow answers, so that few rows are enough for a signal in the middle. */
const LATENCY = '20ms';

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)(
  '%s lets the requests in flight end, records them and prints the way on',
  async (signal, exitCode) => {
    const cwd = temporaryFolder();
    const seed = join(QUICKSTART, 'seed.yaml');
    const { url, world, stop } = await platformHere(['--seed', seed, '--latency', LATENCY], cwd);
    try {
      const file = firstRows('transactions', ROWS, cwd);
      const push = ['push', 'transactions', file, '--batch-size', '2', '-j', '2', '--json'];
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
    } finally {
      expect(await stop()).toBe(0);
    }
  },
);
