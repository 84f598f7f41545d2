import { describe, expect, onTestFinished, test } from 'vitest';
import { createScratchDatabase } from '../../../../src/cli/run-file/database/run-database.ts';
import { writeHeader } from '../../../../src/cli/run-file/database/run-header.ts';
import { judgementsOf } from '../../../../src/cli/run-file/history/comparing.ts';
import type { HistoryView } from '../../../../src/cli/run-file/history/history-view.ts';
import { stagingOperations } from '../../../../src/cli/run-file/stage/staging.ts';
import { drained } from '../../../support/push-drained.ts';
import { FakePlatform } from '../../../support/fake-platform.ts';
import { csvFrom, headerOf, NOW, newRun, stagedRun } from '../../../support/push-staged-run.ts';
import { RefusingPlatform } from '../../../support/refusing-platform.ts';
import { Versions } from '../../../support/versions.ts';

type Facts = { readonly type: string | null; readonly amount: string | null };

/** The conflicts of a run whose only record the history has judged. `there`: the record of another run; undefined when it cannot be read. */
function conflictsOf(own: Facts, there: Facts | undefined) {
  const source = { bytes: 1, sha256: '0'.repeat(64) };
  const db = createScratchDatabase((created) =>
    writeHeader(created, headerOf('transactions', {}, [source]), newRun()),
  );
  onTestFinished(() => void db.close());
  const staging = stagingOperations(db);
  staging.appendRecord({
    position: { source: 1, firstLine: 4, lastLine: 4, byteStart: 0, byteEnd: 1 },
    account: { import_supplier: 'ACME', external_account_number: '1001' },
    parts: [],
    payload: () => '{}',
    valueText: '{}',
    id: 't-1',
    ...own,
    identity: { key: 't-1', variant: undefined },
  });
  staging.commit();
  const place = { file: 'old.csv', line: 9, run: 'run-7', wasCompared: false };
  const view = { factsOf: () => there, placeOf: () => there && place } as unknown as HistoryView;
  const judgements = judgementsOf(db, view);
  judgements.add(1, { kind: 'changed', there: { run: 7, seq: 8 } });
  return judgements.conflicts(0, 9);
}

describe('a record that differs from that of another run', () => {
  test.each<readonly [own: Facts, there: Facts, differs: readonly string[]]>([
    [{ type: 'CHARGE', amount: '1.00' }, { type: 'CHARGE', amount: '1.00' }, []],
    [{ type: 'CHARGE', amount: '1.00' }, { type: 'CHARGE', amount: '1' }, []],
    [{ type: 'CHARGE', amount: '1.00' }, { type: 'CHARGE', amount: '1.01' }, ['amount']],
    [{ type: 'CHARGE', amount: '1.00' }, { type: 'CREDIT', amount: '1.00' }, ['type']],
    [{ type: 'CHARGE', amount: '1.00' }, { type: null, amount: null }, ['type', 'amount']],
    [{ type: null, amount: null }, { type: null, amount: '1.00' }, ['amount']],
    [{ type: null, amount: null }, { type: null, amount: null }, []],
  ])('%j and %j differ in %j', (own, there, differs) => {
    expect(conflictsOf(own, there)).toEqual([
      {
        seq: 1,
        source: 1,
        line: 4,
        kind: 'changed',
        differs,
        earlier: { file: 'old.csv', line: 9, run: 'run-7', wasCompared: false },
      },
    ]);
  });

  test('is named without a place when the run of the other cannot be read', () => {
    expect(conflictsOf({ type: 'CHARGE', amount: '1.00' }, undefined)).toMatchObject([
      { differs: [], earlier: { file: '?', line: 0, run: '?', wasCompared: true } },
    ]);
  });
});

