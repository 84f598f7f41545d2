import { expect, test } from 'vitest';
import { encodingOfName } from '../../../src/cli/csv/encodings.ts';

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
