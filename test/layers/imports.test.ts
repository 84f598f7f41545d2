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

test('the bench imports nothing of src, because it runs the built package', () => {
  const imports = sourceFiles('bench').flatMap(specifiersOf);
  expect(imports.filter((specifier) => /(^|\/)(src|test)\//.test(specifier))).toEqual([]);
  expect(imports).toContain('../scripts/quickstart/dice.ts');
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
  ['cli/push/drain.ts', '../output/run-summary.ts'],
  ['cli/push/drain.ts', '../client/requests.ts'],
  ['cli/push/drain.ts', '../commands/push.ts'],
  ['cli/push/drain.ts', '../io.ts'],
  ['cli/push/drain.ts', 'node:fs/promises'],
  ['cli/push/drain.ts', 'node:process'],
  ['cli/csv/read-csv.ts', '../push/ports/run.ts'],
  ['cli/csv/read-csv.ts', '../mapping/mapping-plan.ts'],
  ['cli/mapping/mapping-plan.ts', '../run-file/journal.ts'],
  ['cli/mapping/mapping-plan.ts', '../push/stage.ts'],
  ['cli/mapping/mapping-plan.ts', './compile/scope.ts'],
  ['cli/mapping/language/source.ts', '../file/load-mapping.ts'],
  ['cli/mapping/language/source.ts', '../compile/scope.ts'],
  ['cli/mapping/language/source.ts', '../../csv/read-csv.ts'],
  ['cli/mapping/file/load-mapping.ts', '../compile/plan-by-mapping.ts'],
  ['cli/mapping/file/load-mapping.ts', 'node:fs'],
  ['cli/mapping/compile/plan-by-mapping.ts', '../file/load-mapping.ts'],
  ['cli/mapping/compile/plan-by-mapping.ts', '../../push/stage.ts'],
  ['cli/push/stage.ts', '../mapping/compile/scope.ts'],
  ['cli/inspect/inspect-file.ts', '../mapping/compile/scope.ts'],
  ['cli/commands/check.ts', '../mapping/compile/scope.ts'],
  ['cli/inspect/inspect-file.ts', '../push/stage.ts'],
  ['cli/inspect/inspect-file.ts', 'node:fs'],
  ['cli/run-file/journal.ts', '../push/drain.ts'],
  ['cli/run-file/journal.ts', '../client/requests.ts'],
  ['cli/run-file/journal.ts', 'node:http'],
  ['cli/output/run-summary.ts', '../run-file/journal.ts'],
  ['cli/output/run-summary.ts', '../commands/push.ts'],
  ['cli/client/requests.ts', '../settings.ts'],
  ['cli/client/requests.ts', '../push/deliver.ts'],
  ['cli/commands/push.ts', '../../server/start.ts'],
  ['cli/commands/push.ts', '../../core/rules/note-rules.ts'],
  ['cli/commands/push.ts', 'node:http'],
  ['cli/commands/serve.ts', '../../server/pipeline/dispatch.ts'],
  ['cli/commands/serve.ts', '../../core/rules/note-rules.ts'],
  ['cli/commands/replay.ts', '../main.ts'],
  ['cli/commands/push.ts', '../program.ts'],
  ['cli/runs/send.ts', '../command.ts'],
  ['cli/runs/send.ts', '../commands/push.ts'],
  ['cli/runs/send.ts', '../../core/rules/note-rules.ts'],
  ['cli/runs/send.ts', 'better-sqlite3'],
  ['cli/connection.ts', './command.ts'],
  ['cli/output/run-result.ts', '../command.ts'],
  ['cli/output/run-result.ts', '../run-file/run-file.ts'],
  ['cli/replay/fixture.ts', '../main.ts'],
  ['cli/replay/fixture.ts', '../../server/start.ts'],
  ['cli/program.ts', '../server/start.ts'],
  ['cli/io.ts', './commands/push.ts'],
  ['cli/settings/file.ts', '../commands/push.ts'],
  ['server/pipeline/dispatch.ts', '../../cli/io.ts'],
  ['server/routes/notes-route.ts', '../../cli/push/ports/run.ts'],
  ['server/options/checked-options.ts', '../http/hosts.ts'],
  ['server/store/backup.ts', '../seed/seed.ts'],
  ['server/store/store.ts', 'node:http'],
  ['server/openapi/document.ts', '../routes/routes.ts'],
  ['server/parity/parity.ts', '../platform/notes.ts'],
  ['server/parity/parity.ts', 'node:fs'],
  ['server/http/listener.ts', '../pipeline/dispatch.ts'],
  ['server/http/answer.ts', '../auth/tokens.ts'],
  ['server/platform/notes.ts', '../http/answer.ts'],
  ['server/platform/notes.ts', '../routes/notes.ts'],
  ['server/platform/clock.ts', 'node:fs'],
  ['server/snapshots/snapshots.ts', '../tenants/tenant.ts'],
  ['server/faults/fault-rule.ts', '../pipeline/fault-wire.ts'],
  ['server/faults/fault-pipeline.ts', '../store/store.ts'],
  ['server/seed/seed.ts', '../auth/own-key.ts'],
  ['server/auth/tokens.ts', '../tenants/tenant.ts'],
  ['server/tenants/tenant.ts', '../routes/routes.ts'],
  ['server/routes/notes-route.ts', '../pipeline/guards.ts'],
  ['server/routes/admin/state.ts', 'node:net'],
  ['server/pipeline/dispatch.ts', '../store/store.ts'],
  ['server/start.ts', './platform/platform.ts'],
  ['server/public.ts', './http/listener.ts'],
  // one for each package
  ['cli/commands/runs.ts', 'better-sqlite3'],
  ['server/pipeline/dispatch.ts', 'better-sqlite3'],
  ['core/rules/statement-rules.ts', 'big.js'],
  ['cli/commands/runs.ts', 'fast-string-width'],
  ['cli/push/push.ts', 'commander'],
  ['cli/mapping/language/lookup.ts', 'csv-parse'],
  ['cli/commands/check.ts', 'csv-parse/sync'],
  ['cli/runs/rejects-file.ts', 'csv-stringify/sync'],
  ['cli/run-file/folder.ts', 'env-paths'],
  ['cli/push/push.ts', 'ora'],
  ['server/platform/statement-period.ts', 'temporal-polyfill'],
  ['cli/push/deliver.ts', 'undici'],
  ['core/contract/note.ts', 'yaml'],
  ['cli/mapping/file/includes.ts', 'yaml'],
  ['cli/settings/config-tree.ts', 'yaml'],
  ['server/options/yaml-file.ts', 'yaml'],
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
  ['cli/push/stage.ts', '../mapping/mapping-plan.ts'],
  ['files/text-file.ts', 'node:fs'],
  ['cli/run-file/run-database.ts', '../../files/private-folder.ts'],
  ['server/store/private-file.ts', '../../files/private-folder.ts'],
  ['cli/push/push.ts', 'node:events'],
  ['cli/csv/source-file.ts', 'node:fs'],
  ['cli/csv/record-parser.ts', 'csv-parse'],
  ['cli/mapping/mapping-plan.ts', '../csv/source-row.ts'],
  ['cli/mapping/file/load-mapping.ts', '../language/mapping.ts'],
  ['cli/mapping/compile/plan-by-mapping.ts', '../language/mapping.ts'],
  ['cli/mapping/compile/plan-by-mapping.ts', '../mapping-plan.ts'],
  ['cli/commands/check.ts', '../mapping/file/load-mapping.ts'],
  ['cli/inspect/inspect-file.ts', '../csv/source-file.ts'],
  ['cli/inspect/draft/draft-text.ts', 'yaml'],
  ['cli/run-file/journal.ts', '../push/ports/run.ts'],
  ['cli/output/progress.ts', '../push/events.ts'],
  ['cli/client/requests.ts', 'undici'],
  ['cli/commands/push.ts', '../run-file/journal.ts'],
  ['cli/commands/demo.ts', '../../server/start.ts'],
  ['cli/commands/serve.ts', '../../server/start.ts'],
  ['cli/commands/replay-ports.ts', '../../server/start.ts'],
  ['cli/runs/send.ts', '../run-file/run-file.ts'],
  ['cli/io.ts', 'node:process'],
  ['server/store/ledger.ts', 'better-sqlite3'],
  ['server/platform/notes.ts', '../store/records.ts'],
  ['server/routes/admin/state.ts', '../../snapshots/snapshots.ts'],
  ['server/pipeline/guards.ts', '../tenants/tenants.ts'],
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
