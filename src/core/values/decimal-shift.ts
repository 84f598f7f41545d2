import { Decimal } from './decimal.ts';

/** The decimal with the opposite sign; zero stays zero. */
export function negated(decimal: Decimal): Decimal {
  const units = decimal.unitsAt(decimal.places);
  if (units !== undefined) return Decimal.ofUnits(-units, decimal.places);
  return Decimal.of(decimal.isNegative ? decimal.text.slice(1) : `-${decimal.text}`);
}

/** Major units from minor units, `1234` with two digits → `12.34`. Only the point moves, every digit stays. */
export function majorFromMinor(decimal: Decimal, digits: number): Decimal {
  const { sign, whole, fraction } = partsOf(decimal);
  const padded = whole.padStart(digits + 1, '0');
  const point = padded.length - digits;
  return assembled(sign, padded.slice(0, point), padded.slice(point) + fraction);
}

/** Minor units from major units, `12.34` with two digits → `1234`; undefined when digits would be lost. */
export function minorFromMajor(decimal: Decimal, digits: number): Decimal | undefined {
  const { sign, whole, fraction } = partsOf(decimal);
  const rest = fraction.slice(digits);
  if (/[1-9]/.test(rest)) return undefined;
  return assembled(sign, whole + fraction.slice(0, digits).padEnd(digits, '0'), '');
}

/** The decimal times a power of ten. */
export function shifted(decimal: Decimal, exponent: number): Decimal {
  if (exponent <= 0) return exponent === 0 ? decimal : majorFromMinor(decimal, -exponent);
  const { sign, whole, fraction } = partsOf(decimal);
  const digits = whole + fraction.slice(0, exponent).padEnd(exponent, '0');
  return assembled(sign, digits.replace(/^0+(?=\d)/, ''), fraction.slice(exponent));
}

type Parts = { readonly sign: string; readonly whole: string; readonly fraction: string };

function partsOf(decimal: Decimal): Parts {
  const sign = decimal.isNegative ? '-' : '';
  const [whole = '', fraction = ''] = decimal.text.slice(sign.length).split('.');
  return { sign, whole, fraction };
}

function assembled(sign: string, whole: string, fraction: string): Decimal {
  return Decimal.of(`${sign}${whole}${fraction === '' ? '' : `.${fraction}`}`);
}
