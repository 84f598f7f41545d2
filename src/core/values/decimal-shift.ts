import { Decimal, textOfUnits } from './decimal.ts';

/** The decimal with the opposite sign; zero stays zero. */
export function negated(decimal: Decimal): Decimal {
  const units = decimal.unitsAt(decimal.places);
  if (units !== undefined) return Decimal.ofUnits(-units, decimal.places);
  return Decimal.of(decimal.isNegative ? decimal.text.slice(1) : `-${decimal.text}`);
}

/** Major units from minor units, `1234` with two digits → `12.34`. Only the point moves, every digit stays. */
export const majorFromMinor = (decimal: Decimal, digits: number): Decimal => shifted(decimal, -digits);

/** Minor units from major units, `12.34` with two digits → `1234`; undefined when digits would be lost. */
export function minorFromMajor(decimal: Decimal, digits: number): Decimal | undefined {
  const [whole = '', rest = ''] = shifted(decimal, digits).text.split('.');
  return /[1-9]/.test(rest) ? undefined : Decimal.of(whole);
}

/** The decimal times a power of ten. */
export function shifted(decimal: Decimal, exponent: number): Decimal {
  const places = decimal.places - exponent;
  const units = decimal.unitsAt(decimal.places);
  if (units !== undefined && places >= 0) return Decimal.ofUnits(units, places);
  const digits = BigInt(decimal.text.replace('.', ''));
  return Decimal.of(textOfUnits(digits * 10n ** BigInt(Math.max(0, -places)), Math.max(0, places)));
}
