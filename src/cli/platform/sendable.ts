/** Whether a key or token can stand in a header: visible ASCII, at least one character, no space. */
export function isSendable(secret: string): boolean {
  return /^[\x21-\x7E]+$/.test(secret);
}
