import { Decimal, sum, textOfUnits, withPlaces } from './decimal.ts';

/** The decimal with exactly `places` digits after the point. A half is rounded away from zero, as on an invoice. */
export function rounded(decimal: Decimal, places: number): Decimal {
  const excess = decimal.places - places;
  if (excess <= 0) return Decimal.of(withPlaces(decimal, places));
  const kept = Decimal.of(decimal.text.slice(0, -excess - (places === 0 ? 1 : 0)));
  if (decimal.text.at(-excess)! < '5') return kept;
  return sum([kept, Decimal.of(`${decimal.isNegative ? '-' : ''}${textOfUnits(1, places)}`)]);
}
