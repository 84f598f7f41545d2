import fc from 'fast-check';

/** Any character of Unicode. `unit: 'binary'` of fast-check first makes a table of all of them, which takes two seconds. */
export const anyCharacter = fc
  .nat({ max: 0x10_ffff - 0x800 })
  .map((number) => String.fromCodePoint(number < 0xd800 ? number : number + 0x800));
