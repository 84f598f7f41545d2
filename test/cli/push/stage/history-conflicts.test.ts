import { describe, expect, test } from 'vitest';
import {
  conflictProblem,
  isInvalidating,
  vanishedProblem,
} from '../../../../src/cli/push/stage/history-conflicts.ts';
import type { HistoryConflict } from '../../../../src/cli/push/ports/staging.ts';
import type { Resource } from '../../../../src/core/contract/resources.ts';

const EARLIER = { file: 'may.csv', line: 7, run: '20260501-run' };

const facts = (what: string) => ({ since_file: 'may.csv', since_line: 7, since: '20260501-run', what });

function problemOf(resource: Resource, changes: Partial<HistoryConflict>, wasCompared = true) {
  return conflictProblem(resource, {
    source: 1,
    line: 2,
    seq: 3,
    kind: 'changed',
    earlier: { ...EARLIER, wasCompared },
    differs: [],
    ...changes,
  });
}

describe('the problem of a record that was sent before', () => {
  test.each<readonly [Resource, HistoryConflict['differs'], readonly string[], string]>([
    ['transactions', [], ['transaction_id'], 'other content'],
    ['transactions', ['amount'], ['amount'], 'another amount'],
    ['transactions', ['type', 'amount'], ['type'], 'another type and another amount'],
    ['statements', ['amount'], ['gross_amount'], 'another gross_amount'],
    ['payment-instructions', ['type'], ['type'], 'another type'],
    ['payment-instructions', ['amount'], ['reference'], 'other content'],
    ['notes', [], [], 'other content'],
    ['notes', ['type', 'amount'], [], 'other content'],
  ])('of %s with another %j is at its field', (resource, differs, path, what) => {
    expect(problemOf(resource, { differs })).toEqual({
      code: 'record_changed',
      severity: 'error',
      path,
      facts: facts(what),
    });
  });

  test('says so where nobody has compared the record that is there', () => {
    expect(problemOf('transactions', { differs: ['amount'] }, false)).toEqual({
      code: 'record_not_compared',
      severity: 'error',
      path: ['amount'],
      facts: facts('another amount'),
    });
  });

  test.each<readonly [HistoryConflict['kind'], string, readonly string[], object]>([
    ['moved', 'record_moved', ['external_account_number'], facts('other content')],
    ['verify', 'outcome_unproven', ['transaction_id'], {}],
    ['rejected', 'refused_before', ['transaction_id'], facts('other content')],
  ])('%s has the code %s', (kind, code, path, known) => {
    expect(problemOf('transactions', { kind })).toEqual({ code, severity: 'error', path, facts: known });
  });
});

test('only a record that changed or moved makes its row invalid', () => {
  const kinds = ['changed', 'moved', 'verify', 'rejected'] as const;
  expect(kinds.map((kind) => isInvalidating({ kind }))).toEqual([true, true, false, false]);
});

test('a record that no row is any more is a warning', () => {
  expect(vanishedProblem(EARLIER)).toEqual({
    code: 'record_vanished',
    severity: 'warning',
    path: [],
    facts: facts('other content'),
  });
});
