import type { Damage } from './profiled-column.ts';

/** Longest cell whose pattern is shown. */
const MAX_LENGTH = 40;
const MANY = 4;

/**
 * The shape of a cell without its content: `12.03.2025` is `99.99.9999`, `AB-1234567` is `AA-9{7}`. Digits are 9, capitals
 * A, small letters a, other letters and marks of any script x. Everything else stays. Null for a long cell.
 */
export function cellPattern(cell: string): string | null {
  if (cell.length > MAX_LENGTH) return null;
  let pattern = '';
  let run = '';
  let length = 0;
  for (const character of cell) {
    const shape = shapeOf(character);
    if (shape === run) length++;
    else {
      pattern += written(run, length);
      [run, length] = [shape, 1];
    }
  }
  return pattern + written(run, length);
}

function written(shape: string, length: number): string {
  return length > MANY && /[9Aax]/.test(shape) ? `${shape}{${length}}` : shape.repeat(length);
}

function shapeOf(character: string): string {
  if (character <= '\u007F') {
    if (character >= '0' && character <= '9') return '9';
    if (character >= 'a' && character <= 'z') return 'a';
    return character >= 'A' && character <= 'Z' ? 'A' : character;
  }
  if (/\p{Lu}/u.test(character)) return 'A';
  if (/\p{Ll}/u.test(character)) return 'a';
  return /[\p{L}\p{M}\p{N}]/u.test(character) ? 'x' : character;
}

const SIGNS_OF_DAMAGE: readonly (readonly [Damage, RegExp])[] = [
  // A long number that was shown as 1.23457E+12. Its last digits are lost. Without mark and sign it may be hexadecimal: 3E107963.
  ['exponent', /^-?\d(?:(?:[.,]\d+)?E[+-]|[.,]\d+E)\d{1,3}$/i],
  ['hashes', /^#{2,}$/],
  ['error_value', /^#(?:REF|VALUE|NAME|DIV\/0|NUM|NULL|SPILL|WERT|BEZUG|ZAHL)[!?]?$/i],
  // ="00123" keeps zeros in a spreadsheet and is no value outside of it.
  ['formula', /^=(?:"|[A-Z]+\()/],
];

/** The damage that a spreadsheet has done to a cell; undefined for an undamaged cell. */
export function damageOf(text: string): Damage | undefined {
  return SIGNS_OF_DAMAGE.find(([, pattern]) => pattern.test(text))?.[0];
}
