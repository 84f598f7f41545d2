import { TOKEN_SCHEME } from '../../core/contract/token.ts';
import { Refusal, refusal } from '../http/answer.ts';
import type { Route } from '../routes/route.ts';
import { keyInTokenRequest } from '../routes/token.ts';
import { claimedKeyId } from '../auth/tokens.ts';
import type { World } from '../tenants/tenant.ts';
import type { Worlds } from '../tenants/tenants.ts';

/** Names a world to the admin API of a server that isolates: its API key. The parameter `world` of a query does, too. */
const WORLD_HEADER = 'x-dataimport-world';

/** What is known of a request before its body is read. */
export interface RequestHead {
  readonly access: Route['access'] | undefined;
  /** Whether it asks for something of the server, which is the same in all worlds. */
  readonly isWorldless: boolean;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly query: Readonly<Record<string, unknown>>;
}

/**
 * The world that a request comes to. A token that is of none comes to that of nobody, which knows no token.
 * @throws Refusal 400 for a call of the admin API that names no world, or two
 */
export function worldOfHead({ access, isWorldless, headers, query }: RequestHead, worlds: Worlds): World {
  if (!worlds.isolated) return worlds.root;
  if (access === 'token') {
    const [scheme, token = ''] = String(headers['authorization'] ?? '')
      .trim()
      .split(/\s+/);
    const isToken = scheme?.toLowerCase() === TOKEN_SCHEME.toLowerCase();
    const keyId = isToken ? claimedKeyId(token) : undefined;
    return (keyId === undefined ? undefined : worlds.ofKeyId(keyId)) ?? worlds.root;
  }
  if (access !== 'loopback') return worlds.root;
  const [name, ...others] = [headers[WORLD_HEADER], query['world']].flat().filter(isText);
  if (name === undefined && isWorldless) return worlds.root;
  if (name === undefined) throw new Refusal(refusal('world_not_named'));
  // Whichever were taken, who meant the other one would change what is not theirs.
  if (others.some((other) => other !== name)) throw new Refusal(refusal('worlds_named'));
  return worlds.ofKey(name);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** The world that a token is asked for in: only the body says which. Undefined when it does not. */
export function worldOfTokenRequest(body: Uint8Array | undefined, worlds: Worlds): World | undefined {
  const credential = keyInTokenRequest(body);
  if (credential?.key !== undefined) return worlds.ofKey(credential.key);
  const keyId = credential && claimedKeyId(credential.refreshToken);
  return keyId === undefined ? undefined : worlds.ofKeyId(keyId);
}
