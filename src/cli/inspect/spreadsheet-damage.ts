/** What spreadsheets leave in place of a value. */
export const DAMAGES = ['exponent', 'hashes', 'error_value', 'formula'] as const;
export type Damage = (typeof DAMAGES)[number];

const SIGNS_OF_DAMAGE: readonly (readonly [Damage, RegExp])[] = [
  // A long number that was shown as 1.23457E+12: its last digits are lost.
  ['exponent', /^-?\d(?:[.,]\d+)?E[+-]?\d+$/i],
  ['hashes', /^#{2,}$/],
  ['error_value', /^#(?:REF|VALUE|NAME|DIV\/0|NUM|NULL|SPILL|WERT|BEZUG|ZAHL)[!?]?$/i],
  // ="00123" keeps zeros in a spreadsheet and is no value outside of one.
  ['formula', /^=(?:"|[A-Z]+\()/],
];

/** What happened to the cell; undefined when nothing did. */
export function damageOf(text: string): Damage | undefined {
  return SIGNS_OF_DAMAGE.find(([, pattern]) => pattern.test(text))?.[0];
}
