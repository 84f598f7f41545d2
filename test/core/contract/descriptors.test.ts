import { describe, expect, test } from 'vitest';
import { DESCRIPTORS, RECORD_KINDS, RESOURCES } from '../../../src/core/contract/resources.ts';

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
