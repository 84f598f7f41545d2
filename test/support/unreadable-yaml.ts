/** Text that no message may show. */
export const SECRET = 's3cret';

/** Aliases: `*a` repeats ten texts, `*i` repeats a thousand million. */
const ENDLESS = Array.from('abcdefghi', (name, index) => {
  const inner = index === 0 ? SECRET : `*${'abcdefghi'[index - 1]}`;
  return `${name}: &${name} [${Array.from({ length: 10 }, () => inner).join(', ')}]\n`;
}).join('');

/** A text of YAML that every reader refuses. */
export interface UnreadableYaml {
  readonly what: string;
  readonly text: string;
  /** One-based. */
  readonly line: number;
  readonly column: number;
  readonly reason: string;
}

/** Every kind of mistake once, each with a secret in it. */
export const UNREADABLE_YAML: readonly UnreadableYaml[] = [
  {
    what: 'a list that does not end',
    text: `version: 1\nsteps: [${SECRET}`,
    line: 2,
    column: 15,
    reason: 'Flow sequence in block collection must be sufficiently indented and end with a ]',
  },
  {
    what: 'an alias of nothing',
    text: `version: 1\nsteps: [1, *${SECRET}]\n`,
    line: 2,
    column: 12,
    reason: 'this alias (`*…`) has no anchor (`&…`) before it',
  },
  {
    what: 'an alias before its anchor',
    text: `version: *${SECRET}\nsteps: &${SECRET} 1\n`,
    line: 1,
    column: 10,
    reason: 'this alias (`*…`) has no anchor (`&…`) before it',
  },
  {
    what: 'an alias of the value around it',
    text: `version: 1\nsteps: &${SECRET}\n  - [*${SECRET}]\n`,
    line: 3,
    column: 6,
    reason: 'this alias (`*…`) is inside of the value that it repeats',
  },
  {
    what: 'aliases that grow without end',
    text: `${ENDLESS}steps: [*i]\n`,
    line: 10,
    column: 9,
    reason: 'its aliases (`*…`) repeat too much: write out their values',
  },
  {
    what: 'two documents',
    text: `version: 1\n---\nversion: ${SECRET}\n`,
    line: 2,
    column: 1,
    reason:
      'the file has to be one document: remove the part that begins with this `---`, or move it to a file of its own',
  },
  {
    what: 'a key twice',
    text: `version: 1\nsteps: []\nversion: ${SECRET}\n`,
    line: 3,
    column: 1,
    reason: 'this key occurs above already, in the same object: keep one of the two',
  },
  {
    what: 'a key twice in a document of JSON',
    text: `{\n  "steps": [],\n  "version": 1,\n  "steps": "${SECRET}"\n}\n`,
    line: 4,
    column: 3,
    reason: 'this key occurs above already, in the same object: keep one of the two',
  },
  {
    what: 'a key with and without quotes',
    text: `version: 1\n'version': ${SECRET}\n`,
    line: 2,
    column: 1,
    reason: 'this key occurs above already, in the same object: keep one of the two',
  },
  {
    what: 'a key that is an object',
    text: `version: 1\n? { ${SECRET}: 1 }\n: 2\n`,
    line: 2,
    column: 3,
    reason: 'a key has to be a text, not a list, an object or an alias (`*…`)',
  },
  {
    what: 'lists in lists in lists',
    text: `version: 1\nsteps: ${'['.repeat(20_000)}${SECRET}${']'.repeat(20_000)}\n`,
    line: 2,
    column: 107,
    reason: 'lists and objects are nested 100 deep here, and no document may go deeper',
  },
];
