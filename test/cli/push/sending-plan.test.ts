import { expect, test } from 'vitest';
import { RESOURCES } from '../../../src/core/contract/resources.ts';
import { requestOf } from '../../../src/cli/push/request.ts';
import { totalsOfRequests } from '../../../src/cli/push/sending-plan.ts';
import { batchOf } from '../../support/push-batch.ts';

const OPTIONS = { checkPreviouslyAdded: true, forceAddToCurrentStatement: true };

test.each(RESOURCES)('the bytes of %s are those of the bodies that would be sent', (resource) => {
  const sizes = resource === 'payment-instructions' ? [1, 1] : [3, 1];
  const account = { import_supplier: 'ÄCME', external_account_number: 'A-"1"' };
  const batches = sizes.map((size) => batchOf(resource, size, { account }));
  const planned = batches.map(({ records }) => ({
    account,
    records: records.length,
    payloadBytes: records.reduce((sum, { payload }) => sum + Buffer.byteLength(payload), 0),
  }));
  const bodies = batches.map((batch) => Buffer.byteLength(requestOf(resource, batch, OPTIONS).body!));
  expect(totalsOfRequests(resource, planned)).toEqual({
    requests: 2,
    accounts: 1,
    records: sizes[0]! + sizes[1]!,
    bytes: bodies[0]! + bodies[1]!,
    largest: { records: sizes[0], bytes: Math.max(...bodies) },
  });
});

test('nothing to send is nothing', () => {
  expect(totalsOfRequests('notes', [])).toEqual({
    requests: 0,
    accounts: 0,
    records: 0,
    bytes: 0,
    largest: { records: 0, bytes: 0 },
  });
});
