import { describe, expect, test } from 'vitest';
import { misreadAs, textDamage } from '../../../../src/cli/push/odd-values/plausible-text.ts';

/** Words as they are in notes of customers, by language. */
const WORDS: Readonly<Record<string, string>> = {
  French: `déjà reçu l'été naïf Noël où forêt hôtel maïs façade œuvre cœur Île Été À Ça Être août crème brûlée café élève`,
  German: `Müller Straße größer Ärger Öl Übertrag für möglich Zähler später Gebühr Rückläufer heißt Ämter`,
  Polish: `Opłata żółć młody ąę świetny źle śnieg Łódź Żaba Ćma ósmy Ósemka więc być koń złoty Święta może zażółć gęślą jaźń`,
  Czech: `Časť dům město žena říjen únor běžný účet Řehoř Žižka světlo příjem náměstí Ústí Šárka Ďáblice`,
  Slovak: `dĺžka stĺp vŕba kľúč ťažký mäso Ľubica dňa účet vĺča Žilina štvrť päť hĺbka`,
  Hungarian: `számla őszi hűvös Ügyfél Öt Árvíz tükörfúrógép űr Győr fizetés`,
  Romanian: `Îşi face plăţi ştiinţă răşină Ăştia mâine România Înapoi sâmbătă`,
  Turkish: `ödeme müşteri şubat İstanbul ağır çek ıslak Çeşme Ünal Şükrü Öğrenci fatura geçmiş`,
  Swedish: `Årsta återbetalning på Ängelholm ö får Östersund Å väg små`,
  Finnish: `Äänekoski määrä päivä yö Härmä sähkö lämpö työ hyvää`,
  Spanish: `año señor Ñandú pagó cigüeña ¿qué? ¡sí! Álvaro niño 3ª 1º España`,
  Portuguese: `amanhã irmã São não ações Ângela João câmara manhã avó coração n.º`,
  Greek: `Λογαριασμός πληρωμή Αθήνα έτος ώρα νερό`,
  Russian: `оплата счёт Москва квартира ещё год`,
};

/** The words in sentences, with the signs that come after words, as written and in capitals. */
function sentences(words: string): readonly string[] {
  const marks = ['', ' »', '\u00A0»', ' – ', '\u00A0', ', 10 €', ...'. … ” “ — ° ² ™ ’s'.split(' ')];
  const texts = words.split(' ').flatMap((word) => marks.map((mark) => `x ${word}${mark} y`));
  return [...texts, ...texts.map((text) => text.toUpperCase()), words, words.toUpperCase()];
}

describe('a text of UTF-8 that was read in an encoding of one byte', () => {
  test.each(Object.entries(WORDS))('is not found in ordinary words: %s', (_, words) => {
    expect(sentences(words).filter((text) => misreadAs(text) !== undefined)).toEqual([]);
  });

  const decoders = {
    'windows-1252': (bytes: Buffer) => new TextDecoder('windows-1252').decode(bytes),
    'windows-1250': (bytes: Buffer) => new TextDecoder('windows-1250').decode(bytes),
    'iso-8859-1': (bytes: Buffer) => bytes.toString('latin1'),
    'iso-8859-2': (bytes: Buffer) => new TextDecoder('iso-8859-2').decode(bytes),
  };
  const each = Object.entries(WORDS).flatMap(([language, words]) =>
    Object.keys(decoders).map((encoding) => [language, encoding, words] as const),
  );

  test.each(each)('is found in sentences: %s, %s', (_, encoding, words) => {
    const decoded = decoders[encoding as keyof typeof decoders];
    expect(misreadAs(decoded(Buffer.from(words)))).toBeDefined();
    // A record may have one word alone.
    const alone = words.split(' ').map((word) => decoded(Buffer.from(word)));
    const missed = alone.filter((body) => misreadAs(body) !== undefined && textDamage({ body }).length === 0);
    expect(missed).toEqual([]);
  });

  test.each([
    ['OpĹ‚ata abonamentowa', 'Windows-1250'],
    ['OpÅ‚ata', 'Windows-1252'],
    ['rappelÃ©', 'Windows-1252'],
    ['Ãœbertrag', 'Windows-1252'],
    ['Â£10', 'Windows-1252'],
    ['don’t'.replace('’', 'â€™'), 'Windows-1252'],
    ['ConstanÈ›a', 'Windows-1252'],
    ['zapÅ\u0082aciÄ\u0087', 'ISO-8859-1'],
  ])('is named with its encoding: %s', (text, encoding) => {
    expect(misreadAs(text)).toBe(encoding);
  });

  /** A text of UTF-8 read as Windows-1252. */
  const misread = (text: string): string => new TextDecoder('windows-1252').decode(Buffer.from(text));

  test.each([
    ['two letters of Greek', 'ΑΒ'],
    ['two letters of Cyrillic', 'яя'],
    ['two letters of Hebrew', 'אא'],
    ['two letters of Arabic', 'ۀۀ'],
    ['two letters of Japanese', 'ああ'],
    ['two letters of Chinese', '鿿鿿'],
    ['the byte order mark', '\ufeff'],
    ['the mark of a lost character', '\ufffd'],
    ['a quotation mark', '’'],
    ['the euro', '€'],
    ['the trade mark', '™'],
    ['the first letter with a comma below', 'xȘy'],
    ['the last letter with a comma below', 'xțy'],
    ['a degree behind a capital letter', 'M°'],
    ['a capital letter alone', 'Å'],
    ['a capital letter in a word', 'FÊTE'],
    ['a letter before a small one', 'PŔa'],
    ['a small letter between capitals', 'PšA'],
  ])('is found as %s', (_, text) => {
    expect(misreadAs(misread(text))).toBe('Windows-1252');
  });
});
