import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { csvFrom, reopened, RUN_ID, NOW, stagedRun } from '../../../support/push-staged-run.ts';

test('an attempt that settled nothing is missed when its link is removed', async () => {
  const { run, folder } = await stagedRun('transactions', csvFrom('transactions', 'A:1'));
  const operations = run.draining(() => NOW);
  const batch = (await operations.claimNext(1))!;
  await operations.fail(batch, { kind: 'not_applied', status: 503, reason: 'status 503' });
  expect(run.proving.chain()).toMatchObject({ links: 1, broken: null });
  run.close();
  const db = new Database(`${folder.path}/${RUN_ID}.sqlite`);
  db.exec('DELETE FROM link');
  db.close();
  expect(reopened(folder).proving.chain()).toMatchObject({
    links: 0,
    broken: 'the ended attempt 1 has no link',
  });
});
