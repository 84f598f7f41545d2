import { Decimal, textOfUnits, sum, withPlaces } from './decimal.ts';

/** The decimal with exactly `places` digits after the point. A half is rounded away from zero, as on an invoice. */
export function rounded(decimal: Decimal, places: number): Decimal {
  const excess = decimal.places - places;
  if (excess <= 0) return Decimal.of(withPlaces(decimal, places));
  const kept = Decimal.of(decimal.text.slice(0, -excess - (places === 0 ? 1 : 0)));
  if (decimal.text.at(-excess)! < '5') return kept;
  return sum([kept, Decimal.of(`${decimal.isNegative ? '-' : ''}${textOfUnits(1, places)}`)]);
}

/** The decimal with the opposite sign; zero stays zero. */
export function negated(decimal: Decimal): Decimal {
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
