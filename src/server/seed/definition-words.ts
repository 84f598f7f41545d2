// A seed and a state define the same things, and say the same of what is wrong between them.

/** `where`: that of the first one, such as `at seed.yaml:7:5`. */
export function standsAlready(thing: string, where: string): string {
  return `this ${thing} stands already ${where}`;
}

export const NO_SUPPLIER = 'no supplier has this code';

/** `written`: the version that a file says it has, as far as that is to be told. */
export function otherVersion(written: string, read: number): string {
  return `its format has ${written}, this program reads version ${read}`;
}
