import { readFileSync } from 'node:fs';
import { checkedOptions } from './options/checked-options.ts';
import type { ServerOptions } from './options/server-options.ts';
import { startServer as start } from './start.ts';

// Other programs import this file as `dataimport/server`. The compiler of such a program reads the declarations of this file
// and of src/server/options, so these declarations import no package.

/** How a local platform is started. Every option may be left out or be undefined. */
export type LocalPlatformOptions = {
  readonly [Name in Exclude<keyof ServerOptions, 'version' | 'crash'>]?: ServerOptions[Name] | undefined;
};

/** A local platform that is ready for requests. */
export interface LocalPlatform {
  /** Base URL for clients, without a slash at its end. */
  readonly url: string;
  readonly port: number;
  /** Identifies this start. A new one for each start. */
  readonly instance: string;
  /** The keys that tokens are issued for. The key of the option `apiKey` is the first. `suppliers` is null for all of them. */
  readonly apiKeys: readonly { readonly key: string; readonly suppliers: readonly string[] | null }[];
  readonly faults: {
    /** The fault rules of the start, as texts. */
    readonly armed: readonly string[];
    /** The rules that were never hit, as texts: the present ones, and those of the start that were removed. */
    unused(): readonly string[];
  };
  /**
   * Takes no more requests, finishes those in flight (the option `http` says how long it waits), writes the whole database
   * into its file and closes it. Nothing of the platform keeps the process alive then. May be called again.
   */
  close(): Promise<void>;
}

/**
 * Starts a local platform in this process, on a free port and in memory unless the options say otherwise. Many platforms may
 * run side by side.
 * @throws Error with a `code`: `setting_invalid`, `file_not_readable`, `file_not_utf8`, `seed_invalid`, `fault_invalid`,
 * `fault_plan_invalid`, `database_in_use`, `database_unusable`, `own_key_missing`, `port_taken`,
 * `port_taken_by_serve`, `address_unavailable`; docs/codes.md
 */
export async function startServer(options: LocalPlatformOptions = {}): Promise<LocalPlatform> {
  const given = checkedOptions(options) as Partial<ServerOptions>;
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
