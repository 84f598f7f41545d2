import { chmodSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ComparedRecord } from '../../../../src/cli/comparison/ports.ts';
import type { RunScope } from '../../../../src/cli/run-file/database/run-header.ts';
import { History } from '../../../../src/cli/run-file/history/history.ts';
import { HistoryIndex, type RunFacts } from '../../../../src/cli/run-file/history/history-index.ts';
import { RunsFolder } from '../../../../src/cli/run-file/runs-folder.ts';
import { FakePlatform } from '../../../support/fake-platform.ts';
import { csvFrom, csvOf, NOW, row, stagedRun } from '../../../support/push-staged-run.ts';
import { RefusingPlatform } from '../../../support/refusing-platform.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { Versions } from '../../../support/versions.ts';

const SCOPE: RunScope = { resource: 'transactions', target: 'https://platform.example', database: null };

function refusing(...ids: readonly string[]): Versions {
  return new Versions('transactions', new RefusingPlatform('transactions', ids));
}

function changed(file: string, sql: string): void {
  const db = new Database(file);
  db.exec(sql);
  db.close();
}

describe('the run that has sent a record of a platform', () => {
  /** A run with a record that arrived and one that was refused, and the first of them as the platform lists it. */
  const sent = async (versions = refusing('2'), scope = SCOPE, rows = 'A:1 A:2') => {
    const { id } = await versions.send(rows);
    const run = versions.folder.open(id);
    const other = run.history.asOther();
    const { key, variant } = run.confirming.identityOf(1);
    const content = other.contentOf(1);
    const account = { import_supplier: 'ACME', external_account_number: 'A' };
    const record: ComparedRecord = { ...account, ...other.factsOf(1), key, variant, seq: 1, content };
    run.close();
    const history = versions.history();
    return { versions, id, content, record, senderOf: history.senders(scope, new Map()), history };
  };

  test('is that with the same account, identity, type and amount', async () => {
    const { id, record, senderOf } = await sent();
    expect(record).toMatchObject({ amount: '10.10', key: '1' });
    expect(senderOf(record, undefined)).toBe(id);
    expect(senderOf({ ...record, amount: '10.1' }, undefined)).toBe(id);
    for (const change of [
      { amount: '10.11' },
      { amount: null },
      { type: 'OTHER' },
      { external_account_number: 'B' },
      { import_supplier: 'OTHER' },
      { key: '3' },
      // It was refused.
      { key: '2' },
    ])
      expect([change, senderOf({ ...record, ...change }, undefined)]).toEqual([change, undefined]);
  });

  test('is only one with the same content where that can be compared', async () => {
    const { id, record, content, senderOf } = await sent();
    const other = Buffer.alloc(32);
    expect(senderOf(record, [other, content])).toBe(id);
    expect(senderOf(record, [other])).toBeUndefined();
    expect(senderOf(record, [])).toBeUndefined();
  });

  test('is none of another platform', async () => {
    const { record, history } = await sent();
    const senderOf = history.senders({ ...SCOPE, target: 'https://other.example' }, new Map());
    expect(senderOf(record, undefined)).toBeUndefined();
  });

  test('may be open already, and is none that cannot be opened', async () => {
    const { versions, id, record, history } = await sent();
    const run = versions.folder.open(id);
    onTestFinished(() => run.close());
    expect(history.senders(SCOPE, new Map([[id, run]]))(record, undefined)).toBe(id);
    expect(history.senders(SCOPE, new Map())(record, undefined)).toBeUndefined();
  });

  test('has sent a note without a time, to which the platform has given one', async () => {
    const rows = csvOf([{ ...row.notes('A', '1'), created_at: '' }]);
    const versions = new Versions('notes', new FakePlatform('notes'));
    const { id, record, senderOf } = await sent(versions, { ...SCOPE, resource: 'notes' }, rows);
    expect(record).toMatchObject({ variant: '' });
    expect(senderOf({ ...record, variant: 'a time' }, undefined)).toBe(id);
    expect(senderOf({ ...record, key: 'another text', variant: 'a time' }, undefined)).toBeUndefined();
  });

  test('is none for a payment instruction that was refused for good', async () => {
    const resource = 'payment-instructions';
    const versions = new Versions(resource, new RefusingPlatform(resource, ['1']));
    const { id } = await versions.send('A:1');
    const account = { import_supplier: 'ACME', external_account_number: 'A' };
    const run = versions.folder.open(id);
    const { key, variant } = run.confirming.identityOf(1);
    const facts = run.history.asOther().factsOf(1);
    run.close();
    const senderOf = versions.history().senders({ ...SCOPE, resource }, new Map());
    const content = Buffer.alloc(32);
    expect(senderOf({ ...account, ...facts, key, variant, seq: 1, content }, undefined)).toBeUndefined();
  });
});

