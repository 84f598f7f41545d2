import { compareDecimals, Decimal, distance, withoutLastZeros } from '../../core/values/decimal.ts';
import { counted } from '../output/text/text.ts';

/**
 * How a platform may have made a value of the one that was sent, the likeliest first. A disguise keeps the form of a value alone: its
 * length, its case, its zeros and its whole words.
 */
export function changesOf(value: string, sent: string, isDisguised: boolean): readonly string[] {
  const [ours, theirs] = [Decimal.parse(value), Decimal.parse(sent)];
  if (ours && theirs) return roundings(ours, theirs, isDisguised);
  const folded = (text: string): string =>
    isDisguised ? text.replaceAll(/\p{L}/gu, 'a').replaceAll(/\d/g, '0') : text.toLowerCase();
  if (folded(value) === folded(sent)) return caseOf(value, sent);
  const start = isDisguised ? value.replace(/[\p{L}\p{N}]+$/u, '') : value;
  const isCut = start !== '' && value.length < sent.length && sent.startsWith(start);
  return isCut ? [`cut at ${counted(value.length, 'character')}`] : [];
}

function caseOf(value: string, sent: string): readonly string[] {
  const [upper, lower] = [sent.toUpperCase(), sent.toLowerCase()];
  if (value === value.toUpperCase() && sent !== upper) return ['in upper case'];
  return value === value.toLowerCase() && sent !== lower ? ['in lower case'] : [];
}

function roundings(value: Decimal, sent: Decimal, isDisguised: boolean): readonly string[] {
  const [least, most] = [value, sent].map(({ text }) => withoutLastZeros(text).split('.')[1]?.length ?? 0);
  const places = Array.from({ length: Math.max(0, most! - least!) }, (_, index) => most! - 1 - index);
  const cut = (to: number): Decimal =>
    Decimal.of(sent.text.replace(RegExp(`(\\.\\d{${to}})\\d*$`), '$1').replace(/\.$/, ''));
  const isRounded = (to: number): boolean =>
    compareDecimals(distance(value, sent), Decimal.of(`0.${'0'.repeat(to)}5`)) <= 0;
  const said = (word: string, isSo: (to: number) => boolean): readonly string[] =>
    places.filter(isSo).map((to) => `${word} ${counted(to, 'decimal')}`);
  if (isDisguised) return said('zeros after', () => true);
  return [...said('rounded to', isRounded), ...said('cut to', (to) => compareDecimals(value, cut(to)) === 0)];
}
