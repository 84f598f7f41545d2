import { TOKEN_SCHEME } from '../../core/contract/token.ts';
import { Refusal, refusal } from '../http/answer.ts';
import type { Caller, Tokens } from './tokens.ts';

/**
 * Finds the caller by the rules of Django REST framework (deployments.md, "Framework behaviour"): the scheme in any case,
 * white space, one token. Two headers are refused, because a proxy may have checked the other one.
 * @throws Refusal 401 with `WWW-Authenticate: Token`
 */
export function authenticate(headers: readonly string[] = [], tokens: Tokens): Caller {
  const [header, ...others] = headers;
  const [scheme, token, ...more] = (header ?? '').split(/\s+/).filter((part) => part !== '');
  if (scheme?.toLowerCase() !== TOKEN_SCHEME.toLowerCase()) throw unauthenticated('not_authenticated');
  const caller = token === undefined || more.length + others.length > 0 ? undefined : tokens.read(token);
  if (!caller) throw unauthenticated('authentication_failed');
  return caller;
}

function unauthenticated(code: 'not_authenticated' | 'authentication_failed'): Refusal {
  return new Refusal(refusal(code, {}, { 'www-authenticate': TOKEN_SCHEME }));
}