describe('what a person has confirmed since', () => {
  /** Runs of which the third one has confirmed another content of a record of the first, which the second has left to it. */
  const overruled = async () => {
    const versions = refusing();
    const first = await versions.send('A:1 A:2');
    const second = await versions.send('A:1 A:2 B:3');
    const apart = await versions.send('A:2 C:4', { place: '/in/c.csv' });
    const third = await versions.send(csvFrom('transactions', 'A:1').replace('10.10', '20.20'), {
      skipInvalid: false,
      place: '/in/d.csv',
    });
    expect(third.ends).toEqual(['record_changed']);
    return { versions, ids: { first, second, apart, third } };
  };

  const asked = (versions: Versions, id: string) => {
    const history = versions.history();
    const run = versions.folder.open(id);
    const answers = { isOverruled: history.isOverruled(run), holds: history.holds(run) };
    run.close();
    // The runs that were looked into are closed again.
    for (const other of versions.folder.ids()) versions.folder.open(other).close();
    history.close();
    return answers;
  };

  test('overrules the run that has sent it, and those that left the record to it', async () => {
    const { versions, ids } = await overruled();
    const valid = { isOverruled: false, holds: true };
    for (const { id } of [ids.first, ids.second, ids.apart]) expect(asked(versions, id)).toEqual(valid);
    const run = versions.folder.open(ids.third.id);
    run.confirming.confirm([1], { verdict: 'arrived', by: 'A. Lead', now: NOW });
    run.close();
    expect(asked(versions, ids.first.id)).toEqual({ isOverruled: true, holds: true });
    expect(asked(versions, ids.second.id)).toEqual({ isOverruled: true, holds: false });
    expect(asked(versions, ids.apart.id)).toEqual(valid);
    expect(asked(versions, ids.third.id)).toEqual(valid);
  });

  test('a record that is missing since is not held any more', async () => {
    const lost = { kind: 'lost', applied: true } as const;
    const versions = new Versions('statements', new FakePlatform('statements', { 'A#1': lost }));
    const { id } = await versions.send('A:S-1');
    const confirm = (verdict: 'arrived' | 'missing'): void => {
      const run = versions.folder.open(id);
      run.confirming.confirm([1], { verdict, by: 'A. Lead', now: NOW });
      run.close();
    };
    confirm('arrived');
    const second = await versions.send('A:S-1 B:S-2');
    expect(asked(versions, second.id)).toEqual({ isOverruled: false, holds: true });
    confirm('missing');
    expect(asked(versions, second.id)).toEqual({ isOverruled: false, holds: false });
  });

  test('by what a ledger proves, the records count as already there', async () => {
    const lost = { kind: 'lost', applied: true } as const;
    const versions = new Versions('statements', new FakePlatform('statements', { 'A#1': lost }));
    const { id } = await versions.send('A:S-1');
    const run = versions.folder.open(id);
    run.confirming.confirm([1], { verdict: 'arrived', by: 'A. Lead', now: NOW, ledger: 'ledger.csv' });
    expect([...run.rowEnds()].map(({ end }) => end)).toEqual(['existing']);
    expect(run.proving.chain()).toMatchObject({ broken: null });
    run.close();
    const db = new Database(versions.folder.fileOf(id), { readonly: true });
    onTestFinished(() => void db.close());
    expect(db.prepare("SELECT by, document FROM event WHERE kind = 'confirmed'").all()).toEqual([
      { by: 'A. Lead', document: '{"verdict":"arrived","ledger":"ledger.csv"}' },
    ]);
  });
});

