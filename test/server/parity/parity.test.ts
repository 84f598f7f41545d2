import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { parityPage } from '../../../scripts/parity-page.ts';
import { declareBehaviour } from '../../../src/cli/commands/serve-behaviour.ts';
import { entryOf, isErrorCode } from '../../../src/core/error-codes/table.ts';
import type { Authority } from '../../../src/core/error-codes/entry.ts';
import { EXTRA_RULES } from '../../../src/server/options/behaviour.ts';
import { DECISIONS } from '../../../src/server/parity/decisions.ts';
import { parity } from '../../../src/server/parity/parity.ts';
import { RULES } from '../../../src/server/parity/rules.ts';
import { startPlatform } from '../../support/server-platform.ts';
import { nodesOf, projectRoot, sourceFiles, type SyntaxNode } from '../../support/source-tree.ts';

const { rules, counts } = parity();
const sources = sourceFiles('src').filter(({ path }) => /^(core|server)\//.test(path));
const textOf = (path: string) => readFileSync(join(projectRoot, path), 'utf8');

/** The names of the rules that a file ties to its functions. */
function namesIn(file: (typeof sources)[number]): readonly string[] {
  return nodesOf(file).flatMap(({ node }) => {
    const callee = node['callee'] as SyntaxNode | undefined;
    if (node.type !== 'CallExpression' || !['rule', 'perLineItem'].includes(String(callee?.['name'])))
      return [];
    const [first] = node['arguments'] as SyntaxNode[];
    const properties = (first?.['properties'] ?? []) as { key: { name: string }; value: { value: string } }[];
    return properties.filter(({ key }) => key.name === 'name').map(({ value }) => value.value);
  });
}

/** The codes that a file uses, but for those that its rules only name. */
function codesIn(file: (typeof sources)[number]): readonly string[] {
  const nodes = nodesOf(file);
  const naming = nodes
    .filter(({ node }) => node.type === 'Property' && (node['key'] as SyntaxNode)['name'] === 'codes')
    .map(({ node }) => node['value']);
  return nodes.flatMap(({ node, parent }) => {
    const { value } = node as { value?: unknown };
    const isCode = node.type === 'Literal' && typeof value === 'string' && isErrorCode(value);
    return isCode && entryOf(value).status !== null && !naming.includes(parent) ? [value] : [];
  });
}

describe('the list of rules', () => {
  const inCode = new Map(sources.map((file) => [file.path, namesIn(file)] as const));

  test('has every rule of the code, and no other', () => {
    const names = [...inCode.values()].flat().toSorted();
    expect(RULES.map(({ name }) => name).toSorted()).toEqual(names);
    expect(names.length).toBeGreaterThan(40);
  });

  test('names no rule twice', () => {
    const names = rules.map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  test('leaves out no file in which the platform behaves', () => {
    const HELD_BY_OTHERS = [
      'core/rules/record.ts',
      'core/rules/rule.ts',
      'core/rules/schema-problems.ts',
      'server/platform/checked-record.ts',
      'server/platform/clock.ts',
    ];
    const built = new Set(DECISIONS.map((decision) => decision.built));
    const silent = [...inCode].filter(
      ([path, names]) =>
        /^(core\/rules|server\/platform)\//.test(path) && names.length === 0 && !built.has(path),
    );
    expect(silent.map(([path]) => path)).toEqual(HELD_BY_OTHERS);
    const paths = new Set(sources.map(({ path }) => path));
    expect([...built].filter((path) => !paths.has(path))).toEqual([]);
  });

  test('names every code that the platform answers with, and no other', () => {
    const answering = sources.filter(
      ({ path }) =>
        /^(core\/rules|core\/contract|server\/platform)\//.test(path) ||
        inCode.get(path)!.length > 0 ||
        DECISIONS.some(({ built }) => built === path),
    );
    const named = rules.flatMap(({ codes = [] }) => codes);
    expect([...new Set(named)].toSorted()).toEqual([...new Set(answering.flatMap(codesIn))].toSorted());
  });

  test.each(rules)(
    '$name says where it comes from, and a test shows it',
    ({ authority, source, says, tested }) => {
      const SOURCES: Record<Authority, RegExp> = {
        documented: /^interface\.md \d/,
        observed: /deployments\.md/,
        chosen: /(emulator|bad-inputs|serve)\.md/,
      };
      expect(source).toMatch(SOURCES[authority]);
      expect(says).toMatch(/\.$/);
      const [file, title] = tested.split(' › ') as [string, string];
      const text = textOf(`test/${file}.test.ts`).replaceAll("\\'", "'");
      expect(text.includes(`'${title}'`) || text.includes(`"${title}"`), `${file} has "${title}"`).toBe(true);
    },
  );

  test('rests on every section of the interface that says how to answer', () => {
    const documented = rules
      .filter(({ authority }) => authority === 'documented')
      .map(({ source }) => source);
    const SECTIONS = [
      '2.1',
      '2.2',
      '2.4',
      '3.1',
      '3.2',
      '3.3',
      '4.2',
      '4.3',
      '4.4',
      '4.5',
      '4.6',
      '4.7',
      '4.9',
      '5',
      '7.1',
      '7.2',
    ];
    expect(SECTIONS.filter((section) => !documented.some((source) => source.includes(section)))).toEqual([]);
  });

  test('tells of every flag that changes an answer', () => {
    const flags = declareBehaviour(new Command()).options.map(({ long }) => long!);
    const all = rules.map(({ says }) => says).join(' ');
    expect([...flags, '--token-ttl'].filter((flag) => !all.includes(flag))).toEqual([]);
    expect(EXTRA_RULES.filter((rule) => !all.includes(`--rule ${rule}`))).toEqual([]);
  });
});

test('docs/parity.md is what the rules say; `npm run generate:codes` writes it anew', () => {
  expect(textOf('docs/parity.md')).toBe(parityPage());
});

test('GET /_local/parity answers every rule, and how many there are of each authority', async () => {
  const platform = await startPlatform();
  const answer = await platform.request('GET', '/_local/parity');
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({ counts, rules });
  expect(counts.documented + counts.observed + counts.chosen).toBe(counts.all);
  expect(answer.body.rules).toHaveLength(counts.all);
});
