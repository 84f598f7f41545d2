import { expect, test } from 'vitest';
import { FakePlatform } from '../../../support/fake-platform.ts';
import { RefusingPlatform } from '../../../support/refusing-platform.ts';
import { Versions } from '../../../support/versions.ts';

test('records that were never sent are known, so that they are withdrawn when no row is any more', async () => {
  const platform = new RefusingPlatform('transactions', ['1']);
  const versions = new Versions('transactions', platform);
  const first = await versions.send('A:1 A:2 A:3', { onReject: 'stop' });
  expect(first.ends).toEqual(['rejected', 'not_sent', 'not_sent']);
  platform.refused.clear();
  const { report, ends } = await versions.send('A:2');
  expect(ends).toEqual(['created']);
  expect(report.withdrawn.listed.map(({ id, line, run }) => [id, line, run])).toEqual([
    ['1', 2, first.id],
    ['3', 4, first.id],
  ]);
});

test('what a run has sent since it was learnt is known, too', async () => {
  const platform = new RefusingPlatform('transactions', ['1']);
  const versions = new Versions('transactions', platform);
  await versions.send('A:1 A:2 A:3', { onReject: 'stop' });
  platform.refused.clear();
  expect((await versions.send('A:1 A:2 A:3')).ends).toEqual(['created', 'created', 'created']);
  expect((await versions.send('A:1 A:2 A:3 A:4')).ends).toEqual([
    'sent_before',
    'sent_before',
    'sent_before',
    'created',
  ]);
});

test('a payment instruction is found by its reference, on whatever account', async () => {
  const versions = new Versions('payment-instructions', new FakePlatform('payment-instructions'));
  await versions.send('A:1 B:2');
  const { ends } = await versions.send('C:1 B:2');
  expect(ends).toEqual(['record_moved', 'sent_before']);
});

test('a record without an id of its own does not move', async () => {
  const versions = new Versions('notes', new FakePlatform('notes'));
  await versions.send('A:1');
  expect((await versions.send('B:1')).ends).toEqual(['created']);
});
