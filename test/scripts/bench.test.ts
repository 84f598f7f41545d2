import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { type Comparison, ratio } from '../../bench/comparison.ts';
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
    // The others take most of the time, and what they call is called by these or checked by its type.
    const comparisons = await shortBench('read', 'start', 'drain');
    expect(comparisons.map(({ id }) => id)).toEqual(['read plain', 'start serve', 'drain']);
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
