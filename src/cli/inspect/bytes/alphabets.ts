/** A language, by the small letters that it writes beyond ASCII. */
export type Alphabet = { readonly language: string; readonly letters: ReadonlySet<string> };

/** Letters in names of people and places, which occur in the texts of all neighbours. */
const NAMES = 'äöüßé';

const WESTERN: Readonly<Record<string, string>> = {
  German: '',
  French: 'àâæçèêëîïôœùûÿ',
  Spanish: 'áíñóúçªº',
  Portuguese: 'ãáàâçêíóôõúªº',
  Italian: 'àèéìíîòóùú',
  Dutch: 'ëïèáóí',
  Danish: 'æøå',
  Swedish: 'å',
  Icelandic: 'áðíóúýþæ',
  Catalan: 'àçèíïòóú',
  Irish: 'áíóú',
};
const CENTRAL: Readonly<Record<string, string>> = {
  Polish: 'ąćęłńóśźż',
  Czech: 'áčďěíňóřšťúůýž',
  Slovak: 'áčďíĺľňóôŕšťúýž',
  Hungarian: 'áíóőúű',
  Romanian: 'ăâîşţ',
  Croatian: 'čćđšž',
};
const BALTIC: Readonly<Record<string, string>> = {
  Lithuanian: 'ąčęėįšųūž',
  Latvian: 'āčēģīķļņšūž',
  Estonian: 'õšž',
};

const CYRILLIC = [
  { language: 'Cyrillic', letters: new Set('абвгдеёжзийклмнопрстуфхцчшщъыьэюяіїєґўђѓѕјљњћќџ№') },
];
const GREEK = [{ language: 'Greek', letters: new Set('αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ') }];

/** The languages that an encoding of one byte a character is used for. */
export const ALPHABETS = {
  'windows-1252': alphabets(WESTERN),
  'iso-8859-15': alphabets(WESTERN),
  'iso-8859-1': alphabets(WESTERN),
  'windows-1250': alphabets(CENTRAL),
  'iso-8859-2': alphabets(CENTRAL),
  'windows-1257': alphabets(BALTIC),
  'windows-1254': alphabets({ Turkish: 'çğışâîû' }),
  'windows-1251': CYRILLIC,
  'windows-1253': GREEK,
  macintosh: alphabets(WESTERN),
} as const satisfies Readonly<Record<string, readonly Alphabet[]>>;
export type OneByteEncoding = keyof typeof ALPHABETS;

/** When all read a file alike, the first is believed. */
export const ONE_BYTE_ENCODINGS = Object.keys(ALPHABETS) as readonly OneByteEncoding[];

function alphabets(letters: Readonly<Record<string, string>>): readonly Alphabet[] {
  return Object.entries(letters).map(([language, own]) => ({ language, letters: new Set(own + NAMES) }));
}
