import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { Journal } from '../../../../src/cli/journal/journal.ts';
import { drained } from '../../../support/push-drained.ts';
import { FakePlatform } from '../../../support/fake-platform.ts';
import { journalIn, csvFrom, stagedRun, takenUp } from '../../../support/push-staged-run.ts';

/** A run that was sent twice (`--again`) and then changed by somebody. */
async function changed(statement: string) {
  const { run, folder } = await stagedRun('transactions', csvFrom('transactions', 'A:1 B:2'));
  const platform = new FakePlatform('transactions');
  await drained(run, platform);
  await drained(takenUp(run, { again: true }), platform);
  run.close();
  const db = new Database(journalIn(folder));
  db.pragma('foreign_keys = OFF');
  db.exec(statement);
  db.close();
  const journal = Journal.open(journalIn(folder));
  try {
    journal.assertProven();
    return null;
  } catch (error) {
    return (error as Error).message;
  } finally {
    journal.close();
  }
}

test.each(
  Object.entries<[string, string | null]>({
    nothing: ['SELECT 1', null],
    'the records of a request': [
      'UPDATE batch SET last_seq = 0 WHERE id = 1',
      'the request 1 has records of another request',
    ],
    'a request that nobody has answered': [
      "DELETE FROM outcome WHERE seq = 1; UPDATE batch SET state = 'planned' WHERE id = 1; UPDATE attempt SET result = 'ambiguous'",
      'the request 1 is not in doubt, and no answer has settled its last attempt',
    ],
    'the link that withdrew an outcome to that of an answer': [
      'UPDATE past_outcome SET until_id = 1 WHERE seq = 2',
      'the outcome of the record 2 was withdrawn by nothing in the chain',
    ],
    'the link that gave an outcome to the one that withdrew it': [
      'UPDATE past_outcome SET link_id = until_id WHERE seq = 2',
      'the outcome of the record 2 was withdrawn by nothing in the chain',
    ],
    'the link of an outcome to one before it was withdrawn': [
      'UPDATE outcome SET link_id = 1 WHERE seq = 2',
      'the record 2 has an outcome from before it was withdrawn',
    ],
  }),
)('tables contradict each other when somebody has changed %s', async (_, [statement, sentence]) => {
  const found = await changed(statement);
  if (sentence === null) expect(found).toBeNull();
  else expect(found).toContain(sentence);
});
