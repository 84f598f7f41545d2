import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { answer } from '../../../support/push-batch.ts';
import { drained } from '../../../support/push-drained.ts';
import { FakePlatform, type Fault } from '../../../support/fake-platform.ts';
import { journalIn, csvFrom, stagedRun } from '../../../support/push-staged-run.ts';

/** A run that was sent with these faults, and the folder that it is in. */
async function sent(faults: Readonly<Record<string, Fault>> = {}) {
  const { run, folder } = await stagedRun('transactions', csvFrom('transactions', 'A:1 A:2 B:3'));
  await drained(run, new FakePlatform('transactions', faults), { onReject: 'skip', retryForMs: 0 });
  const texts = (): number => readFileSync(journalIn(folder), 'latin1').split('"transaction_id":').length - 1;
  return { run, folder, texts };
}

describe('the texts of records', () => {
  test.each([0, 1])(
    'of refused record %i stay with what the platform says about it, and go together',
    async (at) => {
      const detail = 'Mrs Smith is no type.';
      const errors = [{ detail, code: 'invalid', attr: `transactions.${at}.type` }];
      const refused: Fault = { kind: 'answer', applied: false, answer: answer(400, { detail: 'x', errors }) };
      const { run, folder } = await sent({ 'A#1': refused });
      const shown = () =>
        run.report({ showValues: true, command: null }).problems.map(({ detail: text }) => text);
      const hidden = () =>
        run
          .report({ showValues: false, command: 'x --show-values' })
          .problems.map(({ detail: text }) => text);
      const whole = shown();
      expect(whole.join()).toContain(detail);
      expect(hidden()).toEqual([expect.stringContaining('`x --show-values` shows what is hidden')]);
      run.eraseSettledPayloads();
      expect(shown()).toEqual(whole);
      run.erasePayloads();
      expect(shown()).toEqual([expect.stringContaining('; it is erased')]);
      expect(hidden()).toEqual(shown());
      expect(readFileSync(journalIn(folder), 'latin1')).not.toContain('Smith');
    },
  );
});
