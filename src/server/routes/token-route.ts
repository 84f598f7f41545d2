import { DEFAULT_TOKEN_MUTATION, tokenMutationDocument } from '../../core/contract/token.ts';
import type { ErrorCode } from '../../core/error-codes/table.ts';
import { readTokenMutation } from '../auth/token-mutation.ts';
import { callerOfKey, type IssuedToken } from '../auth/tokens.ts';
import type { Answer } from '../http/answer.ts';
import type { LoggedProblem } from '../http/logged-request.ts';
import { readJson } from '../http/body.ts';
import type { Route } from './route.ts';

/** The ways in which a client identifies itself. A request uses exactly one (deployments.md, "Getting a token"). */
const CREDENTIALS = ['APIKey', 'organizationSecretKey', 'refreshToken'] as const;

const EXAMPLE = `it has to be as \`${tokenMutationDocument(DEFAULT_TOKEN_MUTATION.mutation)}\``;

/** The next steps of the author of a client. */
const LOOK_FOR_ERRORS = 'The status is 200 all the same, so a client looks for `errors` in the answer first.';
const KEY_OF_THE_SEED =
  'Send a key of this platform: `serve` prints one when it starts, and `api_keys` of the seed has them all.';
const AS_SHOWN = 'Compare the request with the example in /_local/openapi.json.';

/** POST /v1/graphql/: the token mutation. GraphQL answers 200 also for errors. */
export const tokenRoute: Route = {
  method: 'POST',
  path: DEFAULT_TOKEN_MUTATION.path,
  access: 'open',
  answer: ({ server: { tokens, apiKeys }, body }) => {
    const { query, variables } = fieldsOf(readJson(body));
    if (typeof query !== 'string')
      return graphqlError('parse_error', `the body has no text \`query\`; ${EXAMPLE}`);
    const mutation = readTokenMutation(query, fieldsOf(variables));
    if (!mutation) return graphqlError('parse_error', `the query is not one token mutation; ${EXAMPLE}`);

    const credentials = Object.entries(fieldsOf(mutation.input));
    const [name, given] = credentials[0] ?? [];
    if (credentials.length !== 1 || !isCredential(name) || typeof given !== 'string') {
      const reason = `give exactly one of ${CREDENTIALS.join(', ')}, with these capitals`;
      return graphqlError('mutually_exclusive_field_required', reason, { field: 'APIKey' });
    }
    const caller = name === 'refreshToken' ? tokens.readRefresh(given) : callerOfKey(given, apiKeys());
    if (!caller) {
      const logged = { field: name, next: KEY_OF_THE_SEED };
      return graphqlError('authentication_failed', `the ${name} is unknown or has expired`, logged);
    }

    const issued = tokens.issue(caller);
    const unknown = mutation.fields.find((field) => !Object.hasOwn(issued, field));
    if (unknown !== undefined) {
      // The log keeps no text of the query, which may be as long as a body.
      const detail = 'the query asks for a field that the answer does not have';
      const logged = { detail, next: `Ask for ${Object.keys(issued).join(', ')}.` };
      return graphqlError('unexpected_field', `${unknown} is not a field of the answer`, logged);
    }
    const result = Object.fromEntries(
      mutation.fields.map((field) => [field, issued[field as keyof IssuedToken]]),
    );
    return { status: 200, body: { data: { [mutation.resultName]: result } } };
  },
};

/** deployments.md, "Getting a token". `logged`: what the log says otherwise, beside the message. */
function graphqlError(code: ErrorCode, message: string, logged: Partial<LoggedProblem> = {}): Answer {
  const errorType = code === 'authentication_failed' ? 'AUTHORIZATION' : 'VALIDATION';
  // The sentence of the code would speak of a body, a token or a field of the interface.
  const extensions = { errorType, errorCode: code, errorDescription: message };
  const next = `${logged.next ?? AS_SHOWN} ${LOOK_FOR_ERRORS}`;
  const hidden = { detail: message, ...logged, code, next };
  return { status: 200, body: { errors: [{ message, extensions }] }, hidden };
}

function isCredential(name: string | undefined): name is (typeof CREDENTIALS)[number] {
  return (CREDENTIALS as readonly (string | undefined)[]).includes(name);
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
