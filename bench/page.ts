import { type BudgetResult } from './budgets.ts';
import { type Comparison, middle, type Quantity } from './comparison.ts';
import type { Machine } from './machine.ts';
import { NIGHT_DELAY_MS, NIGHT_RATE } from './measurements/night.ts';
import { boundText, figureText } from './results-table.ts';

/** docs/performance.md: the budgets, a night, the machine and the method. */
export function pageOf(
  machine: Machine,
  budgets: readonly BudgetResult[],
  comparisons: readonly Comparison[],
): string {
  const measured = budgets.filter((budget) => budget.measured !== undefined);
  const met = measured.filter(({ isMet }) => isMet).length;
  return `<!-- \`npm run bench -- --write-page\` writes this page. -->

# Performance

**Reference.** ${met} of ${measured.length} budgets are met. **Bold** figures miss theirs. All guarantees are on: every record and every answer is on disk before the next step.

${markdown([
  ['figure', 'budget', 'measured'],
  ...measured.map((budget) => [
    budget.figure,
    boundText(budget),
    budget.isMet ? figureText(budget) : `**${figureText(budget)}**`,
  ]),
])}

${gapsOf(measured)}${nightOf(comparisons)}## Machine

${machine.cores} cores (${machine.processor}), ${machine.memoryGb} GiB of memory, Node ${machine.node}. The disk has ${machine.fileSystem}; a write of 4 kB with fsync takes
${machine.syncMs.toFixed(2)} ms.

## Method

Programs run as whole processes and take turns. A ratio is the median of those of the turns. CPU time counts all threads and child
processes, peak memory is the largest resident size. Files have 14 columns, 243 bytes a row, 20 rows an account that are scattered over
the file, and line items as JSON in 30 % of the rows of nested ones.

The bare loop sends the bodies of a push, 16 at once. The naive scripts group the file by account, send batches of 100 over one kept
connection and repeat a batch after a 5xx. The bare server parses JSON, checks it with zod and inserts into SQLite with the same columns.
`;
}

/** Why budgets are not met. */
function gapsOf(measured: readonly BudgetResult[]): string {
  const gaps = measured.filter(({ isMet, gap }) => !isMet && gap !== undefined);
  if (gaps.length === 0) return '';
  return `## Why some are not met

${gaps.map(({ figure, gap }) => `- **${figure}**: ${gap}`).join('\n')}

`;
}

/** The migration that is planned: accounts, their records of four resources, and one request for each account and resource. */
const [ACCOUNTS, RECORDS, REQUESTS] = [5_800_000, 200_000_000, 4 * 5_800_000];
const [HOUR_MS, GB, NIGHT_HOURS] = [3_600_000, 1e9, 10];

/** What a large migration takes, by the figures of a row. Empty without the measurements that it needs. */
function nightOf(comparisons: readonly Comparison[]): string {
  const of = new Map(comparisons.map((comparison) => [comparison.id, comparison]));
  const [stage, shard, night] = ['stage nested', 'read shard', 'night'].map((id) => of.get(id));
  if (!stage || !shard || !night) return '';
  const ofRow = (each: Comparison, side: string, quantity: Quantity = 'wallMs'): number =>
    middle(each, side, quantity) / each.rows;
  const staged = ofRow(stage, 'push to its first batch');
  const passed = ofRow(shard, 'check --shard 1/4');
  const [largest, left] = ['push', 'the same command again'].map((side) => ofRow(night, side, 'diskBytes'));
  const rows = [1, 8, 32].map((shards) => [
    `${shards}`,
    `${((RECORDS * (shards === 1 ? staged : passed + staged / shards)) / HOUR_MS).toFixed(1)} h`,
    `${((RECORDS * largest!) / shards / GB).toFixed(1)} GB, then ${((RECORDS * left!) / shards / GB).toFixed(1)} GB`,
  ]);
  const hours = REQUESTS / NIGHT_RATE / 3_600;
  return `## A night on paper

${ACCOUNTS / 1e6} million accounts with ${RECORDS / 1e6} million records of four resources are ${REQUESTS / 1e6} million requests, while no account has more than 100 records of
a resource. A platform that takes ${NIGHT_RATE} requests a second takes **${Math.round(hours)} hours** for them, whatever sends them: at ${NIGHT_DELAY_MS} ms only ${(NIGHT_RATE * NIGHT_DELAY_MS) / 1_000} are in
flight. ${NIGHT_HOURS} hours need ${Math.ceil(REQUESTS / NIGHT_HOURS / 3_600)} a second: ask the operator first. Every shard reads all rows, so shards shorten only what comes before:

${markdown([['shards', 'until the first request', 'journal of each'], ...rows])}

An Indexed Job of Kubernetes, an array of Slurm or of AWS Batch types one command with \`--shard auto\`, each task with a volume of its own
([exit-codes.md](exit-codes.md#shards)). A lost machine costs its requests in flight: the same command on its volume goes on. Without
the volume its shard is sent again, and the platform says what it has.

`;
}

function markdown([header, ...rows]: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(header!), line(header!.map(() => '---')), ...rows.map(line)].join('\n');
}
