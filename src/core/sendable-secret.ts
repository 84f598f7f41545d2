/** The characters of an API key or token, which travels in a header: visible ASCII, no space, at least one character. */
export const SENDABLE = /^[\x21-\x7E]+$/;

/** `SENDABLE` in words. */
export const SENDABLE_IN_WORDS = 'visible ASCII characters without spaces';

/** Why a key or token cannot be sent, in words that do not repeat it; undefined when it can be sent. */
export function unsendableReason(secret: string): string | undefined {
  if (/^(["'`]).*\1$/s.test(secret)) return 'it has quotes around it, which would be sent, too';
  if (SENDABLE.test(secret)) return undefined;
  return secret === '' ? 'it is empty' : 'a key or token has no spaces, line ends or characters beyond ASCII';
}
