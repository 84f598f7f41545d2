import { copyFileSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Platform } from '../../../src/cli/push/ports/platform.ts';
import { FakePlatform } from '../../support/fake-platform.ts';
import { drained } from '../../support/push-drained.ts';
import { journalIn, csvFrom, reopened, stagedRun } from '../../support/push-staged-run.ts';

const ROWS = 'A:1 A:2 A:3 A:4 A:5 A:6';
const ONE_EACH = { limits: { records: 1, bytes: 1_000_000 } } as const;

/** What may happen to the file of a run while it is sent. Returns the folder in which the run is then. */
const FATES: Readonly<Record<string, (folder: string) => string | undefined>> = {
  'is unlinked': (folder) => {
    rmSync(journalIn(folder));
    return undefined;
  },
  'is moved': (folder) => {
    const other = `${folder}-moved`;
    mkdirSync(other);
    for (const end of ['', '-wal']) renameSync(journalIn(folder) + end, journalIn(other) + end);
    return other;
  },
  'is moved with its folder': (folder) => {
    renameSync(folder, `${folder}-moved`);
    return `${folder}-moved`;
  },
  'is replaced by a copy': (folder) => {
    const file = journalIn(folder);
    copyFileSync(file, `${file}-copy`);
    renameSync(`${file}-copy`, file);
    return undefined;
  },
};

describe('a journal that goes while it is sent', () => {
  test.each(Object.entries(FATES))('%s: nothing more is sent, and the end says why', async (_, fate) => {
    const { run, folder } = await stagedRun('transactions', csvFrom('transactions', ROWS), ONE_EACH);
    const inner = new FakePlatform('transactions');
    let left: string | undefined;
    const platform: Platform = {
      async send(request) {
        const given = await inner.send(request);
        if (inner.received.length === 2) left = fate(folder);
        return given;
      },
    };
    const { end } = await drained(run, platform, { concurrency: 1 });
    expect(end).toMatchObject({
      kind: 'unrecorded',
      reason: { code: 'run_file_gone', facts: { file: journalIn(folder) } },
    });
    expect(inner.received).toHaveLength(2);
    run.close();
    if (!left) return;
    // The file is whole where it is now. Its second request is in doubt, so nothing is lost and nothing is sent twice.
    const again = await drained(reopened(left), inner, { concurrency: 1 });
    expect(again.report.rows).toMatchObject({ created: 5, existing: 1 });
    expect(inner.contents()).toEqual({ A: ['1', '2', '3', '4', '5', '6'] });
  });

  test('of several accounts is noticed before any of them goes on', async () => {
    const { run, folder } = await stagedRun(
      'transactions',
      csvFrom('transactions', 'A:1 B:2 C:3 A:4 B:5 C:6'),
      ONE_EACH,
    );
    const inner = new FakePlatform('transactions');
    const platform: Platform = {
      async send(request) {
        const given = await inner.send(request);
        rmSync(journalIn(folder), { force: true });
        return given;
      },
    };
    const { end } = await drained(run, platform, { concurrency: 3 });
    expect(end).toMatchObject({ kind: 'unrecorded', reason: { code: 'run_file_gone' } });
    expect(inner.received.length).toBeLessThanOrEqual(3);
  });

  test.each(['is unlinked', 'is replaced by a copy'])(
    '%s before anything is sent: nothing is',
    async (fate) => {
      const { run, folder } = await stagedRun('notes', csvFrom('notes', 'A:1'));
      FATES[fate]!(folder);
      const platform = new FakePlatform('notes');
      const { end } = await drained(run, platform);
      expect(end).toMatchObject({ kind: 'unrecorded', reason: { code: 'run_file_gone' } });
      expect(platform.received).toEqual([]);
    },
  );
});
