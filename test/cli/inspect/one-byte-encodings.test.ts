import { describe, expect, test } from 'vitest';
import { drafted } from '../../support/drafted.ts';
import { inspected, inspectedText } from '../../support/inspected.ts';

/** Text in which every character up to U+00FF is one byte. */
function bytes(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}

/** Names of people in the bytes of their encoding, with their text in a comment. */
const FILES = [
  // Wójcik, Małgorzata, Kąkol, Święta, gęślą, Źródło
  [
    'windows-1250',
    'Polish',
    'W\xF3jcik,Ma\xB3gorzata\nK\xB9kol,\x8Cwi\xEAta\ng\xEA\x9Cl\xB9,\x8Fr\xF3d\xB3o\n',
  ],
  // Kąkol, gęślą in the ISO standard, where ą and ś are other bytes
  ['iso-8859-2', 'Polish', 'K\xB1kol,Ma\xB3gorzata\ng\xEA\xB6la,b\xB1k\n'],
  // Erdős, Szőke, Fűtő
  ['windows-1250', 'Hungarian', 'Erd\xF5s,Sz\xF5ke\nF\xFBt\xF5k,K\xFBri\n'],
  // Žukauskas, Kazlauskienė, Šimkūnas
  ['windows-1257', 'Lithuanian', 'Raud\xFEi\xF8nas,Kazlauskien\xEBs\n\xD0imk\xFBnas,P\xE0stas\n'],
  // Иванов, Петров
  ['windows-1251', 'Cyrillic', '\xC8\xE2\xE0\xED\xEE\xE2,\xCF\xE5\xF2\xF0\xEE\xE2\xE0\xFF\n'],
  // Hélène, Françoise, Noël
  ['macintosh', 'French', 'H\x8El\x8Fne,Fran\x8Doise\nNo\x91l,b\x9Ele\n'],
] as const;

describe('bytes inside words distinguish encodings of one byte', () => {
  test.each(FILES)('%s, %s', async (name, language, rows) => {
    const { encoding } = await inspectedText(bytes(`a,b\n${rows}`));
    expect(encoding).toMatchObject({ name, certainty: 'assumed' });
    expect(encoding.because).toContain(`characters inside words are ${language} in ${name}`);
    // No sign is inside a word, so this encoding is impossible.
    expect(encoding.candidates.find((each) => each.name === 'windows-1252')).toMatchObject({
      possible: false,
    });
  });

  test.each([
    ['German', 'M\xFCller,Stra\xDFe\nB\xE4r,K\xF6nig\n'],
    ['French', 'H\xE9l\xE8ne,Fran\xE7ois\nNo\xEBl,l\x92\xE9t\xE9\n'],
    ['Spanish', 'Mu\xF1oz,Garc\xEDa\nP\xE9rez,Pe\xF1a\n'],
    ['Danish', 'S\xF8ren,Kj\xE6r\nB\xE5d,H\xF8j\n'],
    ['English', 'it\x92s,\xA35.00\ndon\x92t,a\x96b\n'],
  ])('%s stays windows-1252 without a question', async (_, rows) => {
    const { encoding } = await inspectedText(bytes(`a,b\n${rows}`));
    expect(encoding).toMatchObject({ name: 'windows-1252', certainty: 'assumed' });
    expect(encoding.choices).toBeUndefined();
  });

  test('two plausible encodings are a question with the characters that distinguish them', async () => {
    const { text, questions } = await drafted(
      'notes',
      bytes('a,b\nDo\xF0an,I\xFE\xFDk\nDa\xF0,Ku\xFE\xFDn\n'),
    );
    expect(questions[0]).toContain('which encoding is the file in?');
    expect(text).toContain('# encoding: windows-1252 # inside words: ');
    expect(text).toMatch(/# encoding: windows-1254 # inside words: (?=.*ğ)(?=.*ş)(?=.*ı).* \(Turkish\)/);
    expect(text).not.toMatch(/^ *encoding:/m);
  });

  test('Greek is a choice beside Cyrillic', async () => {
    // Μαρία, Παπαδόπουλος, Γιάννης, Θεσσαλονίκη, Βασίλης, λογαριασμός
    const { encoding } = await inspectedText(
      bytes(
        'a,b\n\xCC\xE1\xF1\xDF\xE1,\xD0\xE1\xF0\xE1\xE4\xFC\xF0\xEF\xF5\xEB\xEF\xF2\n\xC3\xE9\xDC\xED\xED\xE7\xF2,\xC8\xE5\xF3\xF3\xE1\xEB\xEF\xED\xDF\xEA\xE7\n\xC2\xE1\xF3\xDF\xEB\xE7\xF2,\xEB\xEF\xE3\xE1\xF1\xE9\xE1\xF3\xEC\xFC\xF2\n',
      ),
    );
    expect(encoding.certainty).toBe('open');
    expect(encoding.choices?.map(({ name }) => name)).toEqual(['windows-1251', 'windows-1253']);
  });
});

test('a letter of another script beside a Latin letter is no evidence for that script', async () => {
  // Één-malig, vóór, café, geïnd
  const { encoding } = await inspectedText(
    bytes('a;b\n\xC9\xE9n-malig;v\xF3\xF3r\n\xC9\xE9n-malig;ge\xEFnd\n\xC9\xE9n-malig;caf\xE9\n'),
  );
  expect(encoding.name).toBe('windows-1252');
  const names = (encoding.choices ?? []).map(({ name }) => name);
  expect(names).not.toContain('windows-1251');
  expect(names).not.toContain('windows-1253');
});

describe('an encoding that a person names', () => {
  const POLISH = bytes('a,b\nMa\xB3gorzata,x\n');

  test('is used', async () => {
    const { content } = await inspected(POLISH, { encoding: 'iso-8859-2' });
    expect(content?.encoding).toMatchObject({ name: 'iso-8859-2', certainty: 'proven' });
  });

  test('stays open when a byte does not fit', async () => {
    const { content } = await inspected(POLISH, { encoding: 'utf-8' });
    expect(content?.encoding).toMatchObject({ name: 'utf-8', certainty: 'open' });
    expect(content?.encoding.because).toContain('byte 6 is no character of it');
  });
});
