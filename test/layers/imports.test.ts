import { expect, test } from 'vitest';
import { sourceFiles, specifiersOf } from '../support/source-tree.ts';
import { violations } from './import-table.ts';

test('every import of src goes in the direction of the table', () => {
  expect(sourceFiles('src').flatMap(violations)).toEqual([]);
});

test('the command imports only main from src, and nothing before the version check', () => {
  const imports = Object.fromEntries(sourceFiles('bin').map((file) => [file.path, specifiersOf(file)]));
  expect(imports).toEqual({
    'dataimport.js': ['fs', 'path', './node-version.js', './start.js', './own-node.js'],
    'node-version.js': [],
    'own-node.js': ['path', '../scripts/node-binary.mjs', '../scripts/run.mjs'],
    'start.js': [
      'node:fs',
      'node:module',
      'node:os',
      'node:path',
      '../src/cli/main.ts',
      '../dist/cli/main.js',
    ],
  });
});

test('the bench imports nothing of src, because it runs the built package', () => {
  const imports = sourceFiles('bench').flatMap(specifiersOf);
  expect(imports.filter((specifier) => /(^|\/)(src|test)\//.test(specifier))).toEqual([]);
  expect(imports).toContain('./dice.ts');
});

test.each([
  ['core/rules/note-rules.ts', '../../cli/push/ports/run.ts'],
  ['core/values/decimal.ts', 'node:fs'],
  ['files/text-file.ts', '../cli/outside/io.ts'],
  ['cli/push/send/drain.ts', '../../journal/journal.ts'],
  ['cli/push/send/drain.ts', 'node:fs/promises'],
  ['cli/csv/read-csv.ts', '../push/ports/run.ts'],
  ['cli/mapping/mapping-plan.ts', './compile/scope.ts'],
  ['cli/mapping/file/load-mapping.ts', '../compile/plan-by-mapping.ts'],
  ['cli/journal/journal.ts', '../push/send/drain.ts'],
  ['cli/client/requests.ts', '../settings/settings.ts'],
  ['cli/commands/push.ts', '../../server/start.ts'],
  ['cli/serve/serve.ts', '../../server/pipeline/dispatch.ts'],
  ['cli/sources/sources.ts', '../sending/sending.ts'],
  ['cli/replay/fixture.ts', '../../server/start.ts'],
  ['server/pipeline/dispatch.ts', '../../cli/outside/io.ts'],
  ['server/routes/notes-route.ts', '../../cli/push/ports/run.ts'],
  ['server/store/store.ts', 'node:http'],
  ['server/http/listener.ts', '../pipeline/dispatch.ts'],
  ['server/seed/seed.ts', '../auth/own-key.ts'],
  ['cli/runs/runs.ts', 'better-sqlite3'],
  ['core/rules/statement-rules.ts', 'big.js'],
  ['core/contract/note.ts', 'left-pad'],
  ['core/contract/note.ts', 'zod'],
  ['cli/commands/push.ts', 'fs'],
  ['utils/text.ts', '../core/problem.ts'],
])('%s may not import %s', (path, specifier) => {
  expect(violations({ path, text: `import { x } from '${specifier}';` })).toEqual([
    expect.stringMatching(`^${path}( → ${specifier})?: .`),
  ]);
});

test.each([
  ['core/rules/note-rules.ts', '../contract/note.ts'],
  ['core/values/decimal.ts', 'big.js'],
  ['files/text-file.ts', 'node:fs'],
  ['cli/csv/record-parser.ts', 'csv-parse'],
  ['cli/journal/journal.ts', '../push/ports/run.ts'],
  ['cli/serve/serve.ts', '../../server/start.ts'],
  ['server/store/ledger.ts', 'better-sqlite3'],
  ['server/start.ts', './pipeline/dispatch.ts'],
])('%s may import %s', (path, specifier) => {
  expect(violations({ path, text: `import { x } from '${specifier}';` })).toEqual([]);
});

test('every form of import is found, and comments and strings are not imports', () => {
  const text = `
    import a from './a.ts';
    import type { B } from './b.ts';
    import './c.ts';
    export { d } from './d.ts';
    export type * from './e.ts';
    const f = await import('./f.ts');
    type G = import('./g.ts').G;
    const h = require('./h.ts');
    const i = await import(name);
    // import z from './z.ts';
    const quote = /['"]/, z = "import z from './z.ts'";
  `;
  expect(specifiersOf({ path: 'spelled.ts', text })).toEqual([
    './a.ts',
    './b.ts',
    './c.ts',
    './d.ts',
    './e.ts',
    './f.ts',
    './g.ts',
    './h.ts',
    '<computed>',
  ]);
});
