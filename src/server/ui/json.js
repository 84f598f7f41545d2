// JSON with marked values.
import { html, useState } from './htm.js';
import { lineAt, linesOf } from './json-text.js';
import { Data, plural } from './parts.js';

/** Lines that are shown around a marked line, and lines of a short text, which is shown whole. */
const NEAR = 6;
const SHORT = 160;

/** A body with the values of `attrs` marked. */
export function Json({ text, attrs = [], label }) {
  const [isWhole, setWhole] = useState(false);
  const lines = linesOf(text);
  if (!lines)
    return html`<pre
      class="json"
      tabindex="0"
      role="region"
      aria-label=${label}
    ><div><${Data} text=${text} cut=${8_000} /></div></pre>`;
  const hits = new Set(attrs.map((attr) => lineAt(lines, attr)).filter((line) => line));
  const places = [...hits].map((line) => lines.indexOf(line));
  const isNear = (index) =>
    isWhole ||
    lines.length <= SHORT ||
    index < (places.length > 0 ? 4 : SHORT) ||
    places.some((place) => Math.abs(place - index) <= NEAR);
  const shown = [];
  let hidden = 0;
  const gap = () => {
    if (hidden === 0) return;
    shown.push(
      html`<div class="gap">
        … ${plural(hidden, 'line')} <button class="link" onClick=${() => setWhole(true)}>show all</button>
      </div>`,
    );
    hidden = 0;
  };
  for (const [index, line] of lines.entries()) {
    if (!isNear(index)) {
      hidden += 1;
      continue;
    }
    gap();
    const isHit = hits.has(line);
    const value = html`<${Data} text=${line.value} cut=${2_000} />`;
    shown.push(
      html`<div class=${isHit ? 'hit' : ''}>
        ${'  '.repeat(line.indent)}${line.name !== null && html`<${Data} text=${line.name} cut=${200} />: `}${
          isHit ? html`<mark>${value}</mark><span class="unseen"> (refused)</span>` : value
        }${line.comma && ','}
      </div>`,
    );
  }
  gap();
  return html`<pre class="json" tabindex="0" role="region" aria-label=${label}>${shown}</pre>`;
}
