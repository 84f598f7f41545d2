/** The token mutation of a GraphQL document. */
export interface TokenMutationCall {
  /** Name of the result in the answer: the alias, or the name of the mutation. */
  readonly resultName: string;
  /** The `input` object with its variables replaced by their values. */
  readonly input: unknown;
  /** Names of the requested fields. */
  readonly fields: readonly string[];
}

const NAME = /^[A-Za-z_]\w*$/;
const MUTATION_NAME = /^obtain[A-Z]\w*Token$/;
const LEXEME = /\s+|,|#[^\n]*|("(?:[^"\\\n]|\\.)*"|\$?[A-Za-z_]\w*|[{}()[\]:!=])/gy;

/**
 * Reads a GraphQL document that consists of one token mutation; undefined for any other document. The interface uses no
 * other GraphQL (deployments.md, "Getting a token"), so no GraphQL library is needed.
 */
export function readTokenMutation(
  document: string,
  variables: Readonly<Record<string, unknown>>,
): TokenMutationCall | undefined {
  const tokens = lexemesOf(document);
  if (!tokens) return undefined;
  const reader = new Reader(tokens, variables);
  try {
    return reader.mutation();
  } catch (error) {
    if (error === UNEXPECTED) return undefined;
    throw error;
  }
}

/** Undefined when the text contains anything else than the lexemes of a token mutation. */
function lexemesOf(document: string): readonly string[] | undefined {
  const lexemes: string[] = [];
  let end = 0;
  for (const match of document.matchAll(LEXEME)) {
    end = match.index + match[0].length;
    if (match[1] !== undefined) lexemes.push(match[1]);
  }
  return end === document.length ? lexemes : undefined;
}

/** The input of a token mutation is one object of texts. The call stack is shorter than a body. */
const DEEPEST = 8;

const UNEXPECTED = new Error('unexpected token');

class Reader {
  readonly #tokens: readonly string[];
  readonly #variables: Readonly<Record<string, unknown>>;
  #next = 0;

  constructor(tokens: readonly string[], variables: Readonly<Record<string, unknown>>) {
    this.#tokens = tokens;
    this.#variables = variables;
  }

  mutation(): TokenMutationCall {
    this.#expect('mutation');
    if (this.#peek() !== '(' && this.#peek() !== '{') this.#name();
    if (this.#peek() === '(') this.#skipVariableDefinitions();
    this.#expect('{');
    const first = this.#name();
    const field = this.#accept(':') ? this.#name() : first;
    if (!MUTATION_NAME.test(field)) throw UNEXPECTED;
    this.#expect('(', 'input', ':');
    const input = this.#value(1);
    this.#expect(')', '{');
    const fields: string[] = [];
    while (!this.#accept('}')) fields.push(this.#name());
    this.#expect('}');
    if (this.#peek() !== undefined) throw UNEXPECTED;
    return { resultName: first, input, fields };
  }

  #skipVariableDefinitions(): void {
    while (this.#take() !== ')') continue;
  }

  #value(depth: number): unknown {
    if (depth > DEEPEST) throw UNEXPECTED;
    const token = this.#take();
    if (token.startsWith('$')) return this.#variables[token.slice(1)];
    if (token.startsWith('"')) return textOf(token);
    if (token !== '{') throw UNEXPECTED;
    const fields: [string, unknown][] = [];
    while (!this.#accept('}')) {
      const name = this.#name();
      this.#expect(':');
      fields.push([name, this.#value(depth + 1)]);
    }
    return Object.fromEntries(fields);
  }

  #name(): string {
    const token = this.#take();
    if (!NAME.test(token)) throw UNEXPECTED;
    return token;
  }

  #expect(...tokens: readonly string[]): void {
    for (const token of tokens) if (this.#take() !== token) throw UNEXPECTED;
  }

  #accept(token: string): boolean {
    if (this.#peek() !== token) return false;
    this.#next += 1;
    return true;
  }

  #take(): string {
    const token = this.#peek();
    if (token === undefined) throw UNEXPECTED;
    this.#next += 1;
    return token;
  }

  #peek(): string | undefined {
    return this.#tokens[this.#next];
  }
}

/** GraphQL strings have the escapes of JSON. */
function textOf(token: string): string {
  try {
    return JSON.parse(token) as string;
  } catch {
    throw UNEXPECTED;
  }
}
