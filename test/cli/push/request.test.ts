import { describe, expect, test } from 'vitest';
import { requestOf } from '../../../src/cli/push/request.ts';
import { ENDPOINTS } from '../../../src/core/contract/endpoints.ts';
import { DESCRIPTORS, RESOURCES } from '../../../src/core/contract/resources.ts';
import { parseExactJson } from '../../../src/core/values/exact-json.ts';
import { batchOf, batchWith } from '../../support/push-batch.ts';

const DEFAULTS = { checkPreviouslyAdded: true, forceAddToCurrentStatement: true };

describe('the body of a request', () => {
  test('has the digits of the source', () => {
    const batch = batchWith('transactions', [
      { transaction_id: 'T', transaction_date: '2026-01-05', amount: '0010.10', type: 'CHARGE' },
    ]);
    expect(requestOf('transactions', batch, DEFAULTS).body).toContain('"amount":10.10,');
  });

  test.each(RESOURCES)('of %s fits the schema of its endpoint', (resource) => {
    const batch = batchOf(resource, resource === 'payment-instructions' ? 1 : 3);
    const { path, body } = requestOf(resource, batch, DEFAULTS);
    const endpoint = DESCRIPTORS[resource].endpoint;
    expect(path).toBe(endpoint.path);
    expect(endpoint.request.safeParse(parseExactJson(body!)).success).toBe(true);
  });
});

describe('a retry', () => {
  test.each(RESOURCES)('of %s has the same bytes, whatever the attempt', (resource) => {
    const batch = batchOf(resource, resource === 'payment-instructions' ? 1 : 3);
    const first = requestOf(resource, batch, DEFAULTS);
    const again = { ...batch, attempt: 7, inDoubt: true };
    expect(requestOf(resource, again, DEFAULTS)).toEqual(first);
    expect(requestOf(resource, structuredClone(batch), DEFAULTS)).toEqual(first);
  });
});

describe('the query of transactions', () => {
  const queryOf = (check: boolean, force: boolean, inDoubt: boolean): string => {
    const options = { checkPreviouslyAdded: check, forceAddToCurrentStatement: force };
    const { path } = requestOf('transactions', batchOf('transactions', 1, { inDoubt }), options);
    return path.slice(ENDPOINTS.createTransactions.path.length);
  };

  test.each([
    [true, true, false, ''],
    [true, true, true, ''],
    [false, true, false, '?check_previously_added=false'],
    [true, false, false, '?force_add_to_current_statement=false'],
    [true, false, true, '?force_add_to_current_statement=false'],
    [false, false, false, '?check_previously_added=false&force_add_to_current_statement=false'],
    // The platform looks for records that may have been applied, whatever the user chose.
    [false, true, true, ''],
    [false, false, true, '?force_add_to_current_statement=false'],
  ])(
    'with the check %s, moving %s and an earlier attempt in doubt %s: %j',
    (check, force, inDoubt, query) => {
      expect(queryOf(check, force, inDoubt)).toBe(query);
    },
  );
});
