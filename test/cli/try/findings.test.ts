import { describe, expect, test } from 'vitest';
import { findingsIn } from '../../../src/cli/try/findings.ts';
import { referenceOf } from '../../../src/cli/try/reference.ts';
import { clientRun, faultOf, stored } from '../../support/client-runs.ts';

const RECORDS = [stored('a1'), stored('a2'), stored('a3')];
const reference = referenceOf([clientRun({ records: RECORDS }), clientRun({ records: RECORDS })]);

/** The kinds of findings in a run. */
function kindsIn(run: Parameters<typeof clientRun>[0]): readonly string[] {
  return findingsIn(clientRun({ records: RECORDS, ...run }), reference).map(({ kind }) => kind);
}

/** A request that a fault took, and the requests after it. */
function struck(name: string, again: readonly number[], { ids = ['a1'], endpoint = 'transactions' } = {}) {
  const fault = faultOf(name, endpoint);
  const later = again.map((atMs) => ({ ids, atMs, endpoint }));
  const status = name === 'refused' ? 400 : null;
  return { fault, requests: [{ ids, atMs: 0, status, fault, endpoint }, ...later] };
}

describe('a client that ends with 0', () => {
  test('has lost the records that are missing', () => {
    expect(kindsIn({ records: RECORDS.slice(1) })).toEqual(['lost']);
  });

  test('has lost nothing that is there', () => {
    expect(kindsIn({})).toEqual([]);
  });
});

test('a client that says that it failed has lost nothing', () => {
  expect(kindsIn({ exitCode: 1, records: [] })).toEqual([]);
});

test('a client that failed and left records twice has stored them twice', () => {
  expect(kindsIn({ exitCode: 1, records: [RECORDS[0]!, RECORDS[0]!] })).toEqual(['twice']);
});

describe('a client that stops gave up', () => {
  test.each(['lost_before', 'status_500', 'status_503', 'token', 'cut', 'restart'])('after %s', (name) => {
    expect(kindsIn({ exitCode: 1, ...struck(name, []) })).toEqual(['gave_up']);
  });

  test('unless it sent the request again', () => {
    expect(kindsIn({ exitCode: 1, ...struck('lost_before', [500]) })).toEqual([]);
  });

  test('but not for another request of the account', () => {
    const { fault, requests } = struck('lost_before', []);
    const other = { ids: ['a2'], atMs: 500 };
    expect(kindsIn({ exitCode: 1, fault, requests: [...requests, other] })).toEqual(['gave_up']);
  });

  test.each([
    ['lost_after', 'statements'],
    ['lost_before', 'payment-instructions'],
  ])('unless a person has to look: %s of %s', (name, endpoint) => {
    expect(kindsIn({ exitCode: 6, ...struck(name, [], { endpoint }) })).toEqual([]);
  });

  test.each(['refused', 'twice', 'slow'])('unless nothing was to be sent again: %s', (name) => {
    expect(kindsIn({ exitCode: 1, ...struck(name, []) })).toEqual([]);
  });
});

describe('a client that sends a refused request again keeps on', () => {
  test('unchanged', () => {
    expect(kindsIn(struck('refused', [500]))).toEqual(['kept_on']);
  });

  test('also when the platform itself refused it, as after a lost answer of a statement', () => {
    const { fault, requests } = struck('lost_after', [500, 900], { endpoint: 'statements' });
    const again = requests.map((request, index) => (index > 0 ? { ...request, status: 400 } : request));
    expect(kindsIn({ fault, requests: again, exitCode: 6 })).toEqual(['kept_on']);
  });
});

describe('a client hammers', () => {
  test.each([
    ['status_503', [900], ['hammered']],
    ['status_503', [1_001], []],
    ['status_429', [5], ['hammered']],
    ['outage', [5, 10, 15], ['hammered']],
    ['outage', [5, 10, 400], []],
    ['outage', [15, 25, 45], []],
    ['outage', [5], []],
    ['status_500', [2], []],
  ])('after %s, when it comes again at %j ms: %j', (name, again, expected) => {
    expect(kindsIn(struck(name, again))).toEqual(expected);
  });

  test('when it reaches the limit of requests', () => {
    expect(kindsIn({ exitCode: null, ended: 'requests' })).toEqual(['hammered']);
  });
});

describe('of a client that was killed and started again', () => {
  const restartedAfter = (name: string, count: number, again = [500, 510, 520]) =>
    kindsIn({ ...struck(name, again), restartedAfter: count });

  test('the second process knows nothing of the answers to the first', () => {
    // Request 1 of the first process failed, and request 2 and its followers are of the second.
    for (const name of ['refused', 'status_503', 'outage']) expect(restartedAfter(name, 1)).toEqual([]);
  });

  test('each process knows what it was answered', () => {
    expect(restartedAfter('refused', 2)).toEqual(['kept_on']);
    expect(restartedAfter('status_503', 2)).toEqual(['hammered']);
    // The request that failed is the first of the second process.
    const { fault, requests } = struck('refused', [500]);
    const before = { ids: ['a2'], atMs: -500 };
    expect(kindsIn({ fault, requests: [before, ...requests], restartedAfter: 1 })).toEqual(['kept_on']);
  });
});

test('a client that was ended by the limit of time did not end', () => {
  expect(kindsIn({ exitCode: null, ended: 'time', records: [] })).toEqual(['hung']);
});
