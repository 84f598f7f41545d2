import { type BudgetResult, headroom } from './budgets.ts';
import { boundText, figureText } from './results-table.ts';

const [LABEL, PLOT, VALUE, ROW, TOP] = [470, 300, 150, 24, 34];
const WIDTH = LABEL + PLOT + VALUE;
/** The plot ends at four times worse and four times better than the bound. */
const RANGE = 4;

/**
 * An SVG with a bar for each measured budget, on a logarithmic scale around its bound: to the right the budget is met, to the
 * left it is not. Its own background keeps the text legible in a light and in a dark page.
 */
export function plotOf(results: readonly BudgetResult[]): string {
  const measured = results.filter(({ measured }) => measured !== undefined);
  const height = TOP + measured.length * ROW + 16;
  const middle = LABEL + PLOT / 2;
  const marks = [1 / 4, 1 / 2, 1, 2, 4].map((times) => {
    const x = position(times);
    const text = times === 1 ? 'budget' : times < 1 ? `${1 / times} × worse` : `${times} × better`;
    return `  <line class="${times === 1 ? 'bound' : 'grid'}" x1="${x}" x2="${x}" y1="${TOP - 6}" y2="${height - 10}"/>
  <text class="mark" x="${x}" y="${TOP - 14}">${text}</text>`;
  });
  const bars = measured.map((result, index) => {
    const y = TOP + index * ROW;
    const x = position(headroom(result.bound, result.measured!));
    const [from, to] = x < middle ? [x, middle] : [middle, x];
    return `  <text class="label" x="${LABEL - 10}" y="${y + 14}">${escaped(result.figure)}</text>
  <rect class="${result.isMet ? 'met' : 'missed'}" x="${from}" y="${y + 3}" width="${Math.max(to - from, 1).toFixed(1)}" height="${ROW - 8}"/>
  <text class="value" x="${LABEL + PLOT + 10}" y="${y + 14}">${escaped(`${figureText(result)} (${boundText(result)})`)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="Measured figures beside their budgets">
  <style>
    svg { font: 12px system-ui, sans-serif; }
    .page { fill: #ffffff; } text { fill: #24292f; } .label { text-anchor: end; } .mark { text-anchor: middle; font-size: 10px; }
    .grid { stroke: #d0d7de; } .bound { stroke: #24292f; } .met { fill: #2f6fb0; } .missed { fill: #c2571a; }
    @media (prefers-color-scheme: dark) {
      .page { fill: #0d1117; } text { fill: #e6edf3; } .grid { stroke: #30363d; } .bound { stroke: #e6edf3; }
      .met { fill: #5b9bd8; } .missed { fill: #e8894f; }
    }
  </style>
  <rect class="page" width="${WIDTH}" height="${height}"/>
${[...marks, ...bars].join('\n')}
</svg>
`;
}

/** Where a headroom is on the logarithmic scale. */
function position(times: number): number {
  const kept = Math.min(Math.max(times, 1 / RANGE), RANGE);
  return Math.round((LABEL + (PLOT / 2) * (1 + Math.log(kept) / Math.log(RANGE))) * 10) / 10;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
