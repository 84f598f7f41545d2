/** The token mutation of a GraphQL document. */
export interface TokenMutationCall {
  /** Name of the result in the answer: the alias, or the name of the mutation. */
  readonly resultName: string;
  /** The `input` object with its variables replaced by their values. */
  readonly input: unknown;
  readonly fields: readonly string[];
}

const NAME = String.raw`[A-Za-z_]\w*`;
const STRING = String.raw`"(?:[^"\\\n]|\\.)*"`;
const VARIABLE = String.raw`\$${NAME}`;
/** A part of the document, or what stands between parts: blanks, commas and comments. */
const LEXEME = new RegExp(String.raw`\s+|,|#[^\n]*|(${STRING}|\$?${NAME}|[{}()[\]:!=])`, 'gy');
const FIELD = String.raw`(?<field>${NAME}) : (?<value>${STRING}|${VARIABLE}) `;
/** The parts of a mutation with one blank behind each. */
const MUTATION = new RegExp(
  [
    String.raw`^mutation (?:${NAME} )?(?:\( (?:(?!\) )\S+ )*\) )?\{ `,
    String.raw`(?:(?<alias>${NAME}) : )?(?<name>obtain[A-Z]\w*Token) `,
    String.raw`\( input : (?<input>${VARIABLE} |\{ (?:${FIELD.replaceAll(/\?<\w+>/g, '?:')})*\} )\) `,
    String.raw`\{ (?<fields>(?:${NAME} )*)\} \} $`,
  ].join(''),
);

/**
 * Reads a GraphQL document that consists of one token mutation; undefined for any other document. The interface uses no
 * other GraphQL (deployments.md, "Getting a token"), so no GraphQL library is needed.
 */
export function readTokenMutation(
  document: string,
  variables: Readonly<Record<string, unknown>>,
): TokenMutationCall | undefined {
  const lexemes = [...document.matchAll(LEXEME)];
  const last = lexemes.at(-1);
  if (!last || last.index + last[0].length !== document.length) return undefined;
  const parts = lexemes.flatMap(([, part]) => (part === undefined ? [] : `${part} `)).join('');
  const { alias, name, input = '', fields = '' } = MUTATION.exec(parts)?.groups ?? {};
  if (name === undefined) return undefined;
  const valueOf = (text: string): unknown =>
    text.startsWith('$') ? variables[text.slice(1).trimEnd()] : stringOf(text);
  const given = [...input.matchAll(new RegExp(FIELD, 'g'))].map(
    ({ groups }) => [groups!['field']!, valueOf(groups!['value']!)] as const,
  );
  if (given.some(([, value]) => value === UNREADABLE)) return undefined;
  return {
    resultName: alias ?? name,
    input: input.startsWith('$') ? valueOf(input) : Object.fromEntries(given),
    fields: fields.split(' ').slice(0, -1),
  };
}

const UNREADABLE = Symbol('a string with an escape that JSON does not have');

/** GraphQL strings have the escapes of JSON. */
function stringOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return UNREADABLE;
  }
}
