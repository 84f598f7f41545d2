import { type BudgetResult } from './budgets.ts';
import type { Machine } from './machine.ts';
import { boundText, figureText } from './results-table.ts';

/** docs/performance.md: the budgets, the machine and the method. */
export function pageOf(machine: Machine, budgets: readonly BudgetResult[]): string {
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

${gapsOf(measured)}## Machine

${machine.cores} cores (${machine.processor}), ${machine.memoryGb} GiB of memory, Node ${machine.node}. The disk has ${machine.fileSystem}; a write of 4 kB with fsync takes
${machine.syncMs.toFixed(2)} ms. Other work: a 1-minute load average between ${machine.load.map((load) => load.toFixed(1)).join(' and ')}.

## Method

Each program of a comparison runs as a whole process, and the programs take turns, so that other load on the machine hits all alike. A
ratio is the median of the ratios of the single turns. CPU time counts all threads and child processes. Peak memory is the largest
resident size. The command is the built package. The files are generated: 14 columns, 243 bytes a row, 20 rows an account that are
scattered over the file, and line items as JSON in 30 % of the rows of nested files.

The bare undici loop sends bodies that a push has sent before, with 16 requests in flight. The naive scripts read the file, group it by
account, send batches of 100 over one kept connection and repeat a batch after a 5xx. The bare server parses JSON, checks it with zod and inserts into SQLite with the same columns and \`synchronous=NORMAL\`.
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

function markdown([header, ...rows]: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(header!), line(header!.map(() => '---')), ...rows.map(line)].join('\n');
}
