import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { ApiKey } from '../store/setup.ts';

/** The client that a token identifies. */
export interface Caller {
  /** Identifies the API key without containing it. */
  readonly keyId: string;
  /** Codes of the suppliers that the key may use; null means all. */
  readonly suppliers: readonly string[] | null;
}

/** The claims of a token; times in seconds since 1970 (RFC 7519, 4.1). */
export interface Claims extends Pick<Caller, 'suppliers'> {
  readonly sub: string;
  readonly tokenUse: 'access' | 'refresh';
  readonly iat: number;
  readonly exp: number;
}

/** The answer of the token mutation (deployments.md, "Getting a token"). `refreshExpiresIn`: in seconds since 1970. */
export type IssuedToken = ReturnType<ReturnType<typeof tokensOf>['issue']>;

const REFRESH_SECONDS = 7 * 24 * 3600;

/** The header of every token. A token with another header, such as `alg: none`, is not ours. */
const HEADER = Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url');

/** Issues and reads tokens. A secret of this process signs them, so a restart invalidates all of them. */
export function tokensOf(options: { ttlSeconds: number; nowMs: () => number }) {
  const nowSeconds = () => Math.floor(options.nowMs() / 1000);
  // Access tokens have a secret of their own, so that replacing it invalidates them alone.
  const secrets = { access: randomBytes(32), refresh: randomBytes(32) };
  const signature = (content: string, use: Claims['tokenUse']) =>
    createHmac('sha256', secrets[use]).update(content).digest('base64url');

  const write = (claims: Claims): string => {
    const content = `${HEADER}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;
    return `${content}.${signature(content, claims.tokenUse)}`;
  };

  const read = (token: string, use: Claims['tokenUse']): Caller | undefined => {
    const [header, payload, given, ...more] = token.split('.');
    if (header !== HEADER || payload === undefined || given === undefined || more.length > 0)
      return undefined;
    // Compare texts, because decoding base64url ignores characters that do not belong there.
    if (!sameBytes(Buffer.from(given), Buffer.from(signature(`${header}.${payload}`, use)))) return undefined;
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Claims;
    if (claims.tokenUse !== use || claims.exp <= nowSeconds()) return undefined;
    return { keyId: claims.sub, suppliers: claims.suppliers };
  };

  return {
    issue: ({ keyId, suppliers }: Caller) => {
      const iat = nowSeconds();
      const payload: Claims = {
        sub: keyId,
        suppliers,
        tokenUse: 'access',
        iat,
        exp: iat + options.ttlSeconds,
      };
      const refreshExpiresIn = iat + REFRESH_SECONDS;
      const refreshToken = write({ ...payload, tokenUse: 'refresh', exp: refreshExpiresIn });
      return { token: write(payload), refreshToken, refreshExpiresIn, payload };
    },
    /** The caller of an access token; undefined for an expired token and for anything else. */
    read: (token: string) => read(token, 'access'),
    readRefresh: (token: string) => read(token, 'refresh'),
    /** Invalidates every access token issued so far. Refresh tokens stay valid. */
    expireAll: () => {
      secrets.access = randomBytes(32);
    },
  };
}

/** The caller of an API key. All keys are compared in constant time, so the time taken reveals nothing. */
export function callerOfKey(given: string, keys: readonly ApiKey[]): Caller | undefined {
  const digest = sha256(given);
  let caller: Caller | undefined;
  for (const { key, suppliers } of keys) {
    const own = sha256(key);
    if (sameBytes(digest, own)) caller = { keyId: own.toString('hex').slice(0, 16), suppliers };
  }
  return caller;
}

const sha256 = (content: string | Uint8Array): Buffer => createHash('sha256').update(content).digest();

const sameBytes = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && timingSafeEqual(a, b);
