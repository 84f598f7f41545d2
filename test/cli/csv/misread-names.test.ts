import { expect, test } from 'vitest';
import { ENCODINGS } from '../../../src/cli/csv/encodings.ts';
import { encodingOfName } from '../../../src/cli/csv/misread-names.ts';

test.each([
  ['Číslo účtu', 'Èíslo úètu', 'windows-1252', 'windows-1250'],
  [
    'Číslo účtu',
    'Číslo úÄŤtu'.replace('Č', 'ÄŚ').replace('í', 'Ă\u00ad').replace('ú', 'Ăş'),
    'windows-1250',
    'utf-8',
  ],
  ['Übertrag', 'Ãœbertrag', 'windows-1252', 'utf-8'],
  ['Счёт', 'Ñ÷¸ò', 'windows-1252', 'windows-1251'],
  ['Übertrag', 'Uebertrag', 'windows-1252', undefined],
  ['Betrag', 'Betrag', 'windows-1252', undefined],
] as const)('%s is %s when it is read as %s, and is right as %s', (name, found, wrong, right) => {
  expect(encodingOfName(name, ['K', found], wrong)).toBe(right);
});

test.each(['utf-16le', 'utf-16be'] as const)(
  'a file of UTF-8 that was read as %s has the name in UTF-8',
  (wrong) => {
    const bytes = Buffer.from('Konto,Straße,Betrag.\n');
    const found = [ENCODINGS[wrong].toUtf8(bytes)!.toString()];
    expect(encodingOfName('Konto', found, wrong)).toBe('utf-8');
    expect(encodingOfName('Straße', found, wrong)).toBe('utf-8');
    expect(encodingOfName('Kunde', found, wrong)).toBeUndefined();
    expect(encodingOfName('K', ['Konto', 'Betrag'], wrong)).toBeUndefined();
    expect(encodingOfName('N', ['金額', '乎取引日'], wrong)).toBeUndefined();
  },
);
