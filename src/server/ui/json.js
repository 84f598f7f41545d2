// JSON with marked values.
import { html, useLayoutEffect, useRef, useState } from './htm.js';
import { lineAt, linesOf } from './json-text.js';
import { Data, plural } from './parts.js';

/** Lines that are shown around a marked line, and lines of a short text, which is shown whole. */
const NEAR = 6;
const SHORT = 160;

/** A body with the values of `attrs` marked as refused, and those of `related` as compared with them. */
export function Json({ text, attrs = [], related = [], label }) {
  const [isWhole, setWhole] = useState(false);
  const box = useRef(null);
  // The first refused value is in sight, however long the body is.
  useLayoutEffect(() => {
    const hit = box.current.querySelector('.hit');
    if (hit) showIn(box.current, hit);
  }, [text, attrs.join(' ')]);
  const boxOf = (content) =>
    html`<pre
      ref=${box}
      class="json"
      tabindex="0"
      role="region"
      aria-label=${label}
    >${content}</pre>`;
  const lines = linesOf(text);
  if (!lines) return boxOf(html`<div><${Data} text=${text} cut=${8_000} /></div>`);
  const marks = new Map();
  for (const attr of related) marks.set(lineAt(lines, attr), { attr, says: ' (compared)', name: 'related' });
  for (const attr of attrs) marks.set(lineAt(lines, attr), { attr, says: ' (refused)', name: 'hit' });
  const places = [...marks.keys()].map((line) => lines.indexOf(line));
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
    const mark = marks.get(line);
    const value = valueOf(line.value);
    shown.push(
      html`<div class=${mark?.name ?? ''} data-attr=${mark?.attr}>
        ${'  '.repeat(line.indent)}${line.name !== null && html`<${Data} text=${line.name} cut=${200} />: `}${
          mark ? html`<mark>${value}</mark><span class="unseen">${mark.says}</span>` : value
        }${line.comma && ','}
      </div>`,
    );
  }
  gap();
  return boxOf(shown);
}

/** The quotes of a text are no part of it, so they are not counted with its characters. */
function valueOf(value) {
  if (!value.startsWith('"')) return html`<${Data} text=${value} />`;
  return html`"<${Data} text=${value.slice(1, -1)} />"`;
}

/** Scrolls a box, and nothing around it, until a line is in it. */
function showIn(box, line) {
  const place = line.getBoundingClientRect().top - box.getBoundingClientRect().top;
  if (place < 0 || place > box.clientHeight - 60) box.scrollTop += place - box.clientHeight / 3;
}

/** Brings the marked value of a path into sight. */
export function jumpTo(attr) {
  const line = [...document.querySelectorAll('.json [data-attr]')].find(
    (each) => each.getAttribute('data-attr') === attr,
  );
  line?.scrollIntoView({ block: 'center' });
  /** @type {HTMLElement | undefined} */ (line?.closest('.json'))?.focus({ preventScroll: true });
}
