import { DEFAULT_TOKEN_MUTATION, tokenMutationDocument } from '../../core/contract/token.ts';
import type { ErrorCode } from '../../core/error-codes/table.ts';
import { readTokenMutation } from '../auth/token-mutation.ts';
import { callerOfKey, type IssuedToken } from '../auth/tokens.ts';
import type { Answer } from '../http/answer.ts';
import { readJson } from '../http/body.ts';
import type { Route } from './route.ts';

/** The ways in which a client identifies itself. A request uses exactly one (deployments.md, "Getting a token"). */
const CREDENTIALS = ['APIKey', 'organizationSecretKey', 'refreshToken'] as const;

const EXAMPLE = `it has to be as \`${tokenMutationDocument(DEFAULT_TOKEN_MUTATION.mutation)}\``;

/** The next step of the author of a client. */
const NEXT =
  'Compare the request with the example in /_local/openapi.json, and the key with those that `serve` and its seed name. The status is 200 all the same, so a client looks for `errors` in the answer first.';

/** POST /v1/graphql/: the token mutation. GraphQL answers 200 also for errors. */
export const tokenRoute: Route = {
  method: 'POST',
  path: DEFAULT_TOKEN_MUTATION.path,
  access: 'open',
  answer: ({ server: { tokens, apiKeys }, body }) => {
    const { query, variables } = fieldsOf(readJson(body));
    if (typeof query !== 'string')
      return graphqlError('parse_error', 'query', `the body has no text \`query\`; ${EXAMPLE}`);
    const mutation = readTokenMutation(query, fieldsOf(variables));
    if (!mutation)
      return graphqlError('parse_error', 'query', `the query is not one token mutation; ${EXAMPLE}`);

    const credentials = Object.entries(fieldsOf(mutation.input));
    const [name, given] = credentials[0] ?? [];
    if (credentials.length !== 1 || !isCredential(name) || typeof given !== 'string') {
      const reason = `give exactly one of ${CREDENTIALS.join(', ')}, with these capitals`;
      return graphqlError('mutually_exclusive_field_required', 'input', reason);
    }
    const caller = name === 'refreshToken' ? tokens.readRefresh(given) : callerOfKey(given, apiKeys());
    if (!caller) return graphqlError('authentication_failed', name, `the ${name} is unknown or has expired`);

    const issued = tokens.issue(caller);
    const known = Object.keys(issued);
    if (!mutation.fields.every((field) => known.includes(field)))
      return graphqlError('unexpected_field', 'query', `the answer has only ${known.join(', ')}`);
    const result = Object.fromEntries(
      mutation.fields.map((field) => [field, issued[field as keyof IssuedToken]]),
    );
    return { status: 200, body: { data: { [mutation.resultName]: result } } };
  },
};

/** deployments.md, "Getting a token". */
function graphqlError(code: ErrorCode, field: string, message: string): Answer {
  const errorType = code === 'authentication_failed' ? 'AUTHORIZATION' : 'VALIDATION';
  // The sentence of the code would speak of a body, a token or a field of the interface.
  const extensions = { errorType, errorCode: code, errorDescription: message };
  const hidden = { code, field, detail: message, next: NEXT };
  return { status: 200, body: { errors: [{ message, extensions }] }, hidden };
}

function isCredential(name: string | undefined): name is (typeof CREDENTIALS)[number] {
  return (CREDENTIALS as readonly (string | undefined)[]).includes(name);
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
