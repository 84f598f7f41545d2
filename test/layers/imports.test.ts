import { expect, test } from 'vitest';
import { sourceFiles, specifiersOf } from '../support/source-tree.ts';
import { violations } from './import-table.ts';

test('every import of src goes in the direction of the table', () => {
  expect(sourceFiles('src').flatMap(violations)).toEqual([]);
});

test('the command imports only main from src, and nothing before the version check', () => {
  const imports = Object.fromEntries(sourceFiles('bin').map((file) => [file.path, specifiersOf(file)]));
  expect(imports).toEqual({
    'dataimport.js': ['./node-version.js', './start.js'],
    'node-version.js': [],
    'start.js': ['node:fs', 'node:module', 'node:path', '../src/cli/main.ts', '../dist/cli/main.js'],
  });
});

test.each([
  // at least one for each row of the table
  ['core/rules/note-rules.ts', '../../cli/push/ports/run.ts'],
  ['core/contract/note.ts', '../../server/start.ts'],
  ['core/values/decimal.ts', 'node:fs'],
  ['core/values/decimal.ts', '../../files/text-file.ts'],
  ['files/text-file.ts', '../cli/io.ts'],
  ['files/text-file.ts', '../server/start.ts'],
  ['files/text-file.ts', 'node:process'],
  ['cli/push/drain.ts', '../../files/text-file.ts'],
  ['cli/push/drain.ts', '../run-file/journal.ts'],
  ['cli/push/drain.ts', '../render/summary.ts'],
  ['cli/push/drain.ts', '../client/requests.ts'],
  ['cli/push/drain.ts', '../commands/push.ts'],
  ['cli/push/drain.ts', '../io.ts'],
  ['cli/push/drain.ts', 'node:fs/promises'],
  ['cli/push/drain.ts', 'node:process'],
  ['cli/csv/reader.ts', '../push/ports/run.ts'],
  ['cli/csv/reader.ts', '../mapping/candidate.ts'],
  ['cli/mapping/candidate.ts', '../run-file/journal.ts'],
  ['cli/mapping/candidate.ts', '../push/stage.ts'],
  ['cli/mapping/candidate.ts', 'node:fs'],
  ['cli/inspect/inspect-file.ts', '../push/stage.ts'],
  ['cli/inspect/inspect-file.ts', 'node:fs'],
  ['cli/run-file/journal.ts', '../push/drain.ts'],
  ['cli/run-file/journal.ts', '../client/requests.ts'],
  ['cli/run-file/journal.ts', 'node:http'],
  ['cli/client/requests.ts', '../settings.ts'],
  ['cli/client/requests.ts', '../push/deliver.ts'],
  ['cli/render/summary.ts', '../run-file/journal.ts'],
  ['cli/render/summary.ts', '../commands/push.ts'],
  ['cli/commands/push.ts', '../../server/start.ts'],
  ['cli/commands/push.ts', '../../core/rules/note-rules.ts'],
  ['cli/commands/push.ts', 'node:http'],
  ['cli/commands/serve.ts', '../../server/app.ts'],
  ['cli/commands/serve.ts', '../../core/rules/note-rules.ts'],
  ['cli/program.ts', '../server/start.ts'],
  ['cli/io.ts', './commands/push.ts'],
  ['cli/settings/file.ts', '../commands/push.ts'],
  ['server/app.ts', '../cli/io.ts'],
  ['server/routes/notes.ts', '../../cli/push/ports/run.ts'],
  // one for each package
  ['cli/commands/runs.ts', 'better-sqlite3'],
  ['server/app.ts', 'better-sqlite3'],
  ['core/rules/statement-rules.ts', 'big.js'],
  ['cli/commands/runs.ts', 'cli-table3'],
  ['cli/push/push.ts', 'commander'],
  ['cli/mapping/lookup.ts', 'csv-parse'],
  ['cli/commands/check.ts', 'csv-parse/sync'],
  ['cli/commands/rejects-file.ts', 'csv-stringify/sync'],
  ['cli/run-file/folder.ts', 'env-paths'],
  ['cli/push/push.ts', 'ora'],
  ['server/platform/statement-period.ts', 'temporal-polyfill'],
  ['cli/push/deliver.ts', 'undici'],
  ['core/contract/note.ts', 'yaml'],
  ['cli/mapping/mapping-file/merge.ts', 'yaml'],
  ['cli/settings/config-tree.ts', 'yaml'],
  ['server/yaml-file.ts', 'yaml'],
  ['core/contract/note.ts', 'left-pad'],
  ['core/contract/note.ts', 'zod'],
  ['server/seed/seed-file.ts', 'zod/v4'],
  // files and packages without a row
  ['cli/commands/push.ts', 'fs'],
  ['utils/text.ts', '../core/problem.ts'],
])('%s may not import %s', (path, specifier) => {
  expect(violations({ path, text: `import { x } from '${specifier}';` })).toEqual([
    expect.stringMatching(`^${path}( → ${specifier})?: .`),
  ]);
});

test.each([
  ['core/rules/note-rules.ts', '../contract/note.ts'],
  ['core/contract/note.ts', 'zod/mini'],
  ['core/values/decimal.ts', 'big.js'],
  ['core/yaml/yaml-text.ts', 'yaml'],
  ['files/text-file.ts', 'node:fs'],
  ['cli/run-file/run-database.ts', '../../files/private-folder.ts'],
  ['server/store/database.ts', '../../files/private-folder.ts'],
  ['cli/push/stage.ts', '../mapping/candidate.ts'],
  ['cli/push/push.ts', 'node:events'],
  ['cli/csv/reader.ts', 'node:fs'],
  ['cli/csv/reader.ts', 'csv-parse'],
  ['cli/mapping/candidate.ts', '../csv/source-row.ts'],
  ['cli/inspect/inspect-file.ts', '../csv/source-file.ts'],
  ['cli/inspect/draft/draft-text.ts', 'yaml'],
  ['cli/run-file/journal.ts', '../push/ports/run.ts'],
  ['cli/client/requests.ts', 'undici'],
  ['cli/render/progress.ts', '../push/events.ts'],
  ['cli/commands/push.ts', '../run-file/journal.ts'],
  ['cli/commands/demo.ts', '../../server/start.ts'],
  ['cli/commands/serve.ts', '../../server/start.ts'],
  ['cli/commands/replay/replay.ts', '../../../server/start.ts'],
  ['cli/io.ts', 'node:process'],
  ['server/store/ledger.ts', 'better-sqlite3'],
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
