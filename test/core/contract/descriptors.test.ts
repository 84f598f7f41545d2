import { describe, expect, test } from 'vitest';
import {
  descriptorOfKind,
  DESCRIPTORS,
  RECORD_KINDS,
  RESOURCES,
  type Resource,
} from '../../../src/core/contract/resources.ts';

test('every resource has a kind and an endpoint of its own', () => {
  const descriptors = RESOURCES.map((resource) => DESCRIPTORS[resource]);
  expect(new Set(RECORD_KINDS).size).toBe(RESOURCES.length);
  expect(new Set(descriptors.map(({ endpoint }) => endpoint.name)).size).toBe(RESOURCES.length);
  expect(new Set(descriptors.map(({ endpoint }) => endpoint.path)).size).toBe(RESOURCES.length);
});

describe.each(RESOURCES)('the descriptor of %s', (resource) => {
  const { idField, list, answer, lostAnswer } = DESCRIPTORS[resource];

  test('says how a result is tied to its record, by an id or by its fields', () => {
    expect(idField === null).toBe(answer.echoes !== undefined);
  });

  test('says how a lost answer is resolved, by statuses or by a refusal', () => {
    expect(answer.statuses === null).toBe(lostAnswer.present !== null);
    expect(lostAnswer.oneByOne && list === null).toBe(false);
  });
});

test('a descriptor is found by the kind of its records', () => {
  expect(RECORD_KINDS.map((kind) => descriptorOfKind(kind))).toEqual(
    RESOURCES.map((resource) => DESCRIPTORS[resource]),
  );
});

test.each<[Resource, object, string]>([
  ['transactions', { transaction_id: 'T-1' }, 'T-1'],
  ['statements', { statement_id: 'S-1' }, 'S-1'],
  // An account has at most one active instruction.
  ['payment-instructions', { reference: 'R-1' }, ''],
])('records of %s are the same by their id, in one variant', (resource, record, key) => {
  const { identity } = DESCRIPTORS[resource];
  expect(identity(record as never)).toEqual({ key, variant: undefined });
});
