import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { ACCOUNT, startPlatform, statement } from '../../support/server-platform.ts';
import { POST_NAMES, POSTS } from '../../support/server-faults.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A platform whose commits of new records fail. */
async function platformWithFailingCommits(options: Parameters<typeof startPlatform>[0] = {}) {
  const database = join(temporaryFolder(), 'serve.sqlite');
  const platform = await startPlatform({ ...options, database });
  const other = new BetterSqlite(database);
  onTestFinished(() => void other.close());
  // A row without its parent is found by the commit only.
  other.exec(`CREATE TABLE orphan (id REFERENCES accounts (id) DEFERRABLE INITIALLY DEFERRED);
    CREATE TRIGGER orphans AFTER INSERT ON records BEGIN INSERT INTO orphan VALUES (77); END`);
  return platform;
}

test.each(POST_NAMES)(
  'the answer to %s leaves after the commit: when that fails, it is a 500 and nothing is stored',
  async (name) => {
    const platform = await platformWithFailingCommits();
    const { status } = await platform.post(POSTS[name].endpoint, POSTS[name].payload);
    expect([status, await platform.ledger()]).toEqual([500, []]);
    expect(platform.unexpected).toHaveLength(1);
  },
);

test('a refusal because of a record whose commit fails is a 500, too', async () => {
  const platform = await platformWithFailingCommits();
  const payload = { ...ACCOUNT, statements: [statement()] };
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => platform.post('createStatements', payload)),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([500]));
});

test('tokens and GETs are answered while commits fail', async () => {
  const platform = await platformWithFailingCommits();
  const { endpoint, payload } = POSTS.notes;
  const posts = Array.from({ length: 8 }, () => platform.post(endpoint, payload));
  const gets = Array.from({ length: 8 }, () =>
    platform.get('importedAccountImportProcesses', { importSupplier: 'ACME' }),
  );
  expect(new Set((await Promise.all(posts)).map(({ status }) => status))).toEqual(new Set([500]));
  expect(new Set((await Promise.all(gets)).map(({ status }) => status))).toEqual(new Set([200]));
});

test('a fault after the commit does not strike when the commit fails', async () => {
  const platform = await platformWithFailingCommits({ faults: { rules: ['notes after-commit reset'] } });
  const { endpoint, payload } = POSTS.notes;
  expect((await platform.post(endpoint, payload)).status).toBe(500);
  expect(platform.faults.unused()).toEqual(['notes after-commit reset']);
});

test('requests that arrive together are each answered with what is stored of them', async () => {
  const platform = await startPlatform({ database: join(temporaryFolder(), 'serve.sqlite') });
  const bodies = Array.from({ length: 24 }, (_, index) => ({
    ...ACCOUNT,
    // Every third request repeats a statement of the one before, so it is refused as a whole.
    statements: [
      statement({ statement_id: `own-${index}` }),
      statement({ statement_id: `st-${index - (index % 3 === 2 ? 1 : 0)}` }),
    ],
  }));
  const answers = await Promise.all(bodies.map((body) => platform.post('createStatements', body)));
  const ids = answers.flatMap(({ status }, index) =>
    status === 201 ? bodies[index]!.statements.map((each) => each['statement_id']) : [],
  );
  const stored = (await platform.ledger()).map(({ data }) => data['statement_id']);
  expect(stored).toHaveLength(ids.length);
  expect(new Set(stored)).toEqual(new Set(ids));
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(8);
});
