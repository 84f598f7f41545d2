import { warning, type Path, type Problem } from '../../core/problem.ts';
import { Decimal } from '../../core/values/decimal.ts';

/** The later bytes of a character in UTF-8, each taken for a character of Windows-1252. */
const LATER = '[\\u0080-\\u00BF€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]';

/**
 * What no word of any language has, and Central European text read as Windows-1252 does: a superscript digit or a turned
 * question mark between letters (ł, ą and ż), and letters beside each other that share no language (ś, ć, ę and ń). Two
 * letters on one side, so that a unit such as m³ is none.
 */
const CENTRAL_EUROPEAN = /\p{L}{2}[³¹]\p{Ll}|\p{L}[³¹]\p{Ll}{2}|\p{Ll}¿\p{Ll}|œ[æêñ]|æ[œêñ]|ê[œæñ]/u;

/** Latin letters and signs of two bytes, punctuation of three, and the replacement character. */
const DECODED_WRONGLY = new RegExp(`[ÂÃ]${LATER}|â${LATER}{2}|ï¿½`, 'u');

const SUSPECT = /[\uFEFF\uFFFDÂÃâ³¹¿œæê]|ï¿½/u;

/** Marks of damage in the texts of a record, which are sent all the same: nobody but the supplier can repair them. */
export function textDamage(value: unknown): readonly Problem[] {
  const found: Problem[] = [];
  look(value, [], found);
  return found;
}

/** Paths are made for what is found only: most records have nothing, and this runs for every one. */
function look(value: unknown, outer: Path, found: Problem[]): void {
  if (typeof value !== 'object' || value === null || value instanceof Decimal) return;
  for (const [part, inner] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
    if (typeof inner !== 'string') look(inner, [...outer, part], found);
    else if (SUSPECT.test(inner)) found.push(...damageOf(inner, [...outer, part]));
  }
}

function damageOf(text: string, path: Path): readonly Problem[] {
  const found: Problem[] = [];
  if (text.includes('\uFEFF')) found.push(warning('text_has_byte_order_mark', path));
  if (text.includes('\uFFFD')) found.push(warning('text_damaged', path));
  if (DECODED_WRONGLY.test(text))
    found.push(warning('text_decoded_wrongly', path, { was: 'UTF-8', encoding: 'utf-8' }));
  else if (CENTRAL_EUROPEAN.test(text))
    found.push(warning('text_decoded_wrongly', path, { was: 'Windows-1250', encoding: 'windows-1250' }));
  return found;
}
