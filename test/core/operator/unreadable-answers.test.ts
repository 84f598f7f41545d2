import { expect, test } from 'vitest';
import type { Resource } from '../../../src/core/contract/resources.ts';
import type { OperatorContract } from '../../../src/core/operator/contract.ts';
import {
  unreadableAnswer,
  unreadableAnswers,
  type AnswerRules,
} from '../../../src/core/operator/unreadable-answers.ts';

const ADDED = 'TRANSACTION_ADDED_TO_ACCOUNT';
const EXISTS = 'TRANSACTION_ALREADY_EXISTS';

test.each<[Resource, AnswerRules, string | undefined]>([
  ['notes', {}, undefined],
  ['notes', { success: '202' }, 'success is answered with 202, and with 201 in the interface'],
  ['statements', { success: '202' }, 'success is answered with 202, and with 201 or 200 in the interface'],
  ['notes', { results: '' }, undefined],
  [
    'notes',
    { results: 'notes' },
    'the answer has its results as `notes`, and by themselves in the interface',
  ],
  ['transactions', { results: 'results' }, undefined],
  [
    'transactions',
    { results: '' },
    'the answer has its results by themselves, and as `results` in the interface',
  ],
  [
    'transactions',
    { results: null },
    'the answer has its results nowhere, and as `results` in the interface',
  ],
  ['transactions', { statuses: [] }, `results have no \`status\`, and ${ADDED}, ${EXISTS} in the interface`],
  ['transactions', { statuses: [ADDED, EXISTS] }, undefined],
  // An operator need not tell its errors, and may have more of them.
  ['transactions', { statuses: [ADDED, EXISTS, 'FAILED'] }, undefined],
  // It need not name every status, as long as it names no other one.
  ['transactions', { statuses: [ADDED] }, undefined],
  [
    'transactions',
    { statuses: [ADDED, 'KNOWN'] },
    `results have the status KNOWN, and ${EXISTS} in the interface`,
  ],
  // Statements have no status.
  ['statements', { statuses: [] }, undefined],
  ['statements', { statuses: ['CREATED'] }, undefined],
])('an answer to %s with %j', (resource, rules, says) => {
  expect(unreadableAnswer(resource, rules)).toEqual(
    says === undefined ? [] : [`${says}, so no answer of success can be read`],
  );
});

test('a contract says of each resource why its answers cannot be read, and where', () => {
  const request = { path: '/x', success: '202' };
  const contract = {
    requests: { createNotes: { from: '/n', ...request }, createTransactions: { from: '/t', ...request } },
  } as Partial<OperatorContract> as OperatorContract;
  const said = (resources?: readonly Resource[]): readonly unknown[] =>
    unreadableAnswers(contract, resources).map(({ resource, from }) => [resource, from]);
  expect(said()).toEqual([
    ['notes', '/n'],
    ['transactions', '/t'],
  ]);
  expect(said(['transactions', 'statements'])).toEqual([['transactions', '/t']]);
  expect(unreadableAnswers({} as OperatorContract)).toEqual([]);
});
