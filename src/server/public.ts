import { readFileSync } from 'node:fs';
import { checkedOptions } from './options/checked-options.ts';
import type { LocalPlatform, PlatformOptions } from './options/server-options.ts';
import type { SeedDocument } from './options/seed-document.ts';
import { startServer as start } from './start.ts';

// Other programs import this file as `dataimport/server`. The compiler of such a program reads the declarations of this file
// and of src/server/options, so these declarations import no package.

export type { LocalPlatform, SeedDocument };
export type { LedgerRecord, PlatformControls, RequestRecord } from './options/platform-controls.ts';

/** How a local platform is started. Every option may be left out or be undefined. */
export type LocalPlatformOptions = {
  readonly [Name in keyof PlatformOptions]?: PlatformOptions[Name] | undefined;
};

/**
 * Starts a local platform in this process, on a free port and in memory unless the options say otherwise. Many platforms may
 * run side by side.
 * @throws Error with a `code`: `setting_invalid`, `file_not_readable`, `seed_invalid`,
 * `database_unusable`, `address_unavailable`; docs/codes.md
 */
export async function startServer(options: LocalPlatformOptions = {}): Promise<LocalPlatform> {
  const given = checkedOptions(options) as Partial<PlatformOptions>;
  return start({
    database: ':memory:',
    seeds: [],
    nowMs: () => Date.now(), // oxlint-disable-line no-restricted-properties -- the importing program need not have a clock
    ...given,
    version: versionOfPackage(),
  });
}

/** package.json is two folders above src/server, and above each folder of dist. */
function versionOfPackage(): string {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
