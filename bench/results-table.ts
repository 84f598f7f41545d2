import type { BudgetResult } from './budgets.ts';
import { type Comparison, middle, oursOf, ratio } from './comparison.ts';

/** The medians of a comparison as lines of text. */
export function tableOf(comparison: Comparison): string {
  const { id, rows, samples } = comparison;
  const turns = samples[oursOf(comparison)]!.length;
  return `${id}: ${rows.toLocaleString('en')} rows, medians of ${turns}\n${aligned(comparisonRows(comparison))}\n`;
}

/** The budgets that were measured as lines of text. */
export function budgetTableOf(budgets: readonly BudgetResult[]): string {
  const measured = budgets.filter((budget) => budget.measured !== undefined);
  const rows = measured.map((budget) => [
    budget.figure,
    boundText(budget),
    figureText(budget),
    budget.isMet ? 'met' : 'NOT MET',
  ]);
  return aligned([['budget', '', 'measured', ''], ...rows]);
}

/** Header and cells of a comparison: the medians of each program, and the ratios of the first program to the others. */
function comparisonRows(comparison: Comparison): readonly (readonly string[])[] {
  const ours = oursOf(comparison);
  const sides = Object.keys(comparison.samples).map((side) => {
    const wallMs = middle(comparison, side, 'wallMs');
    const disk = middle(comparison, side, 'diskBytes');
    const own = [
      side,
      seconds(wallMs),
      Math.round((comparison.rows / wallMs) * 1000).toLocaleString('en'),
      seconds(middle(comparison, side, 'cpuMs')),
      megabytes(middle(comparison, side, 'peakBytes')),
      disk === 0 ? '' : megabytes(disk),
    ];
    const ratios = [
      ratio(comparison, 'wallMs', [side, ours]),
      ratio(comparison, 'cpuMs', [ours, side]),
      ratio(comparison, 'peakBytes', [ours, side]),
    ];
    return [...own, ...ratios.map((number) => (side === ours ? '' : number.toFixed(2)))];
  });
  const header = ['', 'wall s', 'rows/s', 'CPU s', 'peak MB', 'disk MB', 'speed ÷', 'CPU ÷', 'peak ÷'];
  return [header, ...sides];
}

/** A bound as text: ≥ 0.6, ≤ 200 MB. */
export function boundText({ bound, unit }: BudgetResult): string {
  const text = 'atLeast' in bound ? `≥ ${bound.atLeast}` : `≤ ${bound.atMost}`;
  return unit === undefined ? text : `${text} ${unit}`;
}

/** A measured figure as text: 0.62, 184 MB. */
export function figureText({ measured, unit }: BudgetResult): string {
  if (measured === undefined) return '';
  return unit === undefined ? measured.toFixed(2) : `${Math.round(measured)} ${unit}`;
}

/** Columns of text, the first one to the left and the others to the right. */
function aligned(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((cells) => cells[column]!.length)));
  return rows
    .map((cells) =>
      cells
        .map((text, column) => (column === 0 ? text.padEnd(widths[0]!) : text.padStart(widths[column]!)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(2);
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0);
}
