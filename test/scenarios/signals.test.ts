import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runDocument } from '../support/json-documents.ts';
import { dataimport, dataimportWith, serve } from '../support/built-cli.ts';
import { ledgerOf } from '../support/ledger.ts';
import { firstRows, QUICKSTART } from '../support/quickstart.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ROWS = 700;

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)(
  '%s lets the requests in flight end, records them and prints the way on',
  async (signal, exitCode) => {
    const cwd = temporaryFolder();
    const platform = await serve(
      ['--port', '0', '--db', ':memory:', '--seed', join(QUICKSTART, 'seed.yaml')],
      {
        cwd,
      },
    );
    try {
      const world = { cwd, env: { DATAIMPORT_BASE_URL: platform.url, DATAIMPORT_API_KEY: platform.apiKey } };
      const file = firstRows('transactions', ROWS, cwd);
      const push = ['push', 'transactions', file, '--batch-size', '2', '-j', '2', '--json'];
      const ended = await dataimportWith(push, world, async (child) => {
        await platform.untilStored(20);
        child.kill(signal);
      });
      expect(ended.exitCode).toBe(exitCode);
      const document = runDocument.parse(JSON.parse(ended.stdout));
      expect(document.exit).toEqual({ code: exitCode, name: 'INTERRUPTED', resumable: true });
      expect(document.rows.unknown).toBe(0);
      expect(document.rows.created).toBe((await ledgerOf(platform.url)).length);
      expect(document.rows.not_sent).toBeGreaterThan(0);
      const resumed = await dataimport(document.next!.split(' ').slice(1), world);
      expect(resumed.exitCode).toBe(0);
      expect(await ledgerOf(platform.url)).toHaveLength(ROWS);
    } finally {
      expect(await platform.stop()).toBe(0);
    }
  },
);
