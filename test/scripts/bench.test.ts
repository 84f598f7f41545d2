import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import type { Comparison } from '../../bench/comparison.ts';
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

test('every measurement runs, and its ratios are numbers', async () => {
  const halves = [shortBench('read', 'stage', 'push'), shortBench('drain', 'serve', 'folder')];
  const comparisons = (await Promise.all(halves)).flat();
  expect(comparisons.map(({ id }) => id)).toEqual([
    'read plain',
    'stage nested',
    'push serve',
    'drain',
    'serve',
    'folder',
  ]);
  for (const { id, samples } of comparisons) {
    const [ours, ...others] = Object.values(samples);
    for (const other of others) {
      const ratios = ours!.flatMap((sample, pair) => [
        sample.wallMs / other[pair]!.wallMs,
        sample.cpuMs / other[pair]!.cpuMs,
        sample.peakBytes / other[pair]!.peakBytes,
      ]);
      expect(
        ratios.every((ratio) => Number.isFinite(ratio) && ratio > 0),
        `${id}: ${ratios.join(' ')}`,
      ).toBe(true);
    }
  }
});
