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
 * The lines of a JSON text, each `{indent, name, value, path, from, start, end}`: `value` is the text of a scalar or a bracket,
 * `from` is where its name begins. Undefined for a text that is not JSON, such as the beginning of a long body.
 */
export function linesOf(text) {
  // Many parts of a view ask for the lines of one body.
  if (latest.text !== text) latest = { text, lines: readLines(text) };
  return latest.lines;
}

let latest = { text: '', lines: undefined };

function readLines(text) {
  try {
    const tokens = tokensOf(text);
    const lines = [];
    const end = readValue(tokens, 0, { path: [], indent: 0, name: null, lines, from: 0 });
    return end === tokens.length ? lines : undefined;
  } catch (error) {
    if (error instanceof NotJson) return undefined;
    throw error;
  }
}

const OPEN = { '{': '}', '[': ']' };

function readValue(tokens, index, { path, indent, name, lines, from }) {
  if (path.length > 40) throw new NotJson();
  const token = tokens[index];
  if (!token) throw new NotJson();
  const close = OPEN[token.text];
  if (close === undefined) {
    if ('}],:'.includes(token.text)) throw new NotJson();
    const comma = tokens[index + 1]?.text === ',';
    lines.push({ indent, name, value: token.text, path, comma, from, start: token.start, end: token.end });
    return index + 1;
  }
  const first = {
    indent,
    name,
    value: token.text,
    path,
    comma: false,
    from,
    start: token.start,
    end: token.end,
    opens: true,
  };
  lines.push(first);
  let at = index + 1;
  for (let count = 0; tokens[at]?.text !== close; count++) {
    let inner = count;
    const { start } = tokens[at] ?? token;
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
      from: start,
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

/** The text of a value as somebody types it: JSON, or else text. */
export function jsonOf(typed) {
  try {
    JSON.parse(typed);
    return typed.trim();
  } catch {
    return JSON.stringify(typed);
  }
}

/** The text with another value at some paths. Null leaves the fields out. Undefined when there is no place for the value. */
export function replaced(text, attrs, value) {
  const lines = linesOf(text)?.filter(({ closes }) => !closes);
  if (!lines) return undefined;
  const byPath = new Map(lines.map((line) => [line.path.join('.'), line]));
  const edits = attrs.map((attr) => editOf({ text, byPath }, attr, value));
  if (edits.includes(undefined)) return undefined;
  const pieces = [];
  let done = 0;
  for (const { from, to, by } of edits.toSorted((a, b) => a.from - b.from)) {
    pieces.push(text.slice(done, from), by);
    done = to;
  }
  return pieces.join('') + text.slice(done);
}

function editOf({ text, byPath }, attr, value) {
  const line = byPath.get(attr);
  if (line && value !== null) return { from: line.start, to: line.end, by: value };
  if (line) return { ...withComma(text, line), by: '' };
  const parts = partsOf(attr);
  const around = byPath.get(parts.slice(0, -1).join('.'));
  if (!around || value === null || text[around.start] !== '{') return undefined;
  const isEmpty = text.slice(around.start + 1, around.end - 1).trim() === '';
  const by = `${JSON.stringify(parts.at(-1))}: ${value}${isEmpty ? '' : ', '}`;
  return { from: around.start + 1, to: around.start + 1, by };
}

/** Where a field or an item is, with the comma that belongs to it. */
function withComma(text, { from, end }) {
  let to = end;
  while (/\s/.test(text[to])) to += 1;
  if (text[to] === ',') {
    to += 1;
    while (/\s/.test(text[to])) to += 1;
    return { from, to };
  }
  let before = from;
  while (/\s/.test(text[before - 1])) before -= 1;
  return { from: text[before - 1] === ',' ? before - 1 : from, to: end };
}

/** The record that a path is in: its list, its index, its id if it has one, and how many records there are. */
export function recordOf(text, attr) {
  const [list, index, ...below] = partsOf(attr);
  if (index === undefined || !/^\d+$/.test(index)) return null;
  const lines = linesOf(text) ?? [];
  const inList = lines.filter(({ path, closes }) => !closes && path[0] === list);
  const id = inList.find(
    ({ path, value }) =>
      path.length === 3 &&
      String(path[1]) === index &&
      String(path[2]).endsWith('_id') &&
      value.startsWith('"'),
  );
  return {
    attr: `${list}.${index}`,
    index: Number.parseInt(index, 10),
    field: below.join('.'),
    noun: list.replace(/s$/, ''),
    id: id ? JSON.parse(id.value) : null,
    count: inList.filter(({ path }) => path.length === 2).length,
  };
}

/** The paths of the same field in other records: with the same value, or with any when `isAny`. */
export function alike(text, attr, isAny) {
  const [list, index, ...below] = partsOf(attr);
  if (below.length === 0) return [];
  const given = valueAt(text, attr);
  const lines = (linesOf(text) ?? []).filter(({ path, closes }) => !closes && path[0] === list);
  const there = new Map();
  for (const line of lines)
    if (isAt(line.path.slice(2), below)) there.set(String(line.path[1]), text.slice(line.start, line.end));
  return lines
    .filter(({ path }) => path.length === 2 && String(path[1]) !== index)
    .map(({ path }) => String(path[1]))
    .filter((each) => (isAny ? there.has(each) : there.get(each) === given))
    .map((each) => [list, each, ...below].join('.'));
}

/** The text with a line for each value; as it is when it is not JSON. */
export function spread(text) {
  const lines = linesOf(text);
  if (!lines) return text;
  return lines
    .map(
      ({ indent, name, value, comma }) =>
        `${'  '.repeat(indent)}${name === null ? '' : `${name}: `}${value}${comma ? ',' : ''}`,
    )
    .join('\n');
}
