import type { YAMLParseError } from 'yaml';

/** A thing that makes a text of YAML unreadable, and its offset in it. */
export interface Slip {
  readonly offset: number;
  /** Never the text of a value: it may be a key, or be about a person. */
  readonly reason: string;
}

const WORDS: Partial<Record<YAMLParseError['code'], string>> = {
  BAD_DIRECTIVE: 'there is no such directive (`%…`)',
  TAG_RESOLVE_FAILED: 'there is no such tag (`!…`), or it does not go with this value',
  BAD_DQ_ESCAPE: 'there is no such escape in a text between double quotes',
  DUPLICATE_KEY: 'this key stands already above, in the same object: keep one of the two',
};

/** What the parser objects to, without what its words quote from the text. */
export function slipOf({ code, message, pos }: YAMLParseError): Slip {
  return { offset: pos[0], reason: WORDS[code] ?? message.replace(/\b: .*$/su, '') };
}
