import { type Comparison, middle, oursOf, ratio } from './comparison.ts';

/** The medians of a comparison as lines of text, with the ratios of our side to each baseline. */
export function tableOf(comparison: Comparison): string {
  const { id, rows, samples } = comparison;
  const ours = oursOf(comparison);
  const pairs = samples[ours]!.length;
  const lines = Object.keys(samples).map((side) => {
    const wallMs = middle(comparison, side, 'wallMs');
    const against = (quantity: 'wallMs' | 'cpuMs' | 'peakBytes'): string =>
      side === ours ? '' : ratio(comparison, quantity, [ours, side]).toFixed(2);
    const speed = side === ours ? '' : ratio(comparison, 'wallMs', [side, ours]).toFixed(2);
    const disk = middle(comparison, side, 'diskBytes');
    return [
      side,
      seconds(wallMs),
      Math.round((rows / wallMs) * 1000).toLocaleString('en'),
      seconds(middle(comparison, side, 'cpuMs')),
      megabytes(middle(comparison, side, 'peakBytes')),
      disk === 0 ? '' : megabytes(disk),
      speed,
      against('cpuMs'),
      against('peakBytes'),
    ];
  });
  const title = `${id}: ${rows.toLocaleString('en')} rows, medians of ${pairs}`;
  return `${title}\n${aligned([HEADER, ...lines])}\n`;
}

const HEADER = ['', 'wall s', 'rows/s', 'CPU s', 'peak MB', 'disk MB', 'ours: speed', 'CPU', 'peak'];

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
