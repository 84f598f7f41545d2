import { isJsonObject, plainJson } from '../../../core/values/plain-json.ts';

/** Names that tools have for the path of a file in a line of JSON. */
const KEYS = ['Key', 'key', 'Path', 'path', 'name', 'Name'];

const TIME = String.raw`\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z| ?[+-]\d\d:?\d\d)?`;
const SIZE = String.raw`\d+(?:\.\d+)?(?: ?[KMGTkmgt]?i?[Bb]?)?`;
const MONTH_DAY = String.raw`[A-Z][a-z]{2} +\d{1,2} +(?:\d{1,2}:\d\d|\d{4})`;

/** Long listings, as object stores and file tools print them: the path is what follows. */
const LONG = [
  // ls -l: mode, links, owner, group, size, time
  new RegExp(`^[-l][rwxsStT-]{9}[.+@]? +\\d+ +\\S+ +\\S+ +\\d+ +(?:${MONTH_DAY}|${TIME}) (?<path>.+)$`),
  // A time and a size, or a size and a time; a size alone with the path after a space.
  new RegExp(`^ *${TIME} +${SIZE} +(?<path>\\S.*)$`),
  new RegExp(`^ *${SIZE} +${TIME} +(?<path>\\S.*)$`),
  /^ *\d+ (?<path>\S.*)$/,
];

/**
 * The path of a document in a line of a listing: a plain path, a long listing with sizes and dates, or an object of JSON.
 * Without a bucket, and without `./` or `/` before it. Undefined for a line that lists nothing, such as a folder or a total.
 */
export function pathOfListingLine(line: string): string | undefined {
  const text = line.replaceAll(/^\uFEFF|\r$/g, '');
  if (text.trim() === '' || /^(?:total |TOTAL:|d[rwx-]{9})/.test(text) || /^ +PRE /.test(text))
    return undefined;
  const inLong = LONG.map((form) => form.exec(text)?.groups?.['path']).find((found) => found !== undefined);
  const path = text.startsWith('{') ? pathInJson(text) : (inLong ?? text);
  const bare =
    path &&
    samePath(path)
      .replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*\//i, '')
      .replace(/^(?:\.?\/)+/, '');
  return !bare || bare.endsWith('/') ? undefined : bare;
}

/** One way to write a path: with slashes, and with the accents that a keyboard writes. */
export const samePath = (path: string): string => path.normalize().replaceAll('\\', '/');

function pathInJson(text: string): string | undefined {
  const value = plainJson(text);
  const named = isJsonObject(value) ? KEYS.map((name) => value[name]) : [];
  return named.find((path) => typeof path === 'string');
}
