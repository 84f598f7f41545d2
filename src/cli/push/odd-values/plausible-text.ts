import { failure, warning, type Path, type Problem } from '../../../core/problem.ts';
import { codePointOf } from '../../../core/values/hidden-characters.ts';
import { Decimal } from '../../../core/values/decimal.ts';
import { ENCODINGS, type SourceEncoding } from '../../csv/encodings.ts';

/** Texts that spreadsheets show in place of a value that they have lost, anywhere: `#N/A`, `#BEZUG!`, `########`. */
const LOST_VALUE = /^#+$|#{4,}|#n\/a|#nv(?!\p{L})|#[\p{L}\d/]+[!?]/iu;

/** Words for "no value" that are no sign of an accountant for zero, as a dash is. */
const NO_VALUE_WORD = /^(?:null|\(null\)|<null>|\\n|n\/a|n\.a\.?|nan|none|nil|undefined)$/i;
const NO_VALUE_SIGN = /^(?:-{1,3}|\?+|\.+)$/;

/** Matches whatever one of the rules below rejects. Nearly no identifier matches it, so most need only this one test. */
const SUSPECT_IDENTIFIER =
  /^ | $|[^\S ]|[\p{Cc}\p{Cf}\p{DI}\u2800]|#|^[(<\\?.-]|^="|^'\d|^(?:n[au/.i]|none|undefined)|^[+-]?\d[\d.,]*e[+-]?\d|\d[.,]\d+e\+\d/iu;

/** A number that a spreadsheet or a program has shortened: the whole text, or a part such as that of `SAP-3.10E+11-001`. */
const SHORTENED =
  /^[+-]?\d(?:[.,]\d+)?e[+-]\d{1,3}$|^[+-]?\d[.,]\d+e(?:[7-9]|\d\d)$|(?<![\p{L}\d])\d[.,]\d+e\+\d{2,3}(?!\d)/iu;

