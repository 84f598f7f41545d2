import { expect, test } from 'vitest';
import { answer } from '../../../support/push-batch.ts';
import { drained } from '../../../support/push-drained.ts';
import { FakePlatform, type Fault } from '../../../support/fake-platform.ts';
import { csvFrom, reopened, stagedRun } from '../../../support/push-staged-run.ts';

const given = (status: number, body: unknown = ''): Fault => ({
  kind: 'answer',
  applied: false,
  answer: answer(status, body),
});

/** A refusal of one note of a request. */
const refused = (index: number): Fault =>
  given(400, {
    detail: 'x',
    code: 'validation_error',
    errors: [{ detail: 'x', code: 'invalid', attr: `notes.${index}.body` }],
  });

const SKIP = { choice: { onReject: 'skip' } } as const;

test('what is in doubt is sent before refused records of its account are sent again', async () => {
  const limits = { records: 1, bytes: 1_000_000 };
  const { run, folder } = await stagedRun('notes', csvFrom('notes', 'A:1 A:2 A:3'), { ...SKIP, limits });
  const faults = { 'A#1': refused(0), 'A#2': { kind: 'lost', applied: false } } as const;
  const platform = new FakePlatform('notes', faults);
  const first = await drained(run, platform, { onReject: 'skip', retryForMs: 0 });
  expect(first.report.rows).toMatchObject({ rejected: 1, unknown: 1, not_sent: 1 });
  run.close();
  const again = await drained(reopened(folder), platform);
  expect(again.report.rows).toMatchObject({ read: 3, created: 3 });
  expect(platform.received.slice(2).map(({ body }) => /Note (\d)/.exec(body)?.[1])).toEqual(['2', '1', '3']);
});

test('a refused record of a request that was cut afterwards is sent again', async () => {
  const limits = { records: 3, bytes: 1_000_000 };
  const { run, folder } = await stagedRun('notes', csvFrom('notes', 'A:1 A:2 A:3'), { ...SKIP, limits });
  const platform = new FakePlatform('notes', { 'A#1': refused(1), 'A#2': given(413) });
  const first = await drained(run, platform, { onReject: 'skip' });
  expect(first.report.rows).toMatchObject({ created: 2, rejected: 1 });
  run.close();
  const again = await drained(reopened(folder), platform);
  expect(again.report.rows).toMatchObject({ read: 3, created: 3 });
});
