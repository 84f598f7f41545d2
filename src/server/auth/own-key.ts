import { AppError } from '../../core/app-error.ts';
import { isThisMachine } from '../http/hosts.ts';
import { BUILT_IN_SEED } from '../seed/built-in-seed.ts';
import type { SeedFile } from '../seed/seed-file.ts';
import type { ApiKey } from '../store/setup.ts';

// The documentation shows the key of the built-in seed, so everybody who can reach the server could use it. On this
// machine that is nobody new. On any other address the server needs a key of its own.

/** @throws AppError `address_unavailable` when other machines can reach the server and nobody has said that they may */
export function requireAllowance(host: string, isAllowed: boolean): void {
  if (isAllowed || isThisMachine(host)) return;
  throw new AppError('address_unavailable', {
    host,
    what: `on ${host} other machines can send requests to the server, and keys, tokens and records cross the network unencrypted, because it has no TLS`,
    todo: 'Add --allow-network if you mean that, best behind a proxy with TLS; or leave --host out to listen on 127.0.0.1.',
  });
}

/** The seed of a platform that is started without one. It has no key when other machines can reach the server. */
export function builtInSeedFor(host: string): SeedFile {
  return isThisMachine(host) ? BUILT_IN_SEED : { ...BUILT_IN_SEED, api_keys: [] };
}

/** @throws AppError `address_unavailable` when other machines can reach the server and there is no key, or a published key */
export function requireOwnKey(host: string, keys: readonly ApiKey[]): void {
  const published = new Set<string>(BUILT_IN_SEED.api_keys.map(({ key }) => key));
  if (isThisMachine(host) || (keys.length > 0 && !keys.some(({ key }) => published.has(key)))) return;
  throw new AppError('address_unavailable', {
    what: `other machines can reach ${host}, and the server has no key or a well-known one`,
    todo: 'Give a key of your own with DATAIMPORT_SERVE_API_KEY or --api-key, and with `--db` a database that was never served without one; or leave --host out.',
  });
}
