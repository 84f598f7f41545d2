import * as Plot from '@observablehq/plot';
import { parseHTML } from 'linkedom';
import { html, trusted, type Html } from '../../output/formats/html.ts';
import type { MigrationReport, ReportRows } from './migration-report.ts';
import { ANSWERS, OUTCOMES } from './outcomes.ts';

// Only `report` loads this file, because Plot takes a third of a second.

/** Widths in CSS pixels: for screens and paper, and for phones. The style of the page shows one of the two. */
const WIDTHS = { wide: 760, narrow: 340 } as const;

type Options = Parameters<typeof Plot.plot>[0];

/** A chart as an image in both widths, with its meaning as text. */
function chart(label: string, optionsFor: (isWide: boolean) => NonNullable<Options>): Html {
  const images = Object.entries(WIDTHS).map(([name, width]) => {
    const { document } = parseHTML('<html></html>');
    const drawn = Plot.plot({
      document,
      width,
      style: { fontSize: '12px' },
      ...optionsFor(name === 'wide'),
    }) as unknown as SvgElement;
    // The page has the styles, and forbids all others.
    drawn.querySelector('style')?.remove();
    for (const element of [drawn, ...drawn.querySelectorAll('[style]')]) element.removeAttribute('style');
    // The image has one label. Labels of its groups would say "rule" and "rect".
    for (const element of drawn.querySelectorAll('[aria-label]')) element.removeAttribute('aria-label');
    for (const [attribute, value] of [
      ['role', 'img'],
      ['aria-label', label],
      ['class', `chart ${name}`],
    ] as const)
      drawn.setAttribute(attribute, value);
    return trusted(drawn.outerHTML);
  });
  return html`${images}`;
}

/** The part of an element that is needed here. The project is compiled without the types of browsers. */
interface SvgElement {
  readonly outerHTML: string;
  querySelector(selector: string): { remove(): void } | null;
  querySelectorAll(selector: string): Iterable<SvgElement>;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
}

const colour = (name: string): string => `var(--${name})`;

/** All rows as one bar, divided by how they ended. */
export function rowsChart(rows: ReportRows, label: string): Html {
  let start = 0;
  const bars = OUTCOMES.flatMap(({ name }) => {
    const from = start;
    start += rows[name];
    return rows[name] === 0 ? [] : [{ name, from, to: start }];
  });
  return chart(label, () => ({
    height: 34,
    marginLeft: 0,
    marginRight: 0,
    marginTop: 2,
    marginBottom: 4,
    x: { axis: null, domain: [0, Math.max(rows.read, 1)] },
    y: { axis: null },
    marks: bars.map(({ name, from, to }) =>
      Plot.barX([0], {
        x1: () => from,
        x2: () => to,
        fill: colour(name),
        insetLeft: 0.5,
        insetRight: 0.5,
        rx: 2,
      }),
    ),
  }));
}

/** Outcomes by the time of their answers, with the attempts that failed below. */
export function timelineChart(
  { bucket_ms: width, buckets }: NonNullable<MigrationReport['timeline']>,
  label: string,
): Html {
  const end = Math.max(width, ...buckets.map(({ after_ms: after }) => after + width));
  const unit = unitOf(end);
  const bars = buckets.flatMap((bucket) => {
    let start = 0;
    return ANSWERS.flatMap((name) => {
      const from = start;
      start += bucket[name];
      return bucket[name] === 0 ? [] : [{ name, from, to: start, after: bucket.after_ms }];
    });
  });
  const failed = buckets.filter(({ failed_attempts: attempts }) => attempts > 0);
  return chart(label, (isWide) => ({
    height: isWide ? 240 : 200,
    marginLeft: 56,
    marginBottom: 42,
    x: {
      domain: [0, end / unit.ms],
      label: `${unit.name} after the first request`,
      ticks: isWide ? 8 : 4,
      labelAnchor: 'center',
      labelArrow: 'none',
    },
    y: { label: 'records', grid: true, ticks: 4, tickFormat: short, labelArrow: 'none', nice: true },
    marks: [
      Plot.ruleY([0], { stroke: colour('line') }),
      ...ANSWERS.map((name) =>
        Plot.rect(
          bars.filter((bar) => bar.name === name),
          {
            x1: ({ after }: { after: number }) => after / unit.ms,
            x2: ({ after }: { after: number }) => (after + width) / unit.ms,
            y1: 'from',
            y2: 'to',
            fill: colour(name),
            insetLeft: 0.5,
            insetRight: 0.5,
          },
        ),
      ),
      Plot.dot(failed, {
        x: ({ after_ms: after }: { after_ms: number }) => (after + width / 2) / unit.ms,
        y: 0,
        r: 3.5,
        fill: colour('failed'),
        stroke: colour('page'),
      }),
    ],
  }));
}

/** How often each time from request to answer occurred, with percentiles. */
export function latencyChart(latency: NonNullable<MigrationReport['latency']>, label: string): Html {
  const { histogram } = latency;
  const unit = latency.p99_ms >= 10_000 ? { ms: 1_000, name: 'seconds' } : { ms: 1, name: 'milliseconds' };
  const width = Math.min(...histogram.map(({ from_ms: from, to_ms: to }) => to - from));
  // The last bar may have much longer times, and is drawn as wide as the others.
  const end = Math.max(...histogram.map(({ from_ms: from }) => from + width));
  const marks = [
    ['50 %', latency.p50_ms],
    ['95 %', latency.p95_ms],
    ['99 %', latency.p99_ms],
  ] as const;
  const shown = marks.filter(([, ms], index) => marks.findIndex(([, other]) => other === ms) === index);
  return chart(label, (isWide) => ({
    height: isWide ? 220 : 190,
    marginLeft: 56,
    marginTop: 30,
    marginBottom: 42,
    x: {
      domain: [0, end / unit.ms],
      label: unit.name,
      ticks: isWide ? 8 : 4,
      labelAnchor: 'center',
      labelArrow: 'none',
      tickFormat: short,
    },
    y: { label: 'answers', grid: true, ticks: 4, tickFormat: short, labelArrow: 'none', nice: true },
    marks: [
      Plot.ruleY([0], { stroke: colour('line') }),
      Plot.rect(histogram, {
        x1: ({ from_ms: from }: { from_ms: number }) => from / unit.ms,
        x2: ({ from_ms: from }: { from_ms: number }) => (from + width) / unit.ms,
        y1: 0,
        y2: 'count',
        fill: colour('existing'),
        insetLeft: 0.5,
        insetRight: 0.5,
      }),
      Plot.ruleX(shown, {
        x: ([, ms]: readonly [string, number]) => Math.min(ms, end) / unit.ms,
        stroke: colour('text'),
        strokeDasharray: '3,3',
      }),
    ],
  }));
}

function unitOf(ms: number): { ms: number; name: string } {
  if (ms < 1_000) return { ms: 1, name: 'milliseconds' };
  if (ms < 180_000) return { ms: 1_000, name: 'seconds' };
  if (ms < 3 * 3_600_000) return { ms: 60_000, name: 'minutes' };
  return { ms: 3_600_000, name: 'hours' };
}

/** `1500` as `1.5k`: a tick has little room, and the table beside the chart has the number. */
function short(value: number): string {
  if (value >= 1_000_000) return `${value / 1_000_000}M`;
  return value >= 1_000 ? `${value / 1_000}k` : String(value);
}
