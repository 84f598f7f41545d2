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
function struck(
  name: string,
  again: readonly number[],
  { ids = ['a1'], endpoint = 'transactions', later: changed = {} } = {},
) {
  const fault = faultOf(name, endpoint);
  const later = again.map((atMs) => ({ ids, atMs, endpoint, ...changed }));
  const status = name === 'refused' ? 400 : null;
  return { fault, requests: [{ ids, atMs: 0, status, fault, endpoint }, ...later] };
}

test.each([
  ['that ends with 0 has lost what is missing', { records: RECORDS.slice(1) }, ['lost']],
  ['that ends with 0 has lost nothing that is there', {}, []],
  ['that says that it failed has lost nothing', { exitCode: 1, records: [] }, []],
  ['that failed may have stored twice', { exitCode: 1, records: [RECORDS[0]!, RECORDS[0]!] }, ['twice']],
  ['that the limit of time ended did not end', { exitCode: null, ended: 'time', records: [] }, ['hung']],
] as const)('a client %s', (_, run, expected) => {
  expect(kindsIn(run)).toEqual(expected);
});

describe('a client that stops gave up', () => {
  test.each(['lost_before', 'status_500', 'status_503', 'token', 'cut', 'restart'])('after %s', (name) => {
    expect(kindsIn({ exitCode: 1, ...struck(name, []) })).toEqual(['gave_up']);
  });

  test.each(['lost_before', 'outage'])('unless it sent the request again: %s', (name) => {
    const later = { fault: faultOf(name) };
    expect(kindsIn({ exitCode: 1, ...struck(name, [500], { later }) })).toEqual([]);
  });

  test.each([
    [[], 'it ended with 1, and the request did not arrive again'],
    [[500, 900], 'it ended with 1 after 2 more requests to transactions, refused with 401'],
  ])('and the finding counts what was refused with 401: at %j ms', (again, says) => {
    const run = clientRun({ exitCode: 1, ...struck('token', again, { later: { ids: [], status: 401 } }) });
    expect(findingsIn(run, reference).map((finding) => finding.says)).toContain(says);
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

  test('unless it asks for something else in the query (interface.md 4.3)', () => {
    const { requests, ...run } = clientRun(struck('refused', [500]));
    const query = 'force_add_to_current_statement=true';
    const other = requests.map((request, index) => (index > 0 ? { ...request, query } : request));
    expect(findingsIn({ ...run, records: RECORDS, requests: other }, reference)).toEqual([]);
  });

  test('also when the platform itself refused it, as after a lost answer of a statement', () => {
    const { fault, requests } = struck('lost_after', [500, 900], { endpoint: 'statements' });
    const again = requests.map((request, index) => (index > 0 ? { ...request, status: 400 } : request));
    expect(kindsIn({ fault, requests: again, exitCode: 6 })).toEqual(['kept_on']);
  });
});

describe('of a client whose ids differ in each run', () => {
  const madeUp = (...ids: readonly string[]) => clientRun({ records: ids.map((id) => stored(id)) });
  // The last digit is the amount.
  const differing = referenceOf([madeUp('a1', 'a2'), madeUp('b1', 'b2')]);
  const twins = referenceOf([madeUp('a1', 'b1'), madeUp('c1', 'd1')]);
  const saidOf = (name: string, ids: readonly string[], compared = differing) => {
    const run = clientRun(struck(name, [5], { later: { ids } }));
    const found = findingsIn({ ...run, records: [] }, compared);
    return found.flatMap(({ kind, says }) => (kind === 'lost' ? [] : [says]));
  };

  test('a record is the same under another id, and the finding names what has changed', () => {
    expect(saidOf('refused', ['a1'])).toEqual(['it sent the refused request again, unchanged']);
    expect(saidOf('refused', ['d1'])).toEqual([
      'it sent the refused request again, with another transaction_id',
    ]);
    expect(saidOf('status_503', ['d1'])).toHaveLength(1);
  });

  test('several records that only their ids tell apart are different ones', () => {
    for (const name of ['refused', 'status_503']) {
      expect(saidOf(name, ['d1'], twins)).toEqual([]);
      expect(saidOf(name, ['a1'], twins)).toHaveLength(1);
    }
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

  test('but not where several threads ask the same, as for a token', () => {
    const asked = [{ ids: [], atMs: 0, endpoint: 'token' }];
    const [once, twice] = [asked, [...asked, ...asked]].map((requests) =>
      referenceOf([clientRun({ requests }), clientRun({ requests })]),
    );
    const run = clientRun(struck('status_503', [5], { endpoint: 'token' }));
    const kindsBy = (compared: typeof reference) => findingsIn(run, compared).map(({ kind }) => kind);
    expect([kindsBy(once!), kindsBy(twice!)]).toEqual([['hammered'], []]);
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
