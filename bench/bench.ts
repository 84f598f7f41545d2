// npm run bench -- [name...] [--rows N] [--pairs N] [--short] [--json FILE] [--list]
//
// Runs the command beside baselines and prints how they compare. CONTRIBUTING.md, "The bench", explains the measurements.

import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Comparison } from './comparison.ts';
import { FULL_ROWS, openBench } from './context.ts';
import { MEASUREMENTS } from './measurements.ts';
import { tableOf } from './results-table.ts';

/** Short: a few hundred rows and one pair. It shows that the bench runs, and its numbers mean nothing. */
const SHORT = { rows: 200, pairs: 1 };
const PAIRS = 5;

const USAGE = `usage: npm run bench -- [name...] [--rows N] [--pairs N] [--short] [--json FILE] [--package FOLDER] [--list]
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
  const comparisons: Comparison[] = [];
  const report = (comparison: Comparison): void => {
    comparisons.push(comparison);
    console.log(tableOf(comparison));
  };
  const bench = await openBench({ ...asked, report });
  try {
    for (const name of asked.names) await MEASUREMENTS[name].run(bench);
  } finally {
    bench.close();
  }
  if (asked.json !== undefined) writeFileSync(asked.json, `${JSON.stringify({ comparisons }, null, 2)}\n`);
  return 0;
}

/** The parsed command line; undefined when it is invalid. */
function parsedCommand(argv: readonly string[]) {
  const parsed = parsedArgs(argv);
  if (parsed === undefined) return undefined;
  const { values, positionals } = parsed;
  const isShort = values.short ?? false;
  const names = positionals.length === 0 ? Object.keys(MEASUREMENTS) : positionals;
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
