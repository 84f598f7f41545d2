/** The limits of docs/serve-reference.md, "Refused requests". */
const [DEPTH, KEYS] = [32, 1_000];

const STRUCTURE = /"(?:[^"\\]|\\.)*"|[{}[\],:]/gs;

/**
 * Whether bytes are JSON that every parser reads in the same way: UTF-8, no repeated key, not too deep and not too wide.
 * Shares no code with the parser of the server. JSON.parse decides what is JSON, and the punctuation decides the rest.
 */
export function isPlainJson(bytes: Uint8Array): boolean {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    JSON.parse(text);
    return isPlain(text);
  } catch {
    return false;
  }
}

/** Whether a JSON text has no repeated key and is within the limits. */
function isPlain(text: string): boolean {
  const open: (Set<string> | undefined)[] = [];
  let last = '';
  for (const [sign] of text.matchAll(STRUCTURE)) {
    if (sign === '{' || sign === '[') open.push(sign === '{' ? new Set() : undefined);
    else if (sign === '}' || sign === ']') open.pop();
    else if (sign === ':') {
      const keys = open.at(-1)!;
      const key = JSON.parse(last) as string;
      if (keys.has(key) || keys.size === KEYS) return false;
      keys.add(key);
    }
    last = sign;
    if (open.length > DEPTH) return false;
  }
  return true;
}
