import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FAULT_PHASES, FAULT_TARGETS, RULE_WORDS, rulesOf } from '../../../src/server/faults/fault-rule.ts';
import { documentBlocks } from '../../support/document-blocks.ts';
import { projectRoot } from '../../support/source-tree.ts';

const PAGE = 'docs/serve-reference.md';
const text = readFileSync(join(projectRoot, PAGE), 'utf8');
const section = text.slice(text.indexOf('\n## Faults'), text.indexOf('\n## In which order'));

/** The rules of the page. After two or more blanks follows their meaning. */
const shown = documentBlocks(PAGE, 'text')
  .find(({ title }) => title === 'rules')!
  .text.split('\n')
  .filter((line) => line !== '')
  .map((line) => line.split(/ {2,}/)[0]!);

test.each(shown)('docs/serve-reference.md: %s is a valid rule', (rule) => {
  expect(rulesOf([rule], true)[0]!.text).toBe(rule);
});

test('docs/serve-reference.md: the rules of its command line are valid', () => {
  const rules = [...section.matchAll(/--fault '([^']+)'/g)].map(([, rule]) => rule!);
  expect(rules).toHaveLength(2);
  expect(rulesOf(rules, false)).toHaveLength(2);
});

test('docs/serve-reference.md names every word, target and phase of rules', () => {
  const names = [...RULE_WORDS, ...FAULT_TARGETS, ...FAULT_PHASES];
  expect(names.filter((name) => !new RegExp('`' + name + '[=.`]').test(section))).toEqual([]);
});
