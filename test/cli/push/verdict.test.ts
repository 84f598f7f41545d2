import { expect, test } from 'vitest';
import { interpret } from '../../../src/cli/push/interpret.ts';
import type { PlatformAnswer } from '../../../src/cli/push/ports/platform.ts';
import { verdictOf } from '../../../src/cli/push/verdict.ts';
import { answer, batchOf, goodBody } from '../../support/push-batch.ts';

const batch = batchOf('transactions', 3);
const verdict = (given: PlatformAnswer) => verdictOf(given, interpret('transactions', batch, given));
const retry = { 'retry-after': '7' };

test.each<readonly [string, PlatformAnswer, object]>([
  ['success', answer(201, goodBody('transactions', batch)), { kind: 'well' }],
  ['a refusal', answer(400, { detail: 'No.' }), { kind: 'well' }],
  ['a request that is too large', answer(413), { kind: 'well' }],
  ['a lone 500', answer(500), { kind: 'failed', overloaded: false, askedMs: 0 }],
  ['a bad gateway', answer(502), { kind: 'failed', overloaded: false }],
  ['too many requests', answer(429, '', retry), { kind: 'failed', overloaded: true, askedMs: 7_000 }],
  ['unavailable', answer(503, '', retry), { kind: 'failed', overloaded: true, askedMs: 7_000 }],
  ['a time-out of the platform', answer(408), { kind: 'failed', overloaded: true }],
  ['a time-out of a gateway', answer(504), { kind: 'failed', overloaded: true }],
  ['a time-out of ours', { kind: 'lost', reason: 'x', timedOut: true }, { kind: 'failed', overloaded: true }],
  [
    'a connection that took too long',
    { kind: 'not_sent', reason: 'x', timedOut: true },
    { overloaded: true },
  ],
  ['a reset', { kind: 'lost', reason: 'x' }, { kind: 'failed', overloaded: false, askedMs: 0 }],
  ['a token that was not to be had', { kind: 'not_sent', reason: 'x', headers: retry }, { askedMs: 7_000 }],
  ['a page that says success', answer(200, '<html>'), { kind: 'failed', overloaded: false }],
])('%s', (_, given, expected) => {
  expect(verdict(given)).toMatchObject(expected);
});
