/** The names of the months in many languages, in full and short, as files write them. */
const NAMES: readonly (readonly string[])[] = [
  'January February March April May June July August September October November December',
  'Januar Februar März April Mai Juni Juli August September Oktober November Dezember',
  'Jan. Feb. März Apr. Mai Juni Juli Aug. Sep. Okt. Nov. Dez.',
  'Jan. Feb. Mär. Apr. Mai Jun. Jul. Aug. Sept. Okt. Nov. Dez.',
  'Jän. Feb. März Apr. Mai Juni Juli Aug. Sep. Okt. Nov. Dez.',
  'janvier février mars avril mai juin juillet août septembre octobre novembre décembre',
  'janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc.',
  'jan. fév. mars avr. mai juin juil. août sep. oct. nov. déc.',
  'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre',
  'ene. feb. mar. abr. may. jun. jul. ago. sept. oct. nov. dic.',
  'ene. feb. mar. abr. may. jun. jul. ago. sep. oct. nov. dic.',
  'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre',
  'gen. feb. mar. apr. mag. giu. lug. ago. set. ott. nov. dic.',
  'janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro',
  'jan. fev. mar. abr. mai. jun. jul. ago. set. out. nov. dez.',
  'januari februari maart april mei juni juli augustus september oktober november december',
  'jan. feb. mrt. apr. mei jun. jul. aug. sep. okt. nov. dec.',
  'januari februari mars april maj juni juli augusti september oktober november december',
  'jan. feb. mars apr. maj juni juli aug. sep. okt. nov. dec.',
  'januar februar marts april maj juni juli august september oktober november december',
  'stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia',
  'sty lut mar kwi maj cze lip sie wrz paź lis gru',
  'ledna února března dubna května června července srpna září října listopadu prosince',
  'január február március április május június július augusztus szeptember október november december',
  'jan. febr. márc. ápr. máj. jún. júl. aug. szept. okt. nov. dec.',
  'ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie',
  'Ocak Şubat Mart Nisan Mayıs Haziran Temmuz Ağustos Eylül Ekim Kasım Aralık',
  'Oca Şub Mar Nis May Haz Tem Ağu Eyl Eki Kas Ara',
  'января февраля марта апреля мая июня июля августа сентября октября ноября декабря',
]
  .map((line) => line.split(' '))
  .flatMap((names) => {
    const bare = names.map((name) => name.replace(/\.$/, ''));
    return bare.join() === names.join() ? [names] : [names, bare];
  });

const ENGLISH = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const NUMBER_OF_NAME = new Map(
  NAMES.flatMap((names) => names.map((name, at) => [name.toLowerCase(), at] as const)),
);

/** A name of a month in a text, and the text with the short English name in its place. */
export type MonthInText = { readonly name: string; readonly english: string };

/** The names of months in a text that are not the short English ones. A word with a full stop gives two of them. */
export function monthsIn(text: string): readonly MonthInText[] {
  return [...text.matchAll(/\p{L}{3,}\.?/gu)].flatMap(({ 0: word, index }) =>
    [...new Set([word, word.replace(/\.$/, '')])].flatMap((name) => {
      const at = NUMBER_OF_NAME.get(name.toLowerCase());
      if (at === undefined || name.toLowerCase() === ENGLISH[at]!.toLowerCase()) return [];
      return [{ name, english: text.slice(0, index) + ENGLISH[at]! + text.slice(index + name.length) }];
    }),
  );
}

/** The twelve names of the language that has all of these; undefined when no language has them all. */
export function monthNamesWith(seen: Iterable<string>): readonly string[] | undefined {
  const wanted = [...seen].map((name) => name.toLowerCase());
  return NAMES.find((names) => {
    const known = new Set(names.map((name) => name.toLowerCase()));
    return wanted.every((name) => known.has(name));
  });
}
