import { describe, expect, test } from 'vitest';
import { classify } from '../../../src/cli/push/answer/classify.ts';
import type { Platform } from '../../../src/cli/push/ports/platform.ts';
import type { Reading } from '../../../src/cli/journal/reading.ts';
import { answer, batchOf, goodBody, goodItems } from '../../support/push-batch.ts';
import { drained } from '../../support/push-drained.ts';
import { csvFrom, reopened, stagedRun } from '../../support/push-staged-run.ts';

const BATCH = batchOf('transactions', 3);
const SENT = (JSON.parse(BATCH.records[0]!.payload) as { transaction_date: string }).transaction_date;

interface Item {
  readonly status: string;
  readonly transaction_data: Readonly<Record<string, unknown>>;
}

/** The records with a moved date when the answer to the second transaction has these changes. */
function movedWith(data: Readonly<Record<string, unknown>>, status?: string, batch = BATCH, reorder = false) {
  const items = goodItems('transactions', batch, status) as Item[];
  items[1] = { ...items[1]!, transaction_data: { ...items[1]!.transaction_data, ...data } };
  const body = goodBody('transactions', batch, reorder ? items.toReversed() : items);
  const result = classify('transactions', batch, answer(201, body));
  if (!('records' in result)) throw new Error(result.kind);
  return result.records.filter(({ found }) => found !== undefined).map(({ seq }) => seq);
}

describe('a transaction that the platform stored with another date', () => {
  test.each([
    ['the date that was sent', { transaction_date: SENT }],
    ['no date', { transaction_date: undefined }],
    ['null', { transaction_date: null }],
    ['a date of another form', { transaction_date: '01.01.2026' }],
    ['a day that does not exist', { transaction_date: '2026-02-30' }],
  ])('is not concluded from %s', (_, data) => {
    expect(movedWith(data)).toEqual([]);
  });
});

describe('a moved date in an answer of success that rejects another record', () => {
  /** Moves the first transaction of a request and rejects the second. */
  const platform: Platform = {
    send: async ({ body }) => {
      const { transactions } = JSON.parse(body!) as { transactions: readonly Record<string, unknown>[] };
      const [moved, refused] = transactions;
      return answer(201, {
        results: [
          {
            status: 'TRANSACTION_ADDED_TO_ACCOUNT',
            transaction_data: { ...moved, transaction_date: '2026-06-01' },
          },
          { status: 'TRANSACTION_IMPORT_ERROR', transaction_data: refused },
        ],
      });
    },
  };
  const shown = (run: Reading): unknown =>
    run.report().problems.map(({ code, severity }) => [severity, code]);
  const WARNING = ['warning', 'transaction_date_moved'];
  const REFUSAL = ['error', 'transaction_import_error'];

  test('is reported, and stays reported when the rejected record is sent again', async () => {
    const { run, folder } = await stagedRun('transactions', csvFrom('transactions', 'A:1 A:2'));
    const { end, report } = await drained(run, platform);
    expect(end.kind).toBe('refused');
    expect(report.rows).toMatchObject({ created: 1, rejected: 1 });
    expect(shown(run)).toEqual([REFUSAL, WARNING]);
    run.close();
    expect(shown(reopened(folder))).toEqual([WARNING]);
  });

  test('is reported when the rejected record is set aside', async () => {
    const { run } = await stagedRun('transactions', csvFrom('transactions', 'A:1 A:2'));
    const { end } = await drained(run, platform, { onReject: 'skip' });
    expect(end.kind).toBe('finished');
    expect(shown(run)).toEqual([REFUSAL, WARNING]);
  });
});
