import { AppError } from '../../core/app-error.ts';
import { bracketed, isLoopback, LOOPBACK_NAMES } from '../http/hosts.ts';
import { BUILT_IN_SEED } from '../seed/built-in-seed.ts';
import type { SeedFile } from '../seed/seed-file.ts';
import type { ApiKey } from '../store/api-keys.ts';

// The key of the built-in seed stands in the documentation, so it lets in everybody who can reach the server: from this
// machine nobody who could not come in anyway (emulator.md, "Start, stop, safety").

/** What a platform holds that is given no seed; without its key when others can reach it. */
export function builtInSeedFor(host: string): SeedFile {
  return isHere(host) ? BUILT_IN_SEED : { ...BUILT_IN_SEED, api_keys: [] };
}

/** @throws AppError `own_key_missing` when others can reach the server and there is no key, or one that they know */
export function requireOwnKey(host: string, keys: readonly ApiKey[]): void {
  const known = new Set<string>(BUILT_IN_SEED.api_keys.map(({ key }) => key));
  if (isHere(host) || (keys.length > 0 && !keys.some(({ key }) => known.has(key)))) return;
  throw new AppError('own_key_missing', { host });
}

function isHere(host: string): boolean {
  return LOOPBACK_NAMES.includes(bracketed(host).toLowerCase()) || isLoopback(host);
}
