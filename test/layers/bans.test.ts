import { describe, expect, test } from 'vitest';
import { RECORD_KINDS, RESOURCES } from '../../src/core/contract/resources.ts';
import { nodesOf, type SourceFile, sourceFiles, type SyntaxNode } from '../support/source-tree.ts';

interface Ban {
  readonly why: string;
  readonly allowedIn: RegExp;
  readonly matches: (node: SyntaxNode, parent: SyntaxNode | undefined) => boolean;
}

/** What oxlint has no rule for; the bans it can hold itself stand in .oxlintrc.json. */
const bans: readonly Ban[] = [
  {
    why: 'Number() takes "", "0x10" and "1e3" for numbers; src/core/values parses numbers',
    allowedIn: /^core\/values\//,
    // Number.isInteger and its like are fine.
    matches: (node, parent) => isNamed(node, 'Number') && !(parent?.['object'] === node),
  },
  {
    why: 'new Date(text) guesses; src/core/values parses dates',
    allowedIn: /^core\/values\//,
    matches: (node) => node.type === 'NewExpression' && isNamed(node['callee'], 'Date') && hasArguments(node),
  },
  {
    why: 'the clock is a parameter; src/cli/outside/io.ts has the real one',
    allowedIn: /^cli\/outside\/io\.ts$/,
    matches: (node) =>
      (node.type === 'NewExpression' || node.type === 'CallExpression') &&
      isNamed(node['callee'], 'Date') &&
      !hasArguments(node),
  },
  {
    why: 'only descriptors know a resource by its name; give them a field that says what sets it apart',
    allowedIn: /^core\/contract\/resources/,
    matches: (node, parent) =>
      node.type === 'SwitchCase'
        ? isResourceName(node['test'], parent?.['discriminant'])
        : node.type === 'BinaryExpression' &&
          (isResourceName(node['left'], node['right']) || isResourceName(node['right'], node['left'])),
  },
];

/** Whether a literal is the name of a resource, or of a kind of record that is compared with a kind. */
function isResourceName(literal: unknown, other: unknown): boolean {
  const { value } = (literal ?? {}) as { readonly value?: unknown };
  if (RESOURCES.some((resource) => resource === value)) return true;
  const isKind = isNamed(other, 'kind') || isNamed((other as SyntaxNode | undefined)?.['property'], 'kind');
  return isKind && RECORD_KINDS.some((kind) => kind === value);
}

/** Every banned text has one of these words. */
const SUSPECT = new RegExp(`\\b(?:Number|Date)\\b|['"](?:${[...RESOURCES, ...RECORD_KINDS].join('|')})['"]`);

function banned(file: SourceFile): string[] {
  if (!SUSPECT.test(file.text)) return [];
  const effective = bans.filter(({ allowedIn }) => !allowedIn.test(file.path));
  return nodesOf(file).flatMap(({ node, parent }) =>
    effective
      .filter(({ matches }) => matches(node, parent))
      .map(({ why }) => `${file.path}:${lineOf(file, node)}: ${why}`),
  );
}

function isNamed(node: unknown, name: string): boolean {
  return typeof node === 'object' && node !== null && 'name' in node && node.name === name;
}

function hasArguments(node: SyntaxNode): boolean {
  return Array.isArray(node['arguments']) && node['arguments'].length > 0;
}

function lineOf(file: SourceFile, node: SyntaxNode): number {
  return file.text.slice(0, node['start'] as number).split('\n').length;
}

describe('what only the syntax tree shows', () => {
  test('src has none of it', () => {
    expect(sourceFiles('src').flatMap(banned)).toEqual([]);
  });

  test.each([
    ['cli/mapping/language/transforms.ts', 'export const a = Number(cell);'],
    ['cli/mapping/language/transforms.ts', 'export const a = cells.map(Number);'],
    ['cli/outside/io.ts', 'export const a = Number(columns);'],
    ['server/routes/notes-route.ts', 'export const a = new Date(body.created_at);'],
    ['server/routes/notes-route.ts', 'export const a = new Date();'],
    ['core/values/instant.ts', 'export const a = Date();'],
    ['cli/push/request.ts', "export const a = resource === 'transactions';"],
    ['cli/push/request.ts', "export const a = 'notes' !== policy.resource;"],
    ['cli/push/request.ts', "export function a() { switch (resource) { case 'statements': return 1; } }"],
    ['server/store/ledger.ts', "export const a = row.kind === 'transaction';"],
    ['server/store/ledger.ts', "export function a() { switch (kind) { case 'note': return 1; } }"],
  ])('in %s it is found: %s', (path, text) => {
    expect(banned({ path, text })).toEqual([expect.stringContaining(`${path}:1: `)]);
  });

  test.each([
    ['core/values/decimal.ts', 'export const a = Number(digits);'],
    ['core/values/calendar-date.ts', 'export const a = new Date(epochMs);'],
    ['cli/outside/io.ts', 'export const now = () => new Date();'],
    ['core/contract/resources/notes.ts', "export const a = name === 'notes';"],
    ['server/pipeline/recorder.ts', "export const a = shape === 'transaction';"],
    ['cli/push/request.ts', "export const a = end.kind === 'refused' && resourceOf('notes');"],
    ['cli/settings.ts', "export const a = Number.isInteger(b) || 'Number(b)'; // Number(b)"],
  ])('in %s it is fine: %s', (path, text) => {
    expect(banned({ path, text })).toEqual([]);
  });
});
