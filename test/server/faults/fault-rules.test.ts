import { describe, expect, test } from 'vitest';
import { RULE_WORDS, rulesOf } from '../../../src/server/faults/fault-rule.ts';
import { fakeIo, runCli } from '../../support/cli-io.ts';

describe('a rule as text', () => {
  test.each([
    [
      'transactions after-commit reset nth=3',
      { on: 'transactions', stage: 'after-commit', effect: 'reset', reset: true, nth: 3 },
    ],
    [
      'any before-commit status=503 retry-after=5 every=10 times=4',
      {
        on: 'any',
        stage: 'before-commit',
        effect: 'answer',
        status: 503,
        'retry-after': 5,
        every: 10,
        times: 4,
      },
    ],
    [
      'notes accept delay=30000 p=0.05',
      { on: 'notes', stage: 'accept', effect: 'delay', delay: 30_000, p: 0.05 },
    ],
    [
      `records accept status=400 body='{"detail": "no"}' location="b c" account=0012`,
      {
        on: 'records',
        stage: 'accept',
        effect: 'answer',
        status: 400,
        body: '{"detail": "no"}',
        location: 'b c',
        account: '0012',
      },
    ],
  ])('%s is read', (text, object) => {
    expect(rulesOf([` ${text.replace(' ', '  ')}`], false)).toEqual([{ ...object, text }]);
  });
});

describe('a rule is refused with its problem', () => {
  test.each([
    ['', '`on` is missing: it must be one of any, records,'],
    ['notes', '`when` is missing: it must be one of accept, before-commit, after-commit'],
    ['note accept reset', '`on` must be one of any, records, notes,'],
    ['notes later reset', '`when` must be one of accept,'],
    ['notes accept', 'it does not say what happens: add one of status, html, empty, reset,'],
    ['notes accept rest', 'there is no `rest`; did you mean `reset`?'],
    ['notes accept reset evry=2', 'there is no `evry`; did you mean `every`?'],
    ['notes accept reset nth=0', '`nth` must be a whole number of at least 1'],
    ['notes accept reset nth=1.5', '`nth` must be a whole number of at least 1'],
    ['notes accept reset p=2', '`p` must be a probability above 0, at most 1'],
    ['notes accept reset p=0', '`p` must be a probability above 0, at most 1'],
    ['notes accept reset=3', '`reset` is there or not'],
    ['notes accept status=700', '`status` must be a status from 200 to 599'],
    ['notes accept reset stall', '`reset` and `stall` are two faults: write two rules'],
    ['notes accept stall bytes=3', '`bytes` does not go with `stall`'],
    ['notes accept reset location=/x', '`location` does not go with `reset`'],
    ['notes accept truncate=3', '`truncate` happens after-commit, not accept'],
    ['notes after-commit prefix=3', '`prefix` happens before-commit, not after-commit'],
    ['token before-commit prefix=3', '`prefix` cannot happen to token'],
    ['statements after-commit failing', '`failing` cannot happen to statements'],
    ['notes before-commit reset bytes=3', '`bytes` counts those of the answer'],
    ['notes accept reset bytes=3 p=0.5', 'whose rule has no `account`, `attempt` or `p`'],
    ['notes accept reset nth=1 nth=2', '`nth` is given twice'],
    ['notes accept on=notes reset', 'there is no `on`'],
    [
      'notes accept nth=0 status=700',
      '`nth` must be a whole number of at least 1; `status` must be a status',
    ],
    ['notes accept rest nth=0', 'did you mean `reset`?; `nth` must be a whole number of at least 1'],
    ['notes accept delay=2147483648', '`delay` must be milliseconds, from 1 to 2147483647'],
    ['notes after-commit missing=1', '`missing` is there or not; it takes no value'],
  ])('%s', (text, reason) => {
    expect(() => rulesOf([text], true)).toThrow(reason);
  });
});

test('the next step after a wrong rule shows a valid rule', async () => {
  const { stderr } = await runCli(['serve', '--db', ':memory:', '--fault', 'notes'], fakeIo());
  const [, example] = /\nnext: .*`(transactions .*?)`/.exec(stderr)!;
  expect(rulesOf([example!], false)).toHaveLength(1);
});

test('every word is part of a valid rule', () => {
  const examples = [
    'any accept status=401 account=1 attempt=1 nth=1 every=1 times=1 p=1',
    'any accept html',
    'any accept empty',
    'any accept status=300 body=x retry-after=1 location=/',
    'any accept status=503 retry-after-date=1',
    'any accept reset bytes=1',
    'any accept stall',
    'any accept delay=1',
    'any after-commit truncate=1 close',
    'any after-commit missing',
    'any after-commit doubled',
    'any after-commit reordered',
    'any after-commit extra',
    'any after-commit failing',
    'any after-commit swapped',
    'any accept expire-tokens',
    'records accept late=5',
    'any accept twice',
    'any before-commit prefix=1',
    'any accept crash',
  ];
  const used = new Set(rulesOf(examples, true).flatMap((rule) => Object.keys(rule)));
  expect(RULE_WORDS.filter((word) => !used.has(word))).toEqual([]);
});
