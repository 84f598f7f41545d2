import { expect, test } from 'vitest';
import { boundedPattern, isQuickPattern, longestTried } from '../../../src/core/operator/pattern-work.ts';

test.each([
  String.raw`^[A-Z]{3}-\d+$`,
  String.raw`^\d+(\.\d{1,2})?$`,
  '^(A|B)$',
  '^A|B$',
  String.raw`\.(pdf|PDF|png|jpg)$`,
  String.raw`^-?\d{0,10}(?:\.\d{0,10})?$`,
  '^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$',
  '^(?:[A-Z]{2})+$',
  String.raw`^\p{Lu}\u{41}[(+*|\]]+\(\+\*$`,
  String.raw`^(?<name>a{1,3})\d*$`,
  '^[^@]+@[^@]+?$',
  '^(?=a)a$',
  '^(?!a)b$',
  '(?<=a)b',
  String.raw`^1(?=\d{6}$)`,
  '^A,[^,]*,[^,]*,[^,]*,[^,]*,[^,]*$',
  String.raw`\s*\(.*?\)\s*`,
  '',
])('%s is quick', (pattern) => {
  expect(new RegExp(pattern, 'u')).toBeInstanceOf(RegExp);
  expect(isQuickPattern(pattern)).toBe(true);
});

test.each([
  '^(a+)+$',
  '^(a*)*$',
  '^(?:a|aa)+$',
  '^(a|a){2,40}$',
  '^(a|a){40}$',
  '^(a?){30,}$',
  '^(?<name>a{1,2})*$',
  String.raw`^([a-z\]]+\s?)*$`,
  '^((ab+)c)+?$',
  String.raw`^(a)\1$`,
  String.raw`^(?<x>a)\k<x>$`,
  '^(?=(a+)+$)a',
  '(?<=(a|aa)+)b',
  '.*.*.*x',
  '^.*,.*,.*,$',
  '.*foo.*bar',
  '^[^,]*,?[^,]*,?[^,]*,?[^,]*,?x',
  `^${'a?'.repeat(40)}${'a'.repeat(40)}$`,
])('%s may take too long', (pattern) => {
  expect(new RegExp(pattern, 'u')).toBeInstanceOf(RegExp);
  expect(isQuickPattern(pattern)).toBe(false);
});

test('a pattern with fewer choices is tried on longer texts', () => {
  expect(longestTried('^(A|B)$')).toBe(2 ** 24);
  expect(longestTried('^[^<>]*$')).toBe(2 ** 24);
  expect(longestTried('^.*,.*,$')).toBe(2 ** 11);
});

test('a permitted pattern is not tried on a text that it may take hours for', () => {
  const pattern = boundedPattern('(?:x*)y');
  expect(isQuickPattern('(?:x*)y')).toBe(true);
  expect([pattern.test('xy'), pattern.replace('xxy-xy', '')]).toEqual([true, '-']);
  const long = 'x'.repeat(1_000_000);
  for (const act of [() => pattern.test(long), () => pattern.replace(long, '')])
    expect(act).toThrow(expect.objectContaining({ code: 'pattern_text_too_long' }));
});

test.each(['(?:x*)y', '^x*x*y', 'x*$', String.raw`\s*\(.*?\)\s*`])(
  'the longest text on which %s is tried takes no more than seconds',
  (pattern) => {
    const most = longestTried(pattern);
    const text = 'x'.repeat(Math.min(most, 65_536));
    const started = performance.now();
    boundedPattern(pattern).test(text);
    expect(performance.now() - started).toBeLessThan(5_000);
  },
);

/** A clock that goes on by so many milliseconds whenever it is read. */
function steady(stepMs: number): () => number {
  let nowMs = 0;
  return () => (nowMs += stepMs);
}

test('a pattern ends the command when all its texts together take too long', () => {
  const slow = boundedPattern('(?:x*)y', steady(100));
  const tried = (times: number): void => {
    for (let time = 0; time < times; time++) slow.test('xy');
  };
  tried(600);
  const facts = { pattern: '(?:x*)y', texts: 601, seconds: 60 };
  expect(() => tried(1)).toThrow(expect.objectContaining({ code: 'pattern_too_slow', facts }));
});

test('a pattern that is quick for each text may be tried on any number of them', () => {
  const quick = boundedPattern('(?:x*)y', steady(0.019));
  expect(() => {
    for (let time = 0; time < 3_300_000; time++) quick.test('y');
  }).not.toThrow();
});

test('a process that was stopped for an hour has not spent it on a pattern', () => {
  const pattern = boundedPattern('(?:x*)y', steady(3_600_000));
  expect(() => pattern.test('xy')).not.toThrow();
});
