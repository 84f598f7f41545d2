/** A JSON value in which every number has its written digits. */
export type Exact = string | boolean | null | Digits | readonly Exact[] | { readonly [name: string]: Exact };

/** A number as its digits. */
export interface Digits {
  readonly digits: string;
}

/** Strings come first, so that digits inside of them are unchanged. */
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Parses JSON without floats. */
export function exactJson(text: string): Exact {
  const marked = text.replaceAll(STRING_OR_NUMBER, (token) =>
    token.startsWith('"') ? token : `{"digits":"${token}"}`,
  );
  return JSON.parse(marked) as Exact;
}

/** JSON text of a value, with the digits of each number. */
export function exactText(value: Exact): string {
  if (isDigits(value)) return value.digits;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((part: Exact) => exactText(part)).join(',')}]`;
  const parts = Object.entries(value as Readonly<Record<string, Exact>>);
  return `{${parts.map(([name, part]) => `${JSON.stringify(name)}:${exactText(part)}`).join(',')}}`;
}

export function isDigits(value: Exact | undefined): value is Digits {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.keys(value).length === 1 &&
    typeof (value as { digits?: unknown }).digits === 'string'
  );
}
