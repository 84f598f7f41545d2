// npm run mutate -- [--with TEST]... [--workers N] [--report FILE] FOLDER|FILE...   of src
//
// Mutation testing with StrykerJS: changes the code in one place at a time, and runs the tests that lie beside it in test/ and those of
// --with. Prints each change that no test has noticed, and a table. --report keeps the findings as JSON: with it only what has changed
// since is tried again. Works in a copy of the checkout, into which it installs StrykerJS from the npm registry.
//
// A change that makes no difference is marked in the code: `// Stryker disable next-line KIND: the reason`.

import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const VERSION = '10.1.1';
/** The findings by which StrykerJS knows what it has tried before. */
const KEPT = 'incremental.json';

/** A report of StrykerJS, as far as it is read here (github.com/stryker-mutator/mutation-testing-elements). */
interface MutationReport {
  readonly files: Readonly<Record<string, { readonly mutants: readonly Mutant[] }>>;
}
interface Mutant {
  readonly mutatorName: string;
  readonly replacement?: string;
  readonly status:
    | 'Killed'
    | 'Timeout'
    | 'Survived'
    | 'NoCoverage'
    | 'Ignored'
    | 'RuntimeError'
    | 'CompileError';
  readonly location: { readonly start: { readonly line: number; readonly column: number } };
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    with: { type: 'string', multiple: true, default: [] },
    workers: { type: 'string', default: String(availableParallelism()) },
    report: { type: 'string' },
  },
});
const wrong = positionals.find((path) => !path.startsWith('src/') || !existsSync(join(root, path)));
if (positionals.length === 0 || wrong !== undefined) {
  console.error(
    wrong === undefined ? 'Name a folder or file of src.' : `${wrong} is no folder or file of src.`,
  );
  process.exit(2);
}

const copy = mkdtempSync(join(tmpdir(), 'dataimport-mutants-'));
try {
  copyCheckout();
  const report = mutated();
  if (values.report !== undefined) cpSync(join(copy, KEPT), resolve(values.report));
  print(report);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
} finally {
  rmSync(copy, { recursive: true, force: true });
}

function copyCheckout(): void {
  const tracked = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
  });
  for (const file of tracked.toString().split('\0'))
    if (file !== '' && existsSync(join(root, file))) cpSync(join(root, file), join(copy, file));
  cpSync(join(root, 'node_modules'), join(copy, 'node_modules'), { recursive: true });
  const packages = ['core', 'vitest-runner'].map((name) => `@stryker-mutator/${name}@${VERSION}`);
  execFileSync('npm', ['install', '--no-save', '--ignore-scripts', '--silent', ...packages], { cwd: copy });
}

function mutated(): MutationReport {
  const tests = [...positionals.map(testsOf), ...values.with].flatMap((path) =>
    path.endsWith('.ts') ? path : `${path}/**/*.test.ts`,
  );
  writeFileSync(
    join(copy, 'vitest.mutants.ts'),
    `import { defineConfig } from 'vitest/config';
import { PROCESSES } from './vitest.config.ts';
export default defineConfig({ test: { include: ${JSON.stringify(tests)}, exclude: PROCESSES, isolate: false,
  setupFiles: ['test/support/property-seed.ts'], testTimeout: 60_000 } });
`,
  );
  const isFolder = (path: string): boolean => statSync(join(root, path)).isDirectory();
  const settings = {
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'vitest.mutants.ts', related: false },
    mutate: positionals.map((path) => (isFolder(path) ? `${path}/**/*.ts` : path)),
    coverageAnalysis: 'perTest',
    // What is computed once, when a module is loaded, would need a start for each change.
    ignoreStatic: true,
    concurrency: Number(values.workers),
    inPlace: true,
    incremental: values.report !== undefined,
    incrementalFile: KEPT,
    reporters: ['json', 'progress-append-only'],
    jsonReporter: { fileName: 'mutants.json' },
  };
  writeFileSync(join(copy, 'stryker.config.json'), JSON.stringify(settings));
  if (values.report !== undefined && existsSync(values.report)) cpSync(values.report, join(copy, KEPT));
  const program = join(copy, 'node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js');
  const { status } = spawnSync(process.execPath, [program, 'run'], {
    cwd: copy,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) throw new Error(`StrykerJS ended with ${status}, see above.`);
  return JSON.parse(readFileSync(join(copy, 'mutants.json'), 'utf8')) as MutationReport;
}

/** The tests of a folder, or the file of tests of a file, or else those of its folder. */
function testsOf(path: string): string {
  const test = path.replace(/^src\//, 'test/').replace(/\.ts$/, '.test.ts');
  return existsSync(join(root, test)) ? test : dirname(test);
}

function print({ files }: MutationReport): void {
  const table = new Map<string, { found: number; all: number }>();
  for (const [file, { mutants }] of Object.entries(files)) {
    const tried = mutants.filter(({ status }) => status !== 'Ignored' && !status.endsWith('Error'));
    const missed = tried.filter(({ status }) => status === 'Survived' || status === 'NoCoverage');
    for (const { mutatorName, replacement, status, location } of missed)
      console.log(
        `${file}:${location.start.line}:${location.start.column} ${status === 'NoCoverage' ? 'runs in no test' : 'survives'}: ${mutatorName} → ${replacement?.replaceAll(/\s+/g, ' ') ?? ''}`,
      );
    const row = table.get(dirname(file)) ?? { found: 0, all: 0 };
    table.set(dirname(file), {
      found: row.found + tried.length - missed.length,
      all: row.all + tried.length,
    });
  }
  console.log('\n| folder | changes | noticed | share |\n| --- | --: | --: | --: |');
  for (const [folder, { found, all }] of table)
    console.log(
      `| \`${folder}\` | ${all} | ${found} | ${all === 0 ? '–' : `${((100 * found) / all).toFixed(1)} %`} |`,
    );
}
