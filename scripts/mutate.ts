// npm run mutate -- [--with TEST]... [--workers N] [--report FILE] FOLDER|FILE...   of src
//
// Mutation testing: changes the code in one place at a time, and runs the tests that lie beside it in test/ and those of --with. Prints
// each change that no test has noticed, and a table. --report keeps the findings as JSON: with it only what has changed since is tried
// again. The changes are those of StrykerJS, which is installed from the npm registry into a temporary folder.
//
// A change that makes no difference is marked in the code: `// Stryker disable next-line KIND: the reason`.

import { existsSync, globSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { changesOf, type Change } from './mutate/changes.ts';
import { Findings, type Finding } from './mutate/findings.ts';
import { tryChanges } from './mutate/trials.ts';
import { PROCESSES } from '../vitest.config.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

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

const folder = mkdtempSync(join(tmpdir(), 'dataimport-mutants-'));
try {
  const processes = new Set(globSync(PROCESSES, { cwd: root }));
  const near = filesOf([...positionals.map(testsOf), ...values.with], '.test.ts');
  const tests = near.filter((test) => !processes.has(test));
  const { changes, sources } = await changesOf(root, filesOf(positionals, '.ts'), folder);
  const findings = new Findings(root, changes, tests, values.report);
  const open = findings.open();
  console.log(`Changes: ${changes.length}. To be tried: ${open.length}. Files of tests: ${tests.length}.`);
  if (open.length > 0)
    await tryChanges({ root, folder, tests, sources, open, workers: Number(values.workers), findings });
  findings.save();
  print(findings.all());
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The files with an ending that are named, or lie in a folder that is. */
function filesOf(paths: readonly string[], ending: string): readonly string[] {
  const files = paths.flatMap((path) =>
    statSync(join(root, path)).isDirectory() ? globSync(`${path}/**/*${ending}`, { cwd: root }) : path,
  );
  return [...new Set(files)].toSorted();
}

/** The tests of a folder, or the file of tests of a file, or else those of its folder. */
function testsOf(path: string): string {
  const test = path.replace(/^src\//, 'test/').replace(/\.ts$/, '.test.ts');
  return existsSync(join(root, test)) ? test : dirname(test);
}

function print(all: readonly (readonly [Change, Finding])[]): void {
  const table = new Map<string, { noticed: number; tried: number }>();
  for (const [{ file, line, column, kind, replacement }, { end }] of all) {
    if (end === 'ignored') continue;
    const row = table.get(dirname(file)) ?? { noticed: 0, tried: 0 };
    row.tried++;
    if (end === 'noticed') row.noticed++;
    else
      console.log(
        `${file}:${line}:${column} ${end === 'unrun' ? 'runs in no test' : 'survives'}: ${kind} → ${replacement.replaceAll(/\s+/g, ' ')}`,
      );
    table.set(dirname(file), row);
  }
  console.log('\n| folder | changes | noticed | share |\n| --- | --: | --: | --: |');
  for (const [name, { noticed, tried }] of table)
    console.log(`| \`${name}\` | ${tried} | ${noticed} | ${((100 * noticed) / tried).toFixed(1)} % |`);
}
