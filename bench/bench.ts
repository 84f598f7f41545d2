// npm run bench -- [name...] [--rows N] [--pairs N] [--short] [--json FILE] [--from FILE] [--write-page] [--list]
//
// Runs the command beside baselines and prints how they compare. CONTRIBUTING.md, "The bench", explains the measurements.

import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { budgetResults } from './budgets.ts';
import { type Comparison } from './comparison.ts';
import { FULL_ROWS, openBench } from './context.ts';
import { type Machine, thisMachine } from './machine.ts';
import { MEASUREMENTS } from './measurements.ts';
import { pageOf } from './page.ts';
import { budgetTableOf, tableOf } from './results-table.ts';

/** Short: a few rows and one pair. It shows that the bench runs, and its numbers mean nothing. */
const SHORT = { rows: 20, pairs: 1 };
const PAIRS = 5;

const USAGE = `usage: npm run bench -- [name...] [--rows N] [--pairs N] [--short] [--json FILE] [--from FILE]... [--write-page]
                        [--package FOLDER] [--list]
names: ${Object.keys(MEASUREMENTS).join(' ')}`;

process.exitCode = await main(process.argv.slice(2));

async function main(argv: readonly string[]): Promise<number> {
  const asked = parsedCommand(argv);
  if (asked === undefined) {
    console.error(USAGE);
    return 2;
  }
  if (asked.isList) {
    for (const [name, { about }] of Object.entries(MEASUREMENTS)) console.log(`${name.padEnd(8)}${about}`);
    return 0;
  }
  const machine = thisMachine();
  const earlier = asked.from.map((file) => JSON.parse(readFileSync(file, 'utf8')) as Results);
  const comparisons: Comparison[] = [];
  const report = (comparison: Comparison): void => {
    comparisons.push(comparison);
    console.log(tableOf(comparison));
  };
  if (asked.names.length > 0) {
    const bench = await openBench({ ...asked, report });
    for (const [signal, exitCode] of [
      ['SIGINT', 130],
      ['SIGTERM', 143],
    ] as const)
      process.on(signal, () => {
        bench.close();
        process.exit(exitCode);
      });
    try {
      for (const name of asked.names) await MEASUREMENTS[name].run(bench);
    } finally {
      bench.close();
    }
  }
  const results: Results = { machine, comparisons: newest([...earlier, { machine, comparisons }]) };
  if (!asked.isShort) console.log(budgetTableOf(budgetResults(results.comparisons)));
  if (asked.json !== undefined) writeFileSync(asked.json, `${JSON.stringify(results, null, 2)}\n`);
  if (asked.isPage) writePage(results);
  return 0;
}

/** The content of a file that `--json` writes. */
interface Results {
  readonly machine: Machine;
  readonly comparisons: readonly Comparison[];
}

/** The comparisons of several results. The last one of an id counts. */
function newest(results: readonly Results[]): readonly Comparison[] {
  const all = results.flatMap(({ comparisons }) => comparisons);
  return [...new Map(all.map((comparison) => [comparison.id, comparison])).values()];
}

function writePage({ machine, comparisons }: Results): void {
  const docs = join(dirname(import.meta.dirname), 'docs');
  const budgets = budgetResults(comparisons);
  writeFileSync(join(docs, 'performance.md'), pageOf(machine, budgets, comparisons));
}

/** The parsed command line; undefined when it is invalid. */
function parsedCommand(argv: readonly string[]) {
  const parsed = parsedArgs(argv);
  if (parsed === undefined) return undefined;
  const { values, positionals } = parsed;
  const isShort = values.short ?? false;
  const from = values.from ?? [];
  // Earlier results alone need no new measurement.
  const names = positionals.length === 0 && from.length === 0 ? Object.keys(MEASUREMENTS) : positionals;
  const rows = wholeNumber(values.rows, isShort ? SHORT.rows : FULL_ROWS);
  const pairs = wholeNumber(values.pairs, isShort ? SHORT.pairs : PAIRS);
  if (!names.every(isMeasurement) || rows === undefined || pairs === undefined) return undefined;
  return {
    names,
    rows,
    pairs,
    isShort,
    isList: values.list ?? false,
    json: values.json,
    from,
    isPage: values['write-page'] ?? false,
    packageFolder: values.package,
  };
}

function parsedArgs(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        rows: { type: 'string' },
        pairs: { type: 'string' },
        short: { type: 'boolean' },
        json: { type: 'string' },
        package: { type: 'string' },
        from: { type: 'string', multiple: true },
        'write-page': { type: 'boolean' },
        list: { type: 'boolean' },
      },
    });
  } catch {
    // An unknown option, or an option without its value.
    return undefined;
  }
}

function isMeasurement(name: string): name is keyof typeof MEASUREMENTS {
  return Object.hasOwn(MEASUREMENTS, name);
}

function wholeNumber(text: string | undefined, otherwise: number): number | undefined {
  if (text === undefined) return otherwise;
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}