describe('the records of a run that no row of another version is', () => {
  const unseen = async (
    places: readonly string[],
    isSeen: (seq: number) => boolean = () => false,
    replaced?: string,
  ) => {
    const { run } = await stagedRun(
      'transactions',
      [csvFrom('transactions', 'A:1 B:2'), csvFrom('transactions', 'A:3')],
      {
        limits: null,
        header: (usual) => ({
          ...usual,
          sources: usual.sources.map((source, index) => ({
            ...source,
            place: index === 1 ? '/in/b.csv' : null,
          })),
        }),
      },
    );
    if (replaced !== undefined) run.history.replace([replaced]);
    return [...run.history.asOther().unseen(new Set(places), isSeen)];
  };
  const ids = async (...given: Parameters<typeof unseen>) => (await unseen(...given)).map(({ id }) => id);

  test('are those of its files with the same place', async () => {
    expect(await ids(['/in/b.csv', '/in/c.csv'])).toEqual(['3']);
  });

  test('are all when no file has the place, or the run was known under it', async () => {
    expect(await ids(['/in/c.csv'])).toEqual(['1', '2', '3']);
    expect(await ids(['/in/b.csv'], undefined, '/in/b.csv')).toEqual(['1', '2', '3']);
    expect(await ids(['/in/b.csv'], undefined, '/in/d.csv')).toEqual(['3']);
  });

  test('are none that are seen, and have their places', async () => {
    expect(await unseen([], (seq) => seq === 1)).toEqual([
      expect.objectContaining({ seq: 2, external_account_number: 'B', line: 3, place: 'transactions-1.csv' }),
      {
        import_supplier: 'ACME',
        external_account_number: 'A',
        seq: 3,
        key: '3',
        variant: '',
        id: '3',
        file: 'transactions-2.csv',
        place: '/in/b.csv',
        line: 2,
        run: '20261121-101502-run-0000',
      },
    ]);
  });
});

describe('a run that is compared again', () => {
  /** A run whose second record was refused and then brought there by another version. */
  const versionsWith = async () => {
    const platform = new RefusingPlatform('transactions', ['2']);
    const versions = new Versions('transactions', platform);
    await versions.send('A:1');
    const { id } = await versions.send('A:1 A:2 B:3');
    platform.refused.clear();
    await versions.send('A:2', { place: '/in/b.csv' });
    return { versions, id };
  };

  const compare = (versions: Versions, id: string) => {
    const history = versions.history();
    const run = versions.folder.open(id);
    const scope = { resource: 'transactions', target: 'https://platform.example', database: null } as const;
    const { links } = run.history.facts();
    run.history.compare(history.viewOf(scope, { resendsRefused: false })!, { now: NOW, idOf: history.idOf });
    const added = run.history.facts().links - links;
    const { broken } = run.proving.chain();
    const ends = [...run.rowEnds()].map(({ end }) => end);
    history.release();
    run.close();
    history.close();
    return { added, broken, ends };
  };

  test('seals what has changed, and nothing when nothing has', async () => {
    const { versions, id } = await versionsWith();
    await versions.send('A:1 A:2 B:3');
    expect(compare(versions, id)).toEqual({
      added: 0,
      broken: null,
      ends: ['sent_before', 'sent_before', 'created'],
    });
  });

  test('does not seal the rows once more that were sent before', async () => {
    const { versions, id } = await versionsWith();
    const run = versions.folder.open(id);
    run.takeUp({ now: NOW, turn: 9, choice: run.choice, again: false, resendsRefused: false });
    run.close();
    expect(compare(versions, id)).toEqual({
      added: 1,
      broken: null,
      ends: ['sent_before', 'sent_before', 'created'],
    });
  });
});

test('a record is read by another run with its facts, and with whether an answer has compared it', async () => {
  const platform = new FakePlatform('statements');
  const read = async () => {
    const choice = { onExisting: 'accept' } as const;
    const { run } = await stagedRun('statements', csvFrom('statements', 'A:S-1'), { choice });
    await drained(run, platform);
    const other = run.history.asOther();
    return { run, other, place: other.placeOf(1) };
  };
  const [first, second] = [await read(), await read()];
  expect([first, second].map(({ run }) => [...run.rowEnds()][0]!.end)).toEqual(['created', 'uncompared']);
  const place = { file: 'statements-1.csv', line: 2 };
  expect([first.place, second.place]).toEqual([
    { ...place, wasCompared: true },
    { ...place, wasCompared: false },
  ]);
  expect(first.other.factsOf(1)).toEqual({ type: null, amount: '1010' });
  expect(first.other.accountOf(1)).toEqual({ import_supplier: 'ACME', external_account_number: 'A' });
  expect(first.other.contentOf(1)).toHaveLength(32);
});

describe('a judgement is dropped', () => {
  test.each([
    ['when two rows say that one record has moved', 'B:1 C:1', ['created', 'created']],
    ['when the record is on its account, too', 'B:1 A:1', ['created', 'sent_before']],
  ])('%s', async (_, rows, ends) => {
    const versions = new Versions('transactions', new FakePlatform('transactions'));
    await versions.send('A:1');
    expect((await versions.send(rows)).ends).toEqual(ends);
  });
});
