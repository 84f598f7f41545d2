import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { answer } from '../../../support/push-batch.ts';
import { drained } from '../../../support/push-drained.ts';
import { FakePlatform, type Fault } from '../../../support/fake-platform.ts';
import { csvFrom, RUN_ID, stagedRun } from '../../../support/push-staged-run.ts';

/** A run that was sent with these faults, and the folder that it is in. */
async function sent(faults: Readonly<Record<string, Fault>> = {}) {
  const { run, folder } = await stagedRun('transactions', csvFrom('transactions', 'A:1 A:2 B:3'));
  await drained(run, new FakePlatform('transactions', faults), { onReject: 'skip', retryForMs: 0 });
  const texts = (): number =>
    readFileSync(folder.fileOf(RUN_ID), 'latin1').split('"transaction_id":').length - 1;
  return { run, folder, texts };
}

const REFUSED: Fault = {
  kind: 'answer',
  applied: false,
  answer: answer(400, { errors: [{ detail: 'No.', code: 'invalid', attr: 'transactions.0.type' }] }),
};

describe('the texts of records', () => {
  test('that a process left when it died are erased by the next opening', async () => {
    const { run, folder, texts } = await sent();
    run.close();
    expect(texts()).toBe(3);
    folder.open(RUN_ID).close();
    expect(texts()).toBe(0);
  });

  test('are erased when all have arrived', async () => {
    const { run, texts } = await sent();
    run.eraseSettledPayloads();
    expect([run.state, run.condition, texts()]).toEqual(['cleared', 'done', 0]);
  });

  test('that were refused stay, because the next command sends them again', async () => {
    const { run, texts } = await sent({ 'A#1': REFUSED });
    expect(run.report().rows).toMatchObject({ created: 2, rejected: 1 });
    run.eraseSettledPayloads();
    expect([run.state, run.condition, texts()]).toEqual(['staged', 'done', 1]);
    run.erasePayloads();
    expect([run.state, run.condition, texts()]).toEqual(['cleared', 'forgotten', 0]);
  });
});
