import { CONTROL_CHARACTER, NONE, oneByte } from './encoding-one-byte.ts';

// The bytes that are no character come from the tables at unicode.org (VENDORS/MICSFT/WINDOWS, ISO8859): the decoders of the
// platform let most of them through as control characters, and not the same ones in every version.

/** Central Europe. */
export const WINDOWS_1250 = codePage('windows-1250', /[\x81\x83\x88\x90\x98]/);
export const ISO_8859_2 = codePage('iso-8859-2', CONTROL_CHARACTER);

/** Cyrillic. */
export const WINDOWS_1251 = codePage('windows-1251', /\x98/);

/** Greek. */
export const WINDOWS_1253 = codePage('windows-1253', /[\x81\x88\x8A\x8C-\x90\x98\x9A\x9C-\x9F\xAA\xD2\xFF]/);

/** Turkish. */
export const WINDOWS_1254 = codePage('windows-1254', /[\x81\x8D-\x90\x9D\x9E]/);

/** Baltic. */
export const WINDOWS_1257 = codePage('windows-1257', /[\x81\x83\x88\x8A\x8C\x90\x98\x9A\x9C\x9F\xA1\xA5]/);

/** Western Europe on old Macs. */
export const MACINTOSH = codePage('macintosh', NONE);

function codePage(label: string, undefinedByte: RegExp): ReturnType<typeof oneByte> {
  return oneByte(undefinedByte, (_, bytes) => new TextDecoder(label).decode(bytes));
}
