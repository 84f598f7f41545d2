// JSON with marked values, read as text: every number stays as it was sent, and every value knows its place.
import { html, useLayoutEffect, useRef, useState } from './htm.js';
import { Data, plural } from './parts.js';

/** Lines that are shown around a marked line, and lines of a short text, which is shown whole. */
const NEAR = 6;
const SHORT = 160;

/** A body with the values of `attrs` marked as refused. */
export function Json({ text, attrs = [], label }) {
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
  for (const attr of attrs) marks.set(lineAt(lines, attr), attr);
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
      html`<div class=${mark === undefined ? '' : 'hit'} data-attr=${mark}>
        ${'  '.repeat(line.indent)}${line.name !== null && html`<${Data} text=${line.name} cut=${200} />: `}${
          mark === undefined ? value : html`<mark>${value}</mark><span class="unseen"> (refused)</span>`
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

// ---- Reading

/** A text that is not JSON. */
class NotJson extends Error {}

const TOKEN = /\s+|[{}[\],:]|"(?:[^"\\]|\\.)*"|[^\s{}[\],:"]+/gsy;

function tokensOf(text) {
  const tokens = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const found = TOKEN.exec(text);
    if (!found) throw new NotJson();
    if (found[0].trim() !== '') tokens.push(found[0]);
  }
  return tokens;
}

/**
 * The lines of a JSON text, each `{indent, name, value, path, comma}`: `value` is the text of a scalar or a bracket. Undefined
 * for a text that is not JSON, such as the beginning of a long body.
 */
function linesOf(text) {
  // Many parts of a view ask for the lines of one body.
  if (latest.text !== text) latest = { text, lines: readLines(text) };
  return latest.lines;
}

let latest = { text: '', lines: undefined };

function readLines(text) {
  try {
    const tokens = tokensOf(text);
    const lines = [];
    const end = readValue(tokens, 0, { path: [], indent: 0, name: null, lines });
    return end === tokens.length ? lines : undefined;
  } catch (error) {
    if (error instanceof NotJson) return undefined;
    throw error;
  }
}

const CLOSING = { '{': '}', '[': ']' };

/** Adds the lines of the value at a token, and returns the index of the token behind it. */
function readValue(tokens, index, { path, indent, name, lines }) {
  const token = tokens[index];
  if (path.length > 40 || token === undefined || '}],:'.includes(token)) throw new NotJson();
  const close = CLOSING[token];
  const first = { indent, name, value: token, path, comma: false };
  lines.push(first);
  let at = index + 1;
  if (close !== undefined) {
    for (let count = 0; tokens[at] !== close; count++) {
      const key = token === '{' ? tokens[at] : null;
      if (key !== null) {
        if (!key?.startsWith('"') || tokens[at + 1] !== ':') throw new NotJson();
        at += 2;
      }
      const part = key === null ? count : parsed(key);
      at = readValue(tokens, at, { path: [...path, part], indent: indent + 1, name: key, lines });
      if (tokens[at] === ',') at += 1;
      else if (tokens[at] !== close) throw new NotJson();
    }
    at += 1;
    if (lines.at(-1) === first) first.value = token + close;
    else lines.push({ ...first, name: null, value: close, closes: true });
  }
  lines.at(-1).comma = tokens[at] === ',';
  return at;
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new NotJson();
  }
}

/** The line of a path. A path is an `attr` of an answer, such as `transactions.0.amount`. */
function lineOf(lines, attr) {
  return lines.find(({ path, closes }) => !closes && path.join('.') === attr);
}

/** The line of a path, or of the nearest value around it. */
function lineAt(lines, attr) {
  const found = lineOf(lines, attr);
  return found || attr === '' ? found : lineAt(lines, attr.split('.').slice(0, -1).join('.'));
}

/** The text of the value at a path, on one line; undefined when there is none. */
export function valueAt(text, attr) {
  const lines = linesOf(text) ?? [];
  const first = lineOf(lines, attr);
  if (!first) return undefined;
  const own = lines.filter(({ path }) => path.slice(0, first.path.length).join('.') === attr);
  const words = own.map(
    ({ name, value, comma }) => `${name === null ? '' : `${name}: `}${value}${comma ? ',' : ''}`,
  );
  return [first.value, ...words.slice(1, -1), ...(own.length > 1 ? [own.at(-1).value] : [])].join(' ');
}

/** The record that a path is in: its index, the path below it, and its noun and id if the body has them. Null outside of records. */
export function recordOf(text, attr) {
  const [list, index, ...below] = attr.split('.');
  if (!/^\d+$/.test(index ?? '')) return null;
  const id = (linesOf(text) ?? []).find(
    ({ path, value }) =>
      path.length === 3 &&
      path.slice(0, 2).join('.') === `${list}.${index}` &&
      String(path[2]).endsWith('_id') &&
      value.startsWith('"'),
  );
  return {
    index: Number.parseInt(index, 10),
    field: below.join('.'),
    noun: list.replace(/s$/, ''),
    id: id ? JSON.parse(id.value) : null,
  };
}
