import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { plainJson } from '../../core/values/plain-json.ts';
import type { ApiKey } from '../store/api-keys.ts';

/** Who asks, as the token says. */
export interface Caller {
  /** Names the API key without being it. */
  readonly keyId: string;
  /** Codes of the suppliers that the key may touch; null means all. */
  readonly suppliers: readonly string[] | null;
}

/** What a token says of itself; times in seconds since 1970 (RFC 7519, 4.1). */
interface Claims {
  readonly sub: string;
  readonly suppliers: readonly string[] | null;
  readonly tokenUse: 'access' | 'refresh';
  readonly iat: number;
  readonly exp: number;
}

/** The answer of the token mutation (deployments.md, "Getting a token"). */
export interface IssuedToken {
  readonly token: string;
  readonly refreshToken: string;
  /** When the refresh token expires, in seconds since 1970. */
  readonly refreshExpiresIn: number;
  readonly payload: Claims;
}

/** Gives out tokens and reads them. They are signed with a secret of this process, so a restart forgets them all. */
export interface Tokens {
  issue(caller: Caller): IssuedToken;
  /** Who an access token was given to; undefined for anything else, also for one that has expired. */
  read(token: string): Caller | undefined;
  /** The same for a refresh token. */
  readRefresh(token: string): Caller | undefined;
  /** Ends every access token given out so far; refresh tokens stay. */
  expireAll(): void;
}

const REFRESH_SECONDS = 7 * 24 * 3600;

/** The only header there is: a token with another one (`alg: none`) is not ours. */
const HEADER = Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url');

export function tokensOf(options: {
  readonly makeSecret: () => Uint8Array;
  readonly ttlSeconds: number;
  readonly nowMs: () => number;
}): Tokens {
  const nowSeconds = () => Math.floor(options.nowMs() / 1000);
  // Access tokens have a secret of their own, which can be left behind with all that it signed. Both are made with the first
  // token: a start has no use for cryptography.
  let made: { access: Uint8Array; readonly refresh: Uint8Array } | undefined;
  const secrets = () => {
    if (made) return made;
    const secret = options.makeSecret();
    return (made = { access: secret, refresh: secret });
  };
  const signature = (content: string, use: Claims['tokenUse']) =>
    createHmac('sha256', secrets()[use]).update(content).digest('base64url');

  const write = (claims: Claims): string => {
    const content = `${HEADER}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;
    return `${content}.${signature(content, claims.tokenUse)}`;
  };

  const read = (token: string, use: Claims['tokenUse']): Caller | undefined => {
    const [header, payload, given, ...more] = token.split('.');
    if (header !== HEADER || payload === undefined || given === undefined || more.length > 0)
      return undefined;
    // As text: decoding base64url would let characters pass that do not belong there.
    if (!sameBytes(Buffer.from(given), Buffer.from(signature(`${header}.${payload}`, use)))) return undefined;
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Claims;
    if (claims.tokenUse !== use || claims.exp <= nowSeconds()) return undefined;
    return { keyId: claims.sub, suppliers: claims.suppliers };
  };

  return {
    issue: ({ keyId, suppliers }) => {
      const iat = nowSeconds();
      const claims = {
        sub: keyId,
        suppliers,
        tokenUse: 'access',
        iat,
        exp: iat + options.ttlSeconds,
      } as const;
      const refresh = { ...claims, tokenUse: 'refresh', exp: iat + REFRESH_SECONDS } as const;
      return {
        token: write(claims),
        refreshToken: write(refresh),
        refreshExpiresIn: refresh.exp,
        payload: claims,
      };
    },
    read: (token) => read(token, 'access'),
    readRefresh: (token) => read(token, 'refresh'),
    expireAll: () => {
      secrets().access = createHash('sha256').update(secrets().access).digest();
    },
  };
}

/** Who a key belongs to. Every key is compared, in constant time, so that the time taken tells nothing. */
export function callerOfKey(given: string, keys: readonly ApiKey[]): Caller | undefined {
  const digest = sha256(given);
  let caller: Caller | undefined;
  for (const { key, suppliers } of keys) {
    if (sameBytes(digest, sha256(key))) caller = { keyId: keyIdOf(key), suppliers };
  }
  return caller;
}

/** Names a key without being it. */
export function keyIdOf(key: string): string {
  return sha256(key).toString('hex').slice(0, 16);
}

/** The key id that a token names; nothing says that the token is a good one. Undefined when it names none. */
export function claimedKeyId(token: string): string | undefined {
  const claims = plainJson(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  const sub = (claims as { readonly sub?: unknown } | null | undefined)?.sub;
  return typeof sub === 'string' ? sub : undefined;
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function sameBytes(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
