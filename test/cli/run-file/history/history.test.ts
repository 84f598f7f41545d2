import { copyFileSync, rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { FakePlatform } from '../../../support/fake-platform.ts';
import { RefusingPlatform } from '../../../support/refusing-platform.ts';
import { csvOf, NOW, reopened, row } from '../../../support/push-staged-run.ts';
import { Versions } from '../../../support/versions.ts';

/** Rows of transactions, as `A:1=10.10`. */
function rowsOf(text: string): string {
  return csvOf(
    text.split(' ').map((word) => {
      const [account, id, amount] = word.split(/[:=]/) as [string, string, string];
      return { ...row.transactions(account, id), amount };
    }),
  );
}

const sending = (platform = new FakePlatform('transactions')) => ({
  platform,
  versions: new Versions('transactions', platform),
});

describe('another version of a file', () => {
  test('sends what is new, and counts the rest as sent before', async () => {
    const { versions, platform } = sending();
    await versions.send('A:1 A:2 B:3');
    const { report, ends } = await versions.send('A:1 A:2 A:4 B:3 C:5');
    expect(ends).toEqual(['sent_before', 'sent_before', 'created', 'sent_before', 'created']);
    expect(report.rows).toMatchObject({ read: 5, sent_before: 3, created: 2 });
    expect(report.controlTotals).toMatchObject([{ count: 5, read: '50.50', accepted: '50.50' }]);
    expect(platform.contents()).toEqual({ A: ['1', '2', '4'], B: ['3'], C: ['5'] });
  });

  test('compares by value, and texts exactly', async () => {
    const { versions, platform } = sending();
    await versions.send(rowsOf('A:1=12.50 A:2=1.00 A:3=-0.10'));
    const { ends } = await versions.send(rowsOf('A:1=12.5 A:2=1 A:3=-0.11'));
    expect(ends).toEqual(['sent_before', 'sent_before', 'record_changed']);
    expect(platform.received).toHaveLength(3);
  });

  test('names both lines of a record that changed, and sends nothing without --skip-invalid', async () => {
    const { versions, platform } = sending();
    const first = await versions.send(rowsOf('A:1=1.00 A:2=2.00'));
    const { report } = await versions.send(rowsOf('A:3=3.00 A:2=2.50'), { skipInvalid: false });
    expect(report.rows).toMatchObject({ read: 2, invalid: 1, not_sent: 1 });
    expect(report.problems).toMatchObject([
      { code: 'record_changed', line: 3, header: 'amount', severity: 'error' },
      { code: 'record_vanished', severity: 'warning' },
    ]);
    expect(report.problems[0]!.detail).toContain(first.id);
    expect(report.problems[0]!.detail).toContain('a.csv:3');
    expect(platform.received).toHaveLength(2);
  });

  test('says that a record has moved to another account, and not that it is gone', async () => {
    const { versions } = sending();
    await versions.send('A:1 A:2');
    const { ends, report } = await versions.send('B:1 A:2');
    expect(ends).toEqual(['record_moved', 'sent_before']);
    expect(report.problems.map(({ code }) => code)).toEqual(['record_moved']);
  });

  test.each([
    ['the record is on both accounts now', 'A:1 B:1', ['sent_before', 'created']],
    ['two rows have its id', 'B:1 C:1', ['created', 'created']],
    ['its content is another one', rowsOf('B:1=99.00'), ['created']],
  ])('takes no record for moved when %s', async (_, rows, expected) => {
    const { versions } = sending();
    await versions.send('A:1');
    expect((await versions.send(rows)).ends).toEqual(expected);
  });

  test('takes no record for moved when several accounts have its id', async () => {
    const { versions } = sending();
    await versions.send('A:1 B:1');
    expect((await versions.send('C:1')).ends).toEqual(['created']);
  });

  test('warns of records that it brought to the platform and that no row is any more', async () => {
    const { versions } = sending();
    await versions.send('A:1 A:2');
    const { report } = await versions.send('A:2 A:3');
    expect(report.problems).toMatchObject([{ code: 'record_vanished', severity: 'warning', line: null }]);
    expect(report.problems[0]!.detail).toContain('a.csv:2');
    expect(report.withdrawn).toEqual({ total: 0, listed: [] });
  });

  test('says that records are missing, so that a shard looks for them in the others', async () => {
    const { versions } = sending();
    const missesIn = (id: string): boolean => {
      const run = versions.folder.open(id);
      const misses = run.history.missesRecords();
      run.close();
      return misses;
    };
    expect(missesIn((await versions.send('A:1 A:2')).id)).toBe(false);
    expect(missesIn((await versions.send('A:1 A:2 A:3')).id)).toBe(false);
    expect(missesIn((await versions.send('A:1 A:3')).id)).toBe(true);
    expect(missesIn((await versions.send('B:1 A:2 A:3')).id)).toBe(true);
  });

  test('withdraws records that never arrived and that no row is any more', async () => {
    const { versions } = sending(refusing('2'));
    const first = await versions.send('A:1 A:2 A:3');
    expect(first.ends).toEqual(['created', 'rejected', 'created']);
    const { report } = await versions.send('A:1 A:3');
    const account = { import_supplier: 'ACME', external_account_number: 'A' };
    const withdrawn = { ...account, id: '2', file: 'a.csv', line: 3, run: first.id };
    expect(report.withdrawn).toEqual({ total: 1, listed: [withdrawn] });
    expect(report.problemsTotal).toBe(0);
  });

  test('sends refused records again', async () => {
    const platform = refusing('2');
    const { versions } = sending(platform);
    await versions.send('A:1 A:2');
    platform.refused.clear();
    expect((await versions.send('A:1 A:2 A:3')).ends).toEqual(['sent_before', 'created', 'created']);
  });
});

describe('another file', () => {
  test('knows what the first one brought there, and takes nothing for vanished', async () => {
    const { versions } = sending();
    await versions.send('A:1 A:2', { place: '/in/july.csv' });
    const { ends, report } = await versions.send('A:3 A:2', { place: '/in/august.csv' });
    expect(ends).toEqual(['created', 'sent_before']);
    expect(report.problemsTotal).toBe(0);
  });

  test('is the same one under another name once a command has found its content there', async () => {
    const { versions } = sending();
    await versions.send('A:1 A:2', { place: '/in/july.csv' });
    await versions.send('A:1 A:2', { place: '/in/renamed.csv' });
    const { report } = await versions.send('A:2 A:3', { place: '/in/renamed.csv' });
    expect(report.problems).toMatchObject([{ code: 'record_vanished' }]);
  });

  test('says where the other line is', async () => {
    const { versions } = sending();
    const first = await versions.send(rowsOf('A:1=1.00'), { place: '/in/july.csv' });
    const { report } = await versions.send(rowsOf('A:1=2.00'), { place: '/in/august.csv' });
    expect(report.problems).toMatchObject([{ code: 'record_changed', file: 'august.csv', line: 2 }]);
    expect(report.problems[0]!.detail).toContain(`july.csv:2`);
    expect(report.problems[0]!.detail).toContain(first.id);
  });
});

describe('the same version again', () => {
  test('goes on with its run', async () => {
    const platform = refusing('2');
    const { versions } = sending(platform);
    const first = await versions.send('A:1 A:2');
    platform.refused.clear();
    const again = await versions.send('A:1 A:2');
    expect([again.id, again.ends]).toEqual([first.id, ['created', 'created']]);
    expect(versions.folder.ids()).toHaveLength(1);
  });

  test('does not send what a later version has brought there meanwhile', async () => {
    const platform = refusing('2');
    const { versions } = sending(platform);
    await versions.send('A:1 A:2');
    platform.refused.clear();
    await versions.send('A:2 A:3', { place: '/in/b.csv' });
    const before = platform.received.length;
    expect((await versions.send('A:1 A:2')).ends).toEqual(['created', 'sent_before']);
    expect(platform.received).toHaveLength(before);
  });

  test('no longer names a conflict that is gone, and names one that is new', async () => {
    const platform = refusing('2');
    const { versions } = sending(platform);
    await versions.send(rowsOf('A:1=1.00 A:2=2.00'));
    platform.refused.clear();
    await versions.send(rowsOf('A:2=2.50'), { place: '/in/b.csv' });
    expect((await versions.send(rowsOf('A:1=1.00 A:2=2.00'))).ends).toEqual(['created', 'record_changed']);
    // The run of the other file is gone, and with it what is known of the record.
    versions.folder.remove(versions.folder.ids()[0]!);
    rmSync(versions.folder.historyFile);
    expect((await versions.send(rowsOf('A:1=1.00 A:2=2.00'))).ends).toEqual(['created', 'existing']);
  });

  test('leaves the runs that it looks into to other commands', async () => {
    const { versions } = sending();
    const first = await versions.send('A:1');
    const second = await versions.send('A:1 A:2');
    const history = versions.history();
    const run = versions.folder.open(second.id);
    expect(history.holds(run)).toBe(true);
    // A run that is open in one process alone ends with `run_locked` here.
    versions.folder.open(first.id).close();
    run.close();
    history.close();
  });

  test('warns again only of what is still gone', async () => {
    const { versions } = sending();
    await versions.send('A:1 A:2');
    expect((await versions.send('A:2')).report.problemsTotal).toBe(1);
    expect((await versions.send('A:1 A:2')).report.problemsTotal).toBe(0);
  });
});

describe('the index', () => {
  test('that is deleted, damaged or of another program is built again', async () => {
    const { versions } = sending();
    await versions.send('A:1 A:2');
    for (const damage of [
      (file: string) => rmSync(file),
      (file: string) => copyFileSync(versions.folder.fileOf(versions.folder.ids()[0]!), file),
    ]) {
      for (const end of ['-wal', '-shm']) rmSync(versions.folder.historyFile + end, { force: true });
      damage(versions.folder.historyFile);
      const history = versions.history();
      expect(history.runs()).toHaveLength(1);
      history.close();
    }
    expect((await versions.send('A:1 A:2 A:3')).ends).toEqual(['sent_before', 'sent_before', 'created']);
  });

  test('keeps a run that has sent records when its file is gone', async () => {
    const { versions } = sending();
    await versions.send('A:1');
    const second = await versions.send('A:1 A:2');
    versions.folder.remove(second.id);
    for (let opened = 0; opened < 2; opened++) {
      const history = versions.history();
      expect(history.unreadable.get(second.id)).toMatchObject({ code: 'run_removed', facts: { records: 1 } });
      history.close();
    }
  });

  test('forgets a run whose records were all refused when its file is gone', async () => {
    const { versions } = sending(refusing('2'));
    await versions.send('A:1');
    const second = await versions.send('A:1 A:2');
    versions.folder.remove(second.id);
    const history = versions.history();
    expect(history.runs().map(({ id }) => id)).toEqual(versions.folder.ids());
    expect(history.unreadable.size).toBe(0);
  });

  test('notices an older copy of a run file', async () => {
    const { versions, platform } = sending(refusing('2'));
    const { id } = await versions.send('A:1 A:2');
    const file = versions.folder.fileOf(id);
    copyFileSync(file, `${file}-old`);
    (platform as ReturnType<typeof refusing>).refused.clear();
    await versions.send('A:1 A:2');
    copyFileSync(`${file}-old`, file);
    const history = versions.history();
    expect(history.unreadable.get(id)).toMatchObject({ code: 'run_rolled_back', facts: { run: id } });
  });

  test('notices an older copy of a run whose process died while it was sent', async () => {
    const { versions } = sending(refusing('2'));
    const { id } = await versions.send('A:1 A:2');
    const file = versions.folder.fileOf(id);
    copyFileSync(file, `${file}-old`);
    const history = versions.history();
    const run = reopened(versions.folder, id);
    let nowMs = 0;
    const watcher = history.watcher(id, () => nowMs);
    const operations = run.draining(() => NOW, { onCommit: watcher });
    const batch = (await operations.claimNext(1))!;
    nowMs += 1_000;
    await operations.fail(batch, { kind: 'ambiguous', status: null, reason: 'reset' });
    // The process dies, and the history learns nothing more of the run.
    run.close();
    history.close();
    copyFileSync(`${file}-old`, file);
    const later = versions.history();
    expect(later.unreadable.get(id)).toMatchObject({
      code: 'run_rolled_back',
      facts: { run: id, links: 2, seen: 4 },
    });
    later.close();
  });

  test('does not take a copy under another name for a run', async () => {
    const { versions } = sending();
    const { id } = await versions.send('A:1');
    copyFileSync(versions.folder.fileOf(id), versions.folder.fileOf(`${id}-copy`));
    const history = versions.history();
    expect(history.runs().map((run) => run.id)).toEqual([id]);
    expect(history.unreadable.get(`${id}-copy`)).toMatchObject({ code: 'run_misnamed', facts: { run: id } });
    expect(history.missing(`${id}-copy`)).toMatchObject({ code: 'run_misnamed' });
    expect(history.missing('none')).toMatchObject({ code: 'run_not_found' });
    expect(history.missing(undefined)).toMatchObject({ code: 'run_none' });
  });

  test('knows a run that another process has open as in use', async () => {
    const { versions } = sending();
    const { id } = await versions.send('A:1');
    rmSync(versions.folder.historyFile);
    const held = versions.folder.open(id);
    const history = versions.history();
    expect([...history.inUse]).toEqual([id]);
    expect(history.missing(id)).toMatchObject({ code: 'run_locked' });
    held.close();
  });
});

/** A platform that refuses the records with these ids. */
function refusing(...ids: readonly string[]) {
  return new RefusingPlatform('transactions', ids);
}
