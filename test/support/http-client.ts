import { onTestFinished } from 'vitest';
import { DEFAULT_TOKEN_MUTATION } from '../../src/core/contract/token.ts';
import {
  openHttpPlatform,
  type Credentials,
  type HttpPlatform,
  type PlatformOptions,
} from '../../src/cli/client/http-platform.ts';
import type { RequestRecord } from '../../src/cli/client/requests.ts';

/** The frozen clock of these clients, in milliseconds since 1970. */
export const NOW_MS = 1_795_000_000_000;

/** Opens the real HTTP client until the test has finished. Waiting or using randomness is an error. */
export function openPlatform(
  baseUrl: string,
  credentials: Credentials,
  more: Partial<PlatformOptions> = {},
): { readonly platform: HttpPlatform; readonly records: readonly RequestRecord[] } {
  const records: RequestRecord[] = [];
  const platform = openHttpPlatform({
    baseUrl,
    credentials,
    tokenMutation: DEFAULT_TOKEN_MUTATION,
    connections: 4,
    timeoutMs: 5_000,
    version: '9.8.7',
    timing: {
      nowMs: () => NOW_MS,
      monotonicMs: () => 0,
      sleep: () => Promise.reject(new Error('unexpected wait')),
      random: () => {
        throw new Error('unexpected use of randomness');
      },
    },
    record: (request) => void records.push(request),
    ...more,
  });
  onTestFinished(() => platform.close());
  return { platform, records };
}
