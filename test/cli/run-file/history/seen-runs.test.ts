import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Resource } from '../../../../src/core/contract/resources.ts';
import type { History } from '../../../../src/cli/run-file/history/history.ts';
import { assertNewest, assertNoneRemoved } from '../../../../src/cli/run-file/history/seen-runs.ts';
import { FakePlatform } from '../../../support/fake-platform.ts';
import { csvFrom, NOW, RUN_ID, stagedRun } from '../../../support/push-staged-run.ts';
import { RefusingPlatform } from '../../../support/refusing-platform.ts';
import { Versions } from '../../../support/versions.ts';

/** Runs of transactions, and a function that deletes the file of one. */
function sending(platform = new FakePlatform('transactions'), resource: Resource = 'transactions') {
  const versions = new Versions(resource, platform);
  const { folder } = versions;
  return { versions, folder, check: () => assertNoneRemoved(folder) };
}

/** A run of standard input that is known, and of whose records nothing is. `act`: what the history notes of it before it is closed. */
async function registered(act: (history: History) => void = () => undefined) {
  const { versions, folder, check } = sending();
  const { run } = await stagedRun('transactions', csvFrom('transactions', 'A:1'), {
    folder,
    header: (usual) => ({ ...usual, sources: usual.sources.map((source) => ({ ...source, place: null })) }),
  });
  const history = versions.history();
  history.register(run);
  act(history);
  history.close();
  run.close();
  folder.remove(RUN_ID);
  return { versions, folder, check };
}

describe('a run whose file is gone', () => {
  test('ends the command when it has sent records, with what a person needs to find it', async () => {
    const { versions, folder, check } = sending();
    await versions.send('A:1');
    const { id } = await versions.send('A:1 A:2 A:3');
    check();
    folder.remove(id);
    expect(check).toThrow(
      expect.objectContaining({
        code: 'run_removed',
        facts: {
          file: folder.fileOf(id),
          index: folder.historyFile,
          sources: '/in/a.csv',
          target: 'https://platform.example',
          begun: NOW,
          records: 2,
        },
      }) as Error,
    );
  });

  test('ends it, too, when its process died while it sent records, which nobody has counted', async () => {
    const { check, versions } = await registered((history) =>
      history.watcher(RUN_ID, () => 0)({ links: 1, head: 'ab' }),
    );
    const removed = { code: 'run_removed', facts: { sources: 'standard input', records: 0 } };
    expect(check).toThrow(expect.objectContaining({ code: 'run_removed' }) as Error);
    expect(versions.history().unreadable.get(RUN_ID)).toMatchObject(removed);
  });

  test.each([
    ['it has sent nothing yet', () => registered()],
    [
      'its records were all refused',
      async () => {
        const made = sending(new RefusingPlatform('transactions', ['1']));
        made.folder.remove((await made.versions.send('A:1')).id);
        return made;
      },
    ],
    [
      'the index is gone with it',
      async () => {
        const made = sending();
        made.folder.remove((await made.versions.send('A:1')).id);
        for (const end of ['', '-wal', '-shm']) rmSync(made.folder.historyFile + end, { force: true });
        return made;
      },
    ],
  ])('ends no command when %s', async (_, make) => {
    const { check } = await make();
    expect(check).not.toThrow();
  });

  test('ends it when a payment instruction was refused for good, which counts once', async () => {
    const { versions, folder, check } = sending(
      new RefusingPlatform('payment-instructions', ['1']),
      'payment-instructions',
    );
    folder.remove((await versions.send('A:1')).id);
    expect(check).toThrow(
      expect.objectContaining({
        code: 'run_removed',
        facts: expect.objectContaining({ records: 1 }) as object,
      }) as Error,
    );
  });
});

describe('a run file', () => {
  test('is the newest, or an older copy that lacks links', async () => {
    const platform = new RefusingPlatform('transactions', ['2']);
    const { versions, folder } = sending(platform);
    const { id } = await versions.send('A:1 A:2');
    const file = folder.fileOf(id);
    copyFileSync(file, `${file}-old`);
    platform.refused.clear();
    await versions.send('A:1 A:2');
    const newest = folder.open(id);
    assertNewest(newest, folder);
    const { links } = newest.history.facts();
    newest.close();
    copyFileSync(`${file}-old`, file);
    const older = folder.open(id);
    const facts = { run: id, file, links: older.history.facts().links, seen: links };
    expect(facts.links).toBeLessThan(links);
    expect(() => assertNewest(older, folder)).toThrow(
      expect.objectContaining({ code: 'run_rolled_back', facts }) as Error,
    );
    older.close();
  });

  test('is the newest where no index has seen it, and none is made', async () => {
    const { folder } = sending();
    const { run } = await stagedRun('transactions', csvFrom('transactions', 'A:1'), { folder });
    assertNewest(run, folder);
    expect(existsSync(folder.historyFile)).toBe(false);
  });
});
