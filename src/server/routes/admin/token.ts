import { callerOfKey } from '../../auth/tokens.ts';
import { refusal, Refusal } from '../../http/answer.ts';
import type { Route } from '../route.ts';

/** POST /_local/token: a token of the first key, so that the page can send a request again without knowing a key. */
export const pageTokenRoute: Route = {
  method: 'POST',
  path: '/_local/token',
  access: 'loopback',
  answer: ({ tenant: { tokens, apiKeys } }) => {
    const keys = apiKeys();
    const { key } = keys.find(({ suppliers }) => suppliers === null) ?? keys[0] ?? {};
    const caller = key === undefined ? undefined : callerOfKey(key, keys);
    if (!caller) throw new Refusal(refusal('authentication_failed'));
    return { status: 200, body: { token: tokens.issue(caller).token } };
  },
};
