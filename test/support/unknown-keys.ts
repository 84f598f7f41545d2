import type { Finding } from '../../src/core/operator/finding.ts';

/** A key that no version of OpenAPI has. */
const UNKNOWN = 'unknownKey';

/** Members whose own members are names that the document chooses. */
const NAMED = new Set(
  (
    'paths properties patternProperties schemas parameters responses requestBodies headers examples securitySchemes links ' +
    'callbacks pathItems content mapping $defs definitions variables scopes x-validators security dependentRequired'
  ).split(' '),
);

/** Values of an operator's own, which are data and no description. */
const DATA = new Set(['example', 'examples', 'default', 'enum', 'const']);

/** A document with an unknown key in every object that describes something, and the JSON pointers of these keys. */
export function withUnknownKeys(document: unknown): {
  readonly document: unknown;
  readonly pointers: readonly string[];
} {
  const pointers: string[] = [];
  const visit = (value: unknown, path: readonly string[], areNames: boolean): unknown => {
    if (Array.isArray(value))
      return value.map((each, index) => visit(each, [...path, String(index)], path.at(-1) === 'security'));
    if (typeof value !== 'object' || value === null) return value;
    const members = Object.entries(value).map(([key, member]) => {
      const isData = !areNames && DATA.has(key);
      return [key, isData ? member : visit(member, [...path, key], !areNames && isMapOfNames(key, member))];
    });
    // Keys beside a reference have no effect, or are read like all others: one kind of object is enough.
    if (areNames || '$ref' in value) return Object.fromEntries(members);
    pointers.push(pointerOf([...path, UNKNOWN]));
    return Object.fromEntries([...members, [UNKNOWN, 'x']]);
  };
  const changed = visit(document, [], false);
  return { document: changed, pointers };
}

function isMapOfNames(key: string, value: unknown): boolean {
  return NAMED.has(key) && !Array.isArray(value);
}

function pointerOf(path: readonly string[]): string {
  return path.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Whether a finding is about a place, or about a part of the document with the place in it. */
export function isExplained(pointer: string, findings: readonly Finding[]): boolean {
  return findings.some(({ kind, from, says }) => {
    if (from === pointer) return true;
    if (!(kind === 'ignored' || kind === 'not_understood' || kind === 'contradicts')) return false;
    if (!pointer.startsWith(`${from}/`)) return false;
    // A list of members that are not used explains these members alone.
    const [, names] =
      /^(?:these .* are not read for any request|the interface has no such paths)[^:]*: (.*)$/.exec(says) ??
      [];
    const member = pointer
      .slice(from.length + 1)
      .split('/')[0]!
      .replaceAll('~1', '/')
      .replaceAll('~0', '~');
    return names === undefined ? isWhole(says) : names.split(', ').includes(member);
  });
}

/** Findings about a part of the document with everything in it. */
function isWhole(says: string): boolean {
  return /is not (?:read|checked)|are not read|is not used|answers to|is a setting|cannot be told apart|has no effect|contains itself|never sent|cannot be sent|no such request/.test(
    says,
  );
}
