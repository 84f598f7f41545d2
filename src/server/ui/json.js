// JSON with marked values. Every number and text stays as it was sent, and every value knows its place.
import { html, useLayoutEffect, useMemo, useRef } from './htm.js';
import { Data, LONGEST, withSigns } from './parts.js';

/** Values with more levels around them are shown on one line. */
const DEEPEST = 40;

/** A body with the values of `attrs` marked as refused. */
export function Json({ text, attrs = [], label }) {
  const box = useRef(null);
  const key = attrs.join(' ');
  const content = useMemo(() => contentOf(text, attrs), [text, key]);
  // The first refused value is in sight, however long the body is.
  useLayoutEffect(() => {
    const hit = box.current.querySelector('.hit');
    if (hit) box.current.scrollTop = hit.offsetTop - box.current.clientHeight / 3;
  }, [text, key]);
  return html`<pre ref=${box} class="json" tabindex="0" role="region" aria-label=${label}>${content}</pre>`;
}

function contentOf(text, attrs) {
  const body = readJson(text);
  if (body === undefined) return html`<${Data} text=${text} cut=${8_000} />`;
  const lines = linesOf(body, 'body');
  const paths = new Set(lines.map(({ path }) => path));
  const refused = new Set(attrs.map((attr) => nearest(`body.${attr}`, (path) => paths.has(path))));
  const parts = [];
  // A body has up to a MiB, so lines that are neither marked nor long are one text.
  let plain = '';
  for (const { path, name, value, comma } of lines) {
    const isRefused = refused.has(path);
    if (!isRefused && name.length + value.length <= LONGEST) {
      plain += `${name}${value}${comma}\n`;
      continue;
    }
    const shown = html`<${Data} text=${value} />`;
    parts.push(
      withSigns(plain),
      html`<div class=${isRefused ? 'hit' : ''} id=${isRefused ? path : undefined}>
        ${withSigns(name)}${
          isRefused ? html`<mark>${shown}</mark><span class="unseen"> (refused)</span>` : shown
        }${comma}
      </div>`,
    );
    plain = '';
  }
  return [...parts, withSigns(plain)];
}

/** Brings the marked value of a path into sight. */
export function jumpTo(attr) {
  const lineOf = (path) => document.getElementById(path);
  const line = lineOf(nearest(`body.${attr}`, lineOf));
  line?.scrollIntoView({ block: 'center' });
  line?.closest('pre').focus({ preventScroll: true });
}

/** The path of a value, or of the nearest one around it that is there. */
function nearest(path, isThere) {
  return path === 'body' || isThere(path) ? path : nearest(path.slice(0, path.lastIndexOf('.')), isThere);
}

/** The lines of a value that was read. `path` is `body` and the `attr` of an answer, such as `body.transactions.0.amount`. */
function linesOf(value, path, level = 0, key = '') {
  const line = { path, name: '  '.repeat(level) + key, value: JSON.stringify(value), comma: '' };
  const entries = exact.isRawJSON(value) || level === DEEPEST ? [] : Object.entries(value);
  if (entries.length === 0) return [line];
  const isList = Array.isArray(value);
  const inner = entries.flatMap(([part, each], index) => {
    const lines = linesOf(each, `${path}.${part}`, level + 1, isList ? '' : `${JSON.stringify(part)}: `);
    if (index < entries.length - 1) lines.at(-1).comma = ',';
    return lines;
  });
  const last = { ...line, path: null, name: '  '.repeat(level), value: isList ? ']' : '}' };
  return [{ ...line, value: isList ? '[' : '{' }, ...inner, last];
}

// ---- Reading

/** The types of JSON leave out the newest functions. */
const exact = /** @type {any} */ (JSON);

/**
 * The value of a JSON text, whose numbers and texts are the characters that were sent. Undefined for a text that is not JSON, such
 * as the beginning of a long body, and for an object that cannot show what was sent, such as one with a key that comes twice.
 */
export function readJson(text) {
  try {
    const value = exact.parse(text, (_, each, { source }) => (source ? exact.rawJSON(source) : each));
    const sent = text.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, '$1');
    return JSON.stringify(value) === sent ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The text of the value at a path of a value that was read; undefined when there is none. */
export function textAt(value, attr) {
  return JSON.stringify(attr.split('.').reduce((at, part) => at?.[part], value));
}

/** The record that a path is in: its index, the path below it, and its noun and id if the body has them. Null outside of records. */
export function recordOf(body, attr) {
  const [list, index, ...below] = attr.split('.');
  if (!/^\d+$/.test(index ?? '')) return null;
  const ids = Object.entries(body?.[list]?.[index] ?? {}).filter(([name]) => name.endsWith('_id'));
  const id = ids.map(([, value]) => value.rawJSON).find((text) => text?.startsWith('"'));
  return {
    index: Number.parseInt(index, 10),
    field: below.join('.'),
    noun: list.replace(/s$/, ''),
    id: id === undefined ? null : JSON.parse(id),
  };
}
