import { tokenMutationDocument, type TokenMutation } from '../../core/contract/token.ts';
import type { Call } from './http-call.ts';
import type { Redaction } from './redaction.ts';
import { readToken, type TokenResult } from './token-answer.ts';

/** What a request for a token takes. */
export interface TokenRequest {
  /** The way to the key; asked once, when the first token is needed. */
  readonly apiKey: () => Promise<string>;
  readonly mutation: TokenMutation;
  readonly call: Call;
  readonly redaction: Redaction;
}

/** Obtains a token whenever it is called. @throws AppError `credentials_refused`, and what the way to the key throws */
export function tokenRequest({
  apiKey,
  mutation,
  call,
  redaction,
}: TokenRequest): () => Promise<TokenResult> {
  let key: Promise<string> | undefined;
  return async () => {
    const secret = await (key ??= apiKey());
    redaction.learn(secret);
    const body = JSON.stringify({
      query: tokenMutationDocument(mutation.mutation),
      variables: { input: { [mutation.inputField]: secret } },
    });
    const answer = await call({ method: 'POST', path: mutation.path, body }, null);
    return readToken(answer, mutation.path, redaction.hide);
  };
}
