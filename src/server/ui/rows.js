// A long table of which only the visible rows are drawn.
import { html, useEffect, useLayoutEffect, useRef, useState } from './htm.js';

const ROW = 40;

/** Rows above and below the visible ones. */
const AROUND = 12;

/**
 * A table of which only the visible rows are drawn. `columns` are `{title, className, cell(row)}`.
 * `onEnd` is called when the last row comes into view. `added` counts the rows that were put before the first one.
 */
export function Rows({ label, columns, rows, keyOf, onEnd, added = 0, empty, total }) {
  const box = useRef(null);
  const [view, setView] = useState({ top: 0, height: 600 });
  const look = () => {
    const { scrollTop: top, clientHeight: height } = box.current;
    setView((before) => (before.top === top && before.height === height ? before : { top, height }));
  };
  useLayoutEffect(look, []);
  useEffect(() => {
    addEventListener('resize', look);
    return () => removeEventListener('resize', look);
  }, []);
  // Rows that arrive above must not move the row that is read.
  const before = useRef(added);
  useLayoutEffect(() => {
    const more = added - before.current;
    before.current = added;
    if (more > 0 && box.current.scrollTop > ROW) box.current.scrollTop += more * ROW;
  }, [added]);
  const first = Math.max(0, Math.floor(view.top / ROW) - AROUND);
  const last = Math.min(rows.length, Math.ceil((view.top + view.height) / ROW) + AROUND);
  useEffect(() => {
    if (last >= rows.length) onEnd?.();
  }, [last, rows.length, onEnd]);
  const space = (height, key) =>
    html`<tr class="space" key=${key} aria-hidden="true">
      <td style=${{ height: `${height}px` }}></td>
    </tr>`;
  return html`<div class="rows" ref=${box} onScroll=${look} tabindex="0" role="region" aria-label=${label}>
    <table aria-rowcount=${(total ?? rows.length) + 1}>
      <thead>
        <tr aria-rowindex="1">
          ${columns.map(({ title, className = '' }) => html`<th scope="col" class=${className}>${title}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${first > 0 && space(first * ROW, 'above')}
        ${rows.slice(first, last).map(
          (row, index) =>
            html`<tr class="row" key=${keyOf(row)} aria-rowindex=${first + index + 2}>
              ${columns.map(({ cell, className = '' }) => html`<td class=${className}>${cell(row)}</td>`)}
            </tr>`,
        )}
        ${last < rows.length && space((rows.length - last) * ROW, 'below')}
      </tbody>
    </table>
    ${rows.length === 0 && html`<p class="empty">${empty}</p>`}
  </div>`;
}
