/** Languages whose names of months are known, beside English. */
const LANGUAGES = 'de fr es it pt nl sv da nb pl cs hu ro tr ru'.split(' ');
/** Short names that programs write in another way than `Intl`. */
const OTHERS = [
  'Jan. Feb. Mär. Apr. Mai Jun. Jul. Aug. Sep. Okt. Nov. Dez.',
  'jan. fév. mars avr. mai juin juil. août sep. oct. nov. déc.',
].map((line) => line.split(' '));
const ENGLISH = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** The names of the months in many languages, in full and short, as they are beside a day; short ones also without a full stop. */
const NAMES: readonly (readonly string[])[] = [
  namesOf('en', 'long'),
  ...LANGUAGES.flatMap((language) => [namesOf(language, 'long'), namesOf(language, 'short')]),
  ...OTHERS,
].flatMap((names) => {
  const bare = names.map((name) => name.replace(/\.$/, ''));
  return [names, bare, bare.map((name) => (name.length < 5 ? `${name}.` : name))];
});

function namesOf(language: string, month: 'long' | 'short'): readonly string[] {
  const format = new Intl.DateTimeFormat(language, { day: 'numeric', month, timeZone: 'UTC' });
  return ENGLISH.map((_, at) => {
    const parts = format.formatToParts(Date.UTC(2024, at, 15));
    return parts.find(({ type }) => type === 'month')!.value;
  });
}

const NUMBER_OF_NAME = new Map(
  NAMES.flatMap((names) => names.map((name, at) => [name.toLowerCase(), at] as const)),
);

/** A text with the short English name in place of another name of a month; undefined when it has none. */
export function withEnglishMonth(
  text: string,
): { readonly text: string; readonly month: string } | undefined {
  for (const { 0: word, index } of text.matchAll(/\p{L}{3,}\.?/gu)) {
    // A full stop belongs to the name in `3 janv. 2025`, and not in `03.Okt.2025`.
    const name = text[index + word.length] === ' ' ? word : word.replace(/\.$/, '');
    const at = NUMBER_OF_NAME.get(name.toLowerCase());
    if (at === undefined || name.toLowerCase() === ENGLISH[at]!.toLowerCase()) continue;
    const english = text.slice(0, index) + ENGLISH[at]! + text.slice(index + name.length);
    return { text: english, month: name.toLowerCase() };
  }
  return undefined;
}

/** The twelve names of the language that has all of these; undefined when no language has them all. */
export function monthNamesWith(seen: ReadonlySet<string>): readonly string[] | undefined {
  return NAMES.find((names) => {
    const known = new Set(names.map((name) => name.toLowerCase()));
    return [...seen].every((name) => known.has(name));
  });
}
