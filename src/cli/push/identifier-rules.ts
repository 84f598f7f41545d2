import { failure, type Path, type Problem } from '../../core/problem.ts';

/** Everything that the rules below object to, as one expression: nearly no identifier needs a second look. */
const SUSPECT =
  /^ | $|[^\S ]|[\p{Cc}\p{Cf}]|^[#(<\\?.-]|^(?:n[au/.i]|none|undefined)|^[+-]?\d[\d.,]*e[+-]\d/iu;

const SHORTENED = /^[+-]?\d(?:[.,]\d+)?e[+-]\d{1,3}$/i;

/** Words for "no value", and what spreadsheets show in place of one: `#N/A`, `#BEZUG!`, `########`. */
const NO_VALUE =
  /^(?:null|\(null\)|<null>|\\n|n\/a|n\.a\.?|#n\/a|#nv|nan|none|nil|undefined|-{1,3}|\?+|\.+|#+|#[\p{Lu}\d/]+[!?])$/iu;

const INVISIBLE = /[^\S ]|[\p{Cc}\p{Cf}]|^ | $/u;

/**
 * Damage of an identifier that the contract lets pass: the platform would keep it, and nothing would ever match it again.
 * What looks like a formula is no damage and is sent as it is.
 */
export function identifierProblem(identifier: string, path: Path): Problem | undefined {
  if (!SUSPECT.test(identifier)) return undefined;
  const invisible = INVISIBLE.exec(identifier);
  if (invisible) {
    const [character, where] = [nameOf(invisible[0]), spotOf(invisible, identifier)];
    return failure('identifier_has_spaces', path, { character, where });
  }
  if (SHORTENED.test(identifier)) return failure('spreadsheet_damage', path);
  return NO_VALUE.test(identifier) ? failure('identifier_is_no_value', path) : undefined;
}

function spotOf({ index, 0: found }: RegExpExecArray, identifier: string): string {
  if (index === 0) return 'at its beginning';
  return index + found.length === identifier.length ? 'at its end' : 'inside';
}

/** By its number, because the character itself would not be seen. */
function nameOf(character: string): string {
  const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
  return `${NAMES[code] ?? 'the invisible character'} U+${code}`;
}

const NAMES: Readonly<Record<string, string>> = {
  '0009': 'the tab',
  '000A': 'the line break',
  '000D': 'the line break',
  '0020': 'the space',
  '00A0': 'the no-break space',
  '00AD': 'the soft hyphen',
  '200B': 'the zero-width space',
  FEFF: 'the byte order mark',
};