describe('the runs of a folder', () => {
  test('are needed by a command that reads them', async () => {
    const folder = new RunsFolder(temporaryFolder());
    expect(() => History.openKnown(folder)).toThrow(
      expect.objectContaining({ code: 'run_none', facts: { folder: folder.path } }) as Error,
    );
    const versions = refusing();
    const { id } = await versions.send('A:1');
    const history = History.openKnown(versions.folder);
    onTestFinished(() => history.close());
    expect(history.runs().map((run) => run.id)).toEqual([id]);
    expect(history.nextTurn).toBe(2);
    history.forget(id);
    expect(history.runs()).toEqual([]);
    expect(history.nextTurn).toBe(1);
  });

  test('that are removed are none of a scope, and are named when they are missing', async () => {
    const versions = refusing();
    const first = await versions.send('A:1');
    const second = await versions.send('A:1 A:2');
    versions.folder.remove(first.id);
    const history = versions.history();
    expect(history.runs().map(({ id }) => id)).toEqual([second.id]);
    expect(history.runs({ ...SCOPE, resource: 'notes' })).toEqual([]);
    expect(history.runs({ ...SCOPE, target: 'https://other.example' })).toEqual([]);
    const held = versions.folder.open(second.id);
    expect(history.other(second.id)).toBeUndefined();
    held.close();
    const { path } = versions.folder;
    expect([undefined, first.id, second.id, 'none'].map((id) => history.missing(id))).toMatchObject([
      { code: 'run_none', facts: { folder: path } },
      { code: 'run_removed' },
      { code: 'run_locked', facts: { run: second.id } },
      { code: 'run_not_found', facts: { run: 'none', folder: path } },
    ]);
  });

  test('that were learnt and closed are not opened again', async () => {
    const versions = refusing();
    const { id } = await versions.send('A:1');
    // Its texts are erased, and that is learnt.
    versions.folder.open(id).close();
    versions.history().close();
    // Nobody can open the file, and it is as it was.
    const held = versions.folder.open(id);
    const history = versions.history();
    expect([history.inUse.size, history.runs().length]).toEqual([0, 1]);
    held.close();
  });

  test('tell how far their chains have grown, four times a second at most', async () => {
    const versions = refusing();
    const { id } = await versions.send('A:1');
    const history = versions.history();
    let nowMs = 0;
    const watcher = history.watcher(id, () => nowMs);
    const linksAt = (ms: number, links: number): number => {
      nowMs = ms;
      watcher({ links, head: 'ab' });
      return history.runs()[0]!.links;
    };
    expect([linksAt(0, 10), linksAt(249, 11), linksAt(250, 12), linksAt(251, 13)]).toEqual([10, 10, 12, 12]);
  });

  test('have not sent records before they had all of them', async () => {
    const versions = refusing();
    const { id } = await versions.send('A:1');
    const db = new Database(versions.folder.fileOf(id));
    db.exec("UPDATE run SET state = 'staging'");
    db.close();
    const run = versions.folder.open(id);
    onTestFinished(() => run.close());
    expect(() => run.history.facts()).toThrow(
      expect.objectContaining({
        code: 'run_damaged',
        facts: expect.objectContaining({ reason: 'it has sent records before it had all of them' }) as object,
      }) as Error,
    );
  });

  test('are learnt in the order in which they were taken up, also when the index is gone', async () => {
    const versions = refusing('1');
    const first = await versions.send('A:1 A:2');
    await versions.send('A:1 A:3');
    await versions.send('A:1 A:2');
    // The refused record belongs to the run that was taken up last.
    const belongsTo = (): string => {
      const history = versions.history();
      const identity = { key: '1', variant: '' };
      const account = { import_supplier: 'ACME', external_account_number: 'A' };
      const known = history.viewOf(SCOPE, { resendsRefused: false })!.lookUp({ account, identity })!;
      const id = history.idOf(known.run);
      history.close();
      return id;
    };
    expect(belongsTo()).toBe(first.id);
    for (const end of ['', '-wal', '-shm']) rmSync(versions.folder.historyFile + end, { force: true });
    expect(belongsTo()).toBe(first.id);
  });
});