/** The marks that make a spreadsheet show a number as a text, each with a regular expression of YAML that removes it. */
const TEXT_MARKS = [
  { pattern: /^="[^"]*"$/, form: '="…", as a formula', remove: `'^="|"$'` },
  { pattern: /^'\d+$/, form: 'an apostrophe before the digits', remove: `"^'"` },
] as const;

const INVISIBLE = /[^\S ]|[\p{Cc}\p{Cf}\p{DI}\u2800]|^ | $/u;

/**
 * Damage of an identifier that the contract accepts. The platform would keep the damaged identifier, and nothing would ever
 * match it. Another text that looks like a formula is no damage and is sent unchanged.
 */
export function identifierDamage(identifier: string, path: Path): Problem | undefined {
  if (!SUSPECT_IDENTIFIER.test(identifier)) return undefined;
  const invisible = INVISIBLE.exec(identifier);
  if (invisible) {
    const [character, where] = [nameOf(invisible[0]), spotOf(invisible, identifier)];
    return failure('identifier_has_spaces', path, { character, where });
  }
  if (SHORTENED.test(identifier)) return failure('spreadsheet_damage', path);
  const mark = TEXT_MARKS.find(({ pattern }) => pattern.test(identifier));
  if (mark)
    return failure('identifier_has_text_mark', path, {
      what: `has ${mark.form}, with which a spreadsheet keeps a number as a text`,
      remove: mark.remove,
    });
  return [NO_VALUE_WORD, NO_VALUE_SIGN, LOST_VALUE].some((lost) => lost.test(identifier))
    ? failure('identifier_is_no_value', path)
    : undefined;
}

/**
 * Damage of a cell that a number, a date or a key of rows is made of, while the cell is as it is in the file. A step such as
 * `replace` could turn it into a value that looks right.
 */
export function cellDamage(text: string, path: Path): Problem | undefined {
  if (SHORTENED.test(text)) return failure('spreadsheet_damage', path);
  return LOST_VALUE.test(text) || NO_VALUE_WORD.test(text.trim())
    ? failure('cell_is_no_value', path)
    : undefined;
}

/** A shortened number in a name or a path. The text is sent unchanged, because a supplier may write such names. */
export function shortenedName(text: string, path: Path): Problem | undefined {
  return isNameOrPath(path.at(-1)) && SHORTENED.test(text) ? warning('spreadsheet_damage', path) : undefined;
}

/** A cell of a spreadsheet that shows no value: `#N/A`, `#REF!`, `########`. */
const LOST_CELL = /^(?:#{2,}|#n\/a|#nv|#[\p{L}\d/]+[!?])$/iu;

/** Fields whose text names something on the platform or in the file store, as an identifier does. */
const NAMES_SOMETHING: ReadonlySet<unknown> = new Set(['reference', 'number']);
const IS_PATH: ReadonlySet<unknown> = new Set(['document_path', 'statement_path']);

/** Whether a field has a name of something, such as a number or a reference. */
export const namesSomething = (field: Path[number]): boolean => NAMES_SOMETHING.has(field);

/** Whether a field has a name or a path, so that a text without a meaning is an error there. */
export function isNameOrPath(field: Path[number] | undefined): boolean {
  return NAMES_SOMETHING.has(field) || IS_PATH.has(field);
}

/** A text that means "no value", and nothing else: an error in a name or a path, and a warning in other texts. */
export function emptyMeaning(text: string, path: Path): Problem | undefined {
  const field = path.at(-1);
  if (IS_PATH.has(field)) return isLostPath(text) ? failure('cell_is_no_value', path) : undefined;
  if (!isNoValue(text)) return undefined;
  return NAMES_SOMETHING.has(field) ? failure('cell_is_no_value', path) : warning('cell_is_no_value', path);
}

const isNoValue = (text: string): boolean => LOST_CELL.test(text) || NO_VALUE_WORD.test(text);

/** A folder may have any name, but none is shown in place of a value. Only the name of the file loses its ending. */
function isLostPath(path: string): boolean {
  if (isNoValue(path)) return true;
  const folders = path.split(/(?<!#n)[\\/]/i);
  const file = folders.pop()!.replace(/\.\w{1,5}$/u, '');
  return isNoValue(file) || folders.some((folder) => LOST_CELL.test(folder));
}

function spotOf({ index, 0: found }: RegExpExecArray, identifier: string): string {
  if (index === 0) return 'at its beginning';
  return index + found.length === identifier.length ? 'at its end' : 'inside';
}

/** With its code point, because the character itself is invisible. */
function nameOf(character: string): string {
  const code = codePointOf(character);
  return `${NAMES[code] ?? 'the invisible character'} ${code}`;
}

const NAMES: Readonly<Record<string, string>> = {
  'U+0009': 'the tab',
  'U+000A': 'the line break',
  'U+000D': 'the line break',
  'U+0020': 'the space',
  'U+00A0': 'the no-break space',
  'U+00AD': 'the soft hyphen',
  'U+200B': 'the zero-width space',
  'U+FEFF': 'the byte order mark',
};

/**
 * Central European text decoded as Windows-1252, in combinations that no language has: a superscript digit or a turned
 * question mark between letters (ł, ą and ż), and adjacent letters that share no language (ś, ć, ę and ń). One side has two
 * letters, so that a unit such as m³ does not match.
 */
const CP1250_AS_1252 = /\p{L}{2}[³¹]\p{Ll}|\p{L}[³¹]\p{Ll}{2}|\p{Ll}¿\p{Ll}|œ[æêñ]|æ[œêñ]|ê[œæñ]/u;

/** The first byte of UTF-8 in each of the encodings, before another one. A text without these was not misread. */
const FIRST = /[ÂÃÄÅÈÎÏÐÑ×ØÙÚÛâãäåæçèéïĂĹČĎĐŃŘŮŰăĺćčď]\P{ASCII}/u;

/** Matches every text that has a mark of damage, so that most texts need only this one test. */
const ODD_TEXT = new RegExp(
  String.raw`${FIRST.source}|[\uFEFF\uFFFD³¹¿œæê#]|^[(<\\nuNU]|[\\/][(<nuNU]|[eE][+\-]\d`,
  'u',
);

/** Marks of damage in the texts of a record. The texts are sent unchanged, because only the supplier can repair them. */
export function textDamage(record: unknown): readonly Problem[] {
  const found: Problem[] = [];
  // Paths are made only for damage and for values inside of others: this runs for every record, and most have no damage.
  const collect = (holder: Readonly<Record<string, unknown>>, path: Path): void => {
    for (const name of Object.keys(holder)) {
      const value = holder[name];
      const isInner = typeof value === 'object' && value !== null && !(value instanceof Decimal);
      if (!isInner && !(typeof value === 'string' && ODD_TEXT.test(value))) continue;
      const at = [...path, Array.isArray(holder) ? Number.parseInt(name, 10) : name];
      if (typeof value === 'string') found.push(...damageOf(value, at));
      else collect(value as typeof holder, at);
    }
  };
  if (typeof record === 'object' && record !== null) collect(record as Readonly<Record<string, unknown>>, []);
  return found;
}

function damageOf(text: string, path: Path): readonly Problem[] {
  const as = misreadAs(text);
  const isCentral = as === undefined && CP1250_AS_1252.test(text);
  return [
    text.includes('\uFEFF') && warning('text_has_byte_order_mark', path),
    text.includes('\uFFFD') && warning('text_damaged', path),
    as !== undefined && warning('text_decoded_wrongly', path, { was: 'UTF-8', as, encoding: 'utf-8' }),
    isCentral &&
      warning('text_decoded_wrongly', path, {
        was: 'Windows-1250',
        as: 'Windows-1252',
        encoding: 'windows-1250',
      }),
    emptyMeaning(text, path),
    shortenedName(text, path),
  ].filter((problem) => problem !== undefined && problem !== false);
}

/** Encodings of one byte a character that UTF-8 is read in by mistake, by the names that people know. */
const MISREAD_IN: readonly (readonly [name: string, bytes: ReadonlyMap<string, string>])[] = [
  ['Windows-1252', bytesOf('windows-1252')],
  ['Windows-1250', bytesOf('windows-1250')],
  ['ISO-8859-1', bytesOf('iso-8859-1')],
  ['ISO-8859-2', bytesOf('iso-8859-2')],
];

/** The bytes from 80 to FF, as characters with their numbers, by the characters of an encoding. Programs keep a byte that has none. */
function bytesOf(encoding: SourceEncoding): ReadonlyMap<string, string> {
  const { toUtf8 } = ENCODINGS[encoding];
  const bytes = Array.from({ length: 128 }, (_, at) => String.fromCharCode(at + 128));
  return new Map(bytes.map((byte) => [toUtf8(Buffer.from(byte, 'latin1'))?.toString() ?? byte, byte]));
}

/** The name of the encoding that a text of UTF-8 was read in, so that its letters became two characters each. */
export function misreadAs(text: string): string | undefined {
  if (!FIRST.test(text)) return undefined;
  return MISREAD_IN.find(([, bytes]) => isMisread(text, bytes))?.[0];
}

/** The bytes of a character in UTF-8, of the alphabets below. */
const SEQUENCE = /[\xC2-\xDF][\x80-\xBF]|[\xE2-\xE9\xEF][\x80-\xBF]{2}/g;

/** Latin letters and signs, and the letters of Romanian with a comma below. */
const LATIN = /[\u0080-\u017F\u0218-\u021B]/;

/** Dashes, quotation marks, `€`, `™`, the byte order mark and the mark of a lost character. */
const PUNCTUATION = /[\u2000-\u203F\u2080-\u20BF\u2100-\u213F\uFEFF\uFFFD]/;

/** Letters of Greek, Cyrillic, Hebrew, Arabic, Japanese and Chinese. */
const OTHER_ALPHABET = /[\u0380-\u047F\u05C0-\u06FF\u3000-\u9FFF]/;

function isMisread(text: string, bytes: ReadonlyMap<string, string>): boolean {
  const asBytes = text.replaceAll(/[^\0-\x7F]/g, (each) => bytes.get(each) ?? '\0');
  /** Where the letter before ends, if it is of another alphabet. Two of them in a row are no chance. */
  let otherEnd = -1;
  for (const { 0: sequence, index } of asBytes.matchAll(SEQUENCE)) {
    const meant = Buffer.from(sequence, 'latin1').toString();
    if (PUNCTUATION.test(meant) || (LATIN.test(meant) && isNoWord(text, index))) return true;
    if (!OTHER_ALPHABET.test(meant)) continue;
    const end = index + sequence.length;
    if (otherEnd === index && /[^\p{L}\s»”“’…–—]/u.test(text.slice(index - 1, end))) return true;
    otherEnd = end;
  }
  return false;
}

/** Characters that come after a word that ends in a capital letter, as in `MANHÃ…` or `12 Å²`. */
const AFTER_WORD = /[\u00A0…–—’”“»›´°²³™©®]/u;

/**
 * Whether the two characters at a place are in no word. The first one is a capital letter, and capital words of Portuguese,
 * Romanian, Slovak, German and Nordic languages have some of such pairs: `DĹŽKA`, `RĂŞINĂ`, `PÅ”`.
 */
function isNoWord(text: string, at: number): boolean {
  const [before, first, second, after] = [text[at - 1] ?? '', text[at]!, text[at + 1]!, text[at + 2] ?? ''];
  if (/\p{Ll}/u.test(before)) return true;
  if (AFTER_WORD.test(second)) {
    if (first === 'Â' || (first === 'Ã' && !/\p{L}/u.test(before))) return true;
    return second !== '’' && second !== '´' && second !== '\u00A0' && /\p{Ll}/u.test(after);
  }
  if (/[ÂĂ]/u.test(first)) return !/[Şş]/u.test(second);
  if (/[ÈČ]/u.test(first)) return !/\p{L}/u.test(second);
  return first === 'Ã' || !/\p{Lu}/u.test(second);
}
