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
  // at least one for each row of the table
  ['core/rules/note-rules.ts', '../../cli/push/ports/run.ts'],
  ['core/contract/note.ts', '../../server/start.ts'],
  ['core/values/decimal.ts', 'node:fs'],
  ['core/values/decimal.ts', '../../files/text-file.ts'],
  ['files/text-file.ts', '../cli/outside/io.ts'],
  ['files/text-file.ts', '../server/start.ts'],
  ['files/text-file.ts', 'node:process'],
  ['cli/push/send/drain.ts', '../../../files/text-file.ts'],
  ['cli/push/send/drain.ts', '../../journal/journal.ts'],
  ['cli/push/send/drain.ts', '../../output/run/run-summary.ts'],
  ['cli/push/send/drain.ts', '../../client/requests.ts'],
  ['cli/push/send/drain.ts', '../../commands/push.ts'],
  ['cli/push/send/drain.ts', '../../outside/io.ts'],
  ['cli/push/send/drain.ts', 'node:fs/promises'],
  ['cli/push/send/drain.ts', 'node:process'],
  ['cli/csv/read-csv.ts', '../push/ports/run.ts'],
  ['cli/csv/read-csv.ts', '../mapping/mapping-plan.ts'],
  ['cli/mapping/mapping-plan.ts', '../journal/journal.ts'],
  ['cli/mapping/mapping-plan.ts', '../push/stage/stage.ts'],
  ['cli/mapping/mapping-plan.ts', './compile/scope.ts'],
  ['cli/mapping/language/source.ts', '../file/load-mapping.ts'],
  ['cli/mapping/language/source.ts', '../compile/scope.ts'],
  ['cli/mapping/language/source.ts', '../../csv/read-csv.ts'],
  ['cli/mapping/file/load-mapping.ts', '../compile/plan-by-mapping.ts'],
  ['cli/mapping/file/load-mapping.ts', 'node:fs'],
  ['cli/mapping/compile/plan-by-mapping.ts', '../file/load-mapping.ts'],
  ['cli/mapping/compile/plan-by-mapping.ts', '../../push/stage/stage.ts'],
  ['cli/push/stage/stage.ts', '../../mapping/compile/scope.ts'],
  ['cli/inspect/inspect-file.ts', '../mapping/compile/scope.ts'],
  ['cli/check/check.ts', '../mapping/compile/scope.ts'],
  ['cli/inspect/inspect-file.ts', '../push/stage/stage.ts'],
  ['cli/inspect/inspect-file.ts', 'node:fs'],
  ['cli/journal/journal.ts', '../push/send/drain.ts'],
  ['cli/journal/journal.ts', '../client/requests.ts'],
  ['cli/journal/journal.ts', 'node:http'],
  ['cli/output/run/run-summary.ts', '../../journal/journal.ts'],
  ['cli/output/run/run-summary.ts', '../../commands/push.ts'],
  ['cli/client/requests.ts', '../settings/settings.ts'],
  ['cli/client/requests.ts', '../push/send/deliver.ts'],
  ['cli/commands/push.ts', '../../server/start.ts'],
  ['cli/commands/push.ts', '../../core/rules/note-rules.ts'],
  ['cli/commands/push.ts', 'node:http'],
  ['cli/serve/serve.ts', '../../server/pipeline/dispatch.ts'],
  ['cli/serve/serve.ts', '../../core/rules/note-rules.ts'],
  ['cli/replay/replay.ts', '../main.ts'],
  ['cli/commands/push.ts', '../program/program.ts'],
  ['cli/sending/sending.ts', '../migrate/migrate-files.ts'],
  ['cli/sending/sending.ts', '../commands/push.ts'],
  ['cli/sending/sending.ts', '../../core/rules/note-rules.ts'],
  ['cli/sending/sending.ts', 'better-sqlite3'],
  ['cli/sources/sources.ts', '../sending/sending.ts'],
  ['cli/rejects/rejects.ts', '../runs/runs.ts'],
  ['cli/ending/ending.ts', '../sources/sources.ts'],
  ['cli/comparison/reconcile.ts', '../verify/verification.ts'],
  ['cli/command/connection.ts', '../sending/sending.ts'],
  ['cli/output/run/run-result.ts', '../../command/command.ts'],
  ['cli/output/run/run-result.ts', '../../comparison/ports.ts'],
  ['cli/replay/fixture.ts', '../main.ts'],
  ['cli/replay/fixture.ts', '../../server/start.ts'],
  ['cli/program/program.ts', '../../server/start.ts'],
  ['cli/outside/io.ts', '../commands/push.ts'],
  ['cli/settings/file.ts', '../commands/push.ts'],
  ['server/pipeline/dispatch.ts', '../../cli/outside/io.ts'],
  ['server/routes/notes-route.ts', '../../cli/push/ports/run.ts'],
  ['server/options/checked-options.ts', '../http/hosts.ts'],
  ['server/store/snapshots.ts', '../seed/seed.ts'],
  ['server/store/store.ts', 'node:http'],
  ['server/openapi/document.ts', '../routes/routes.ts'],
  ['server/parity/parity.ts', '../platform/notes.ts'],
  ['server/parity/parity.ts', 'node:fs'],
  ['server/http/listener.ts', '../pipeline/dispatch.ts'],
  ['server/http/answer.ts', '../auth/tokens.ts'],
  ['server/platform/notes.ts', '../http/answer.ts'],
  ['server/platform/notes.ts', '../routes/notes.ts'],
  ['server/platform/clock.ts', 'node:fs'],
  ['server/faults/fault-rule.ts', '../pipeline/fault-wire.ts'],
  ['server/faults/fault-pipeline.ts', '../store/store.ts'],
  ['server/seed/seed.ts', '../auth/own-key.ts'],
  ['server/auth/tokens.ts', '../local-server/local-server.ts'],
  ['server/local-server/local-server.ts', '../routes/routes.ts'],
  ['server/routes/notes-route.ts', '../pipeline/guards.ts'],
  ['server/routes/admin/snapshot-routes.ts', 'node:net'],
  ['server/pipeline/dispatch.ts', '../store/store.ts'],
  ['server/start.ts', './platform/platform.ts'],
  ['server/public.ts', './http/listener.ts'],
  // one for each package
  ['cli/runs/runs.ts', 'better-sqlite3'],
  ['server/pipeline/dispatch.ts', 'better-sqlite3'],
  ['core/rules/statement-rules.ts', 'big.js'],
  ['cli/runs/runs.ts', 'fast-string-width'],
  ['cli/push/push.ts', 'commander'],
  ['cli/mapping/language/lookup.ts', 'csv-parse'],
  ['cli/check/check.ts', 'csv-parse/sync'],
  ['cli/rejects/rejects-file.ts', 'csv-stringify/sync'],
  ['cli/journal/folder.ts', 'env-paths'],
  ['cli/push/push.ts', 'ora'],
  ['server/platform/statement-period.ts', 'temporal-polyfill'],
  ['cli/push/send/deliver.ts', 'undici'],
  ['core/contract/note.ts', 'yaml'],
  ['cli/mapping/file/load-mapping.ts', 'yaml'],
  ['cli/settings/config-tree.ts', 'yaml'],
  ['server/seed/read-seed.ts', 'yaml'],
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
  ['cli/push/stage/stage.ts', '../../mapping/mapping-plan.ts'],
  ['files/text-file.ts', 'node:fs'],
  ['cli/journal/database/run-database.ts', '../../../files/private-folder.ts'],
  ['server/store/private-file.ts', '../../files/private-folder.ts'],
  ['cli/push/push.ts', 'node:events'],
  ['cli/csv/source-file.ts', 'node:fs'],
  ['cli/csv/record-parser.ts', 'csv-parse'],
  ['cli/mapping/mapping-plan.ts', '../csv/source-row.ts'],
  ['cli/mapping/file/load-mapping.ts', '../language/mapping.ts'],
  ['cli/mapping/compile/plan-by-mapping.ts', '../language/mapping.ts'],
  ['cli/mapping/compile/plan-by-mapping.ts', '../mapping-plan.ts'],
  ['cli/check/check.ts', '../mapping/file/load-mapping.ts'],
  ['cli/inspect/inspect-file.ts', '../csv/source-file.ts'],
  ['cli/inspect/draft/draft-text.ts', 'yaml'],
  ['cli/journal/journal.ts', '../push/ports/run.ts'],
  ['cli/output/progress/progress.ts', '../../push/events.ts'],
  ['cli/client/requests.ts', 'undici'],
  ['cli/commands/push.ts', '../journal/journal.ts'],
  ['cli/commands/demo.ts', '../../server/start.ts'],
  ['cli/serve/serve.ts', '../../server/start.ts'],
  ['cli/replay/local-platform.ts', '../../server/start.ts'],
  ['cli/sending/sending.ts', '../journal/reading.ts'],
  ['cli/outside/io.ts', 'node:process'],
  ['server/store/ledger.ts', 'better-sqlite3'],
  ['server/platform/notes.ts', '../store/records.ts'],
  ['server/pipeline/guards.ts', '../local-server/local-server.ts'],
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