describe('the index', () => {
  const facts = (id: string, turn: number): RunFacts => ({
    ...SCOPE,
    id,
    turn,
    version: 'v',
    shard: null,
    cohort: null,
    createdAt: NOW,
    places: [],
    isStaged: false,
    isOpen: false,
    hasDoubts: false,
    links: 0,
    head: '',
  });
  const opened = (): HistoryIndex => {
    const index = HistoryIndex.open(`${temporaryFolder()}/history.index`);
    onTestFinished(() => index.close());
    return index;
  };

  test('lists the runs that were taken up last first, and those of one turn by their names', () => {
    const index = opened();
    for (const [id, turn] of [
      ['b', 1],
      ['c', 2],
      ['d', 1],
      ['a', 2],
    ] as const)
      index.register(facts(id, turn));
    expect(index.runs().map(({ id, turn, isLearnt }) => [id, turn, isLearnt])).toEqual([
      ['c', 2, false],
      ['a', 2, false],
      ['d', 1, false],
      ['b', 1, false],
    ]);
  });

  test('knows the file and the last link of each run', () => {
    const index = opened();
    index.register(facts('a', 1));
    index.register(facts('b', 1));
    index.touch('a', 'state of a');
    expect([...index.stats()]).toEqual([
      ['a', 'state of a'],
      ['b', ''],
    ]);
    expect(index.headOf('a')).toEqual({ links: 0, head: '' });
    index.see('a', { links: 3, head: 'abc' });
    index.see('a', { links: 2, head: 'old' });
    expect(index.headOf('a')).toEqual({ links: 3, head: 'abc' });
    expect(index.stats().get('a')).toBe('');
    expect(index.headOf('none')).toBeUndefined();
    index.clear();
    expect([index.runs(), index.scoped(SCOPE)]).toEqual([[], undefined]);
  });

  test('is for its owner alone, and so is a folder that is made for it', () => {
    const folder = join(temporaryFolder(), 'runs');
    const file = join(folder, 'history.index');
    HistoryIndex.open(file).close();
    expect([folder, file].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o600]);
    chmodSync(file, 0o644);
    const index = HistoryIndex.open(file);
    index.register(facts('a', 1));
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    index.close();
    expect(readdirSync(folder)).toEqual(['history.index']);
  });

  test.each([
    ['random bytes', (file: string) => writeFileSync(file, Buffer.alloc(9_000, 'random'))],
    ['an index of another version', (file: string) => changed(file, 'PRAGMA user_version = 4')],
    ['an index without a table', (file: string) => changed(file, 'DROP TABLE run')],
    ['another database', (file: string) => changed(file, 'PRAGMA user_version = 0; CREATE TABLE t (x)')],
  ])('is made anew in place of %s, and nothing of that is left', (_, damage) => {
    const folder = temporaryFolder();
    const file = join(folder, 'history.index');
    const old = HistoryIndex.open(file);
    old.register(facts('a', 1));
    old.close();
    damage(file);
    writeFileSync(`${file}-journal`, 'left over');
    const index = HistoryIndex.open(file);
    expect(index.runs()).toEqual([]);
    index.register(facts('b', 1));
    index.close();
    expect(readdirSync(folder)).toEqual(['history.index']);
  });

  test('knows no record of a run that was not read to its end', async () => {
    const versions = refusing();
    const options = { folder: versions.folder, limits: null };
    const { run } = await stagedRun('transactions', csvFrom('transactions', 'A:1'), options);
    const history = versions.history();
    history.learn(run);
    expect(history.runs()).toMatchObject([{ isStaged: false, isLearnt: false }]);
    expect(history.viewOf(SCOPE, { resendsRefused: false })).toBeUndefined();
  });

  test('has learnt a run that has sent nothing yet', async () => {
    const versions = refusing();
    const { run } = await stagedRun('transactions', csvFrom('transactions', 'A:1'), {
      folder: versions.folder,
    });
    const history = versions.history();
    history.learn(run);
    expect(history.runs()).toMatchObject([{ isLearnt: true, links: 0 }]);
    expect(history.viewOf(SCOPE, { resendsRefused: false })).toBeDefined();
  });

  test('that cannot be made says why', () => {
    const file = `${temporaryFolder()}/file`;
    const index = HistoryIndex.open(file);
    index.close();
    expect(() => HistoryIndex.open(`${file}/history.index`)).toThrow(
      expect.objectContaining({ code: 'run_not_writable' }) as Error,
    );
  });
});
