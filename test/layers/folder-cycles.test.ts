import { posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sourceFiles, specifiersOf, type SourceFile } from '../support/source-tree.ts';

/** Folders whose own folders import each other one way. */
const ROOTS = ['src/cli', 'src/server'];

/** Folder → the folders that it imports, with one import that shows it. A file beside the folders counts as one. */
type FolderGraph = ReadonlyMap<string, ReadonlyMap<string, string>>;

function graphOf(files: readonly SourceFile[]): FolderGraph {
  const graph = new Map<string, Map<string, string>>();
  for (const file of files) {
    const from = folderOf(file.path);
    const edges = graph.get(from) ?? new Map<string, string>();
    graph.set(from, edges);
    for (const specifier of specifiersOf(file).filter((each) => each.startsWith('.'))) {
      const target = posix.join(posix.dirname(file.path), specifier);
      const to = folderOf(target);
      if (!target.startsWith('..') && to !== from) edges.set(to, `${file.path} → ${target}`);
    }
  }
  return graph;
}

function folderOf(path: string): string {
  return path.split('/')[0]!;
}

/** A shortest cycle through each folder that has one, as the imports that close it. */
function cyclesIn(graph: FolderGraph): readonly (readonly string[])[] {
  return [...graph.keys()].flatMap((start) => {
    const reached = new Map<string, readonly string[]>([[start, []]]);
    // A map is walked in the order of its entries, also those that are added on the way.
    for (const [folder, imports] of reached) {
      for (const [to, shown] of graph.get(folder) ?? []) {
        if (to === start) return [[...imports, shown]];
        if (!reached.has(to)) reached.set(to, [...imports, shown]);
      }
    }
    return [];
  });
}

test.each(ROOTS)('the folders of %s import each other in no cycle, types included', (root) => {
  const graph = graphOf(sourceFiles(root));
  expect(cyclesIn(graph)).toEqual([]);
  expect(graph.size).toBeGreaterThan(5);
});

describe('a cycle is found', () => {
  const file = (path: string, ...imports: readonly string[]): SourceFile => ({
    path,
    text: imports.map((specifier) => `import type { X } from '${specifier}';`).join('\n'),
  });

  test('between two folders', () => {
    const files = [file('a/x.ts', '../b/y.ts'), file('b/y.ts', './z.ts'), file('b/z.ts', '../a/w.ts')];
    expect(cyclesIn(graphOf(files))).toEqual([
      ['a/x.ts → b/y.ts', 'b/z.ts → a/w.ts'],
      ['b/z.ts → a/w.ts', 'a/x.ts → b/y.ts'],
    ]);
  });
});
