import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { type BudgetResult, budgetResults } from '../../bench/budgets.ts';
import { type Comparison, ratio } from '../../bench/comparison.ts';
import { pageOf } from '../../bench/page.ts';
import { comparisonRows } from '../../bench/results-table.ts';
import { PACKAGE } from '../support/built-cli.ts';
import { projectRoot } from '../support/source-tree.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** The result of a short bench. Time and memory of so few rows mean nothing, so no test looks at their size. */
async function shortBench(...names: readonly string[]): Promise<readonly Comparison[]> {
  const json = join(temporaryFolder(), 'bench.json');
  const args = [...names, '--short', '--package', PACKAGE, '--json', json];
  await execa(process.execPath, [join(projectRoot, 'bench', 'bench.ts'), ...args]);
  return (JSON.parse(readFileSync(json, 'utf8')) as { comparisons: Comparison[] }).comparisons;
}

/** The measurements start dozens of processes, so a machine with twenty other processes needs this long. */
const RUNS_MS = 900_000;

test(
  'the measurements without many rows run, and their ratios are numbers',
  async () => {
    // push, serve, again, folder, scale and growth take three quarters of the time, and what they call is called by these or checked by its type.
    const comparisons = await shortBench('read', 'stage', 'start', 'seed', 'drain');
    expect(comparisons.map(({ id }) => id)).toEqual([
      'read plain',
      'stage nested',
      'start serve',
      'seed',
      'drain',
    ]);
    for (const comparison of comparisons) {
      const [ours, ...others] = Object.keys(comparison.samples);
      const ratios = [ours!, ...others].flatMap((other) =>
        (['wallMs', 'cpuMs', 'peakBytes'] as const).map((quantity) =>
          ratio(comparison, quantity, [ours!, other]),
        ),
      );
      expect(
        ratios.filter((number) => !Number.isFinite(number) || number <= 0),
        comparison.id,
      ).toEqual([]);
    }
  },
  RUNS_MS,
);

describe('the results', () => {
  const usage = (wallMs: number, cpuMs: number) => ({ wallMs, cpuMs, peakBytes: 80e6, diskBytes: 0 });
  const comparison: Comparison = {
    id: 'read plain',
    rows: 1_000,
    samples: {
      // The machine was busy in the second turn, which hit both.
      check: [usage(2_000, 3_000), usage(8_000, 3_000), usage(2_200, 3_000)],
      'csv-parse': [usage(1_000, 1_000), usage(4_000, 1_000), usage(1_000, 1_000)],
    },
  };
  const budgets = budgetResults([comparison]);
  const measured = budgets.filter((budget) => budget.measured !== undefined);

  test('compare the programs of the same turn, and take the median of the ratios', () => {
    expect(comparisonRows(comparison)).toEqual([
      ['', 'wall s', 'rows/s', 'CPU s', 'peak MB', 'disk MB', 'speed ÷', 'CPU ÷', 'peak ÷'],
      ['check', '2.20', '455', '3.00', '80', '', '', '', ''],
      ['csv-parse', '1.00', '1,000', '1.00', '80', '', '0.50', '3.00', '1.00'],
    ]);
  });

  test('meet a budget or not, and a budget without a measurement is neither', () => {
    const facts = ({ figure, measured, isMet }: BudgetResult) => [figure, measured, isMet];
    expect(measured.map(facts)).toEqual([
      ['check ÷ csv-parse, rows/s, flat rows', 0.5, false],
      ['check ÷ csv-parse, CPU, flat rows', 3, false],
    ]);
    expect(budgets.length).toBeGreaterThan(20);
    expect(budgets.filter(({ isMet }) => isMet !== undefined)).toEqual(measured);
    const faster = {
      ...comparison,
      samples: { check: [usage(1_000, 2_500)], 'csv-parse': [usage(600, 1_000)] },
    };
    expect(budgetResults([faster]).flatMap(({ isMet }) => isMet ?? [])).toEqual([true, true]);
  });

  test('are a page with each budget', () => {
    const machine = {
      cores: 2,
      processor: 'X',
      memoryGb: 8,
      node: '26.10.0',
      fileSystem: 'ext4',
      syncMs: 0.3,
      load: [0.5, 2] as const,
    };
    const page = pageOf(machine, budgets);
    expect(page).toContain('0 of 2 budgets are met.');
    expect(page).toContain('| check ÷ csv-parse, rows/s, flat rows | ≥ 0.6 | **0.50** |');
    expect(page).toContain('Other work: a 1-minute load average between 0.5 and 2.0.');
    expect(page).toContain('- **check ÷ csv-parse, rows/s, flat rows**: One thread');
  });
});
