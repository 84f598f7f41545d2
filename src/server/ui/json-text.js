// Reads JSON as text: every number stays as it was sent, and every value knows its place.

/** A text that is not JSON. */
class NotJson extends Error {}

const TOKEN = /\s+|[{}[\],:]|"(?:[^"\\]|\\.)*"|[^\s{}[\],:"]+/gsy;

function tokensOf(text) {
  const tokens = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const start = TOKEN.lastIndex;
    const found = TOKEN.exec(text);
    if (!found) throw new NotJson();
    if (found[0].trim() !== '') tokens.push({ text: found[0], start, end: TOKEN.lastIndex });
  }
  return tokens;
}

/**
 * The lines of a JSON text, each `{indent, name, value, path, end}`: `value` is the text of a scalar or a bracket. Undefined for a
 * text that is not JSON, such as the beginning of a long body.
 */
export function linesOf(text) {
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

const OPEN = { '{': '}', '[': ']' };

function readValue(tokens, index, { path, indent, name, lines }) {
  if (path.length > 40) throw new NotJson();
  const token = tokens[index];
  if (!token) throw new NotJson();
  const close = OPEN[token.text];
  if (close === undefined) {
    if ('}],:'.includes(token.text)) throw new NotJson();
    const comma = tokens[index + 1]?.text === ',';
    lines.push({ indent, name, value: token.text, path, comma, start: token.start, end: token.end });
    return index + 1;
  }
  const first = {
    indent,
    name,
    value: token.text,
    path,
    comma: false,
    start: token.start,
    end: token.end,
    opens: true,
  };
  lines.push(first);
  let at = index + 1;
  for (let count = 0; tokens[at]?.text !== close; count++) {
    let inner = count;
    if (token.text === '{') {
      const key = tokens[at];
      if (!key?.text.startsWith('"') || tokens[at + 1]?.text !== ':') throw new NotJson();
      inner = key.text;
      at += 2;
    }
    const part = typeof inner === 'number' ? inner : nameOf(inner);
    at = readValue(tokens, at, {
      path: [...path, part],
      indent: indent + 1,
      name: typeof inner === 'number' ? null : inner,
      lines,
    });
    if (tokens[at]?.text === ',') at += 1;
    else if (tokens[at]?.text !== close) throw new NotJson();
  }
  first.end = tokens[at].end;
  if (lines.at(-1) === first) {
    first.value = token.text + close;
    first.opens = false;
    first.comma = tokens[at + 1]?.text === ',';
  } else
    lines.push({ indent, name: null, value: close, path, comma: tokens[at + 1]?.text === ',', closes: true });
  return at + 1;
}

function nameOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new NotJson();
  }
}

/** The path of an `attr`, as texts. */
const partsOf = (attr) => (attr === '' ? [] : attr.split('.'));

const isAt = (path, parts) =>
  path.length === parts.length && path.every((part, index) => String(part) === parts[index]);

/** The line of a path, or of the nearest value around it. */
export function lineAt(lines, attr) {
  for (let parts = partsOf(attr); ; parts = parts.slice(0, -1)) {
    const found = lines.find((line) => !line.closes && isAt(line.path, parts));
    if (found || parts.length === 0) return found;
  }
}

/** The text of the value at a path; undefined when there is none. */
export function valueAt(text, attr) {
  const parts = partsOf(attr);
  const line = linesOf(text)?.find((each) => !each.closes && isAt(each.path, parts));
  return line && text.slice(line.start, line.end);
}

/** The text with another value at a path. Null leaves the field out. Undefined when there is no place for the value. */
export function replaced(text, attr, value) {
  const lines = linesOf(text);
  const parts = partsOf(attr);
  const line = lines?.find((each) => !each.closes && isAt(each.path, parts));
  if (line && value !== null) return text.slice(0, line.start) + value + text.slice(line.end);
  if (line) return without(text, line);
  const around = lines?.find((each) => !each.closes && isAt(each.path, parts.slice(0, -1)));
  if (!around || value === null || text[around.start] !== '{') return undefined;
  const isEmpty = text.slice(around.start + 1, around.end - 1).trim() === '';
  const field = `${JSON.stringify(parts.at(-1))}: ${value}${isEmpty ? '' : ', '}`;
  return `${text.slice(0, around.start + 1)}${field}${text.slice(around.start + 1)}`;
}

/** The text without a field or an item, and without the comma that belongs to it. */
function without(text, line) {
  const tokens = tokensOf(text);
  let from = tokens.findIndex(({ start }) => start === line.start);
  const to = tokens.findIndex(({ end }) => end === line.end);
  if (tokens[from - 1]?.text === ':') from -= 2;
  if (tokens[to + 1]?.text === ',')
    return text.slice(0, tokens[from].start) + text.slice(tokens[to + 1].end).trimStart();
  const comma = tokens[from - 1]?.text === ',' ? tokens[from - 1] : tokens[from];
  return text.slice(0, comma.start) + text.slice(tokens[to].end);
}
