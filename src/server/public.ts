import { readFileSync } from 'node:fs';
import { checkedOptions } from './options/checked-options.ts';
import { startServer as start } from './start.ts';
import type { ServerOptions } from './options/server-options.ts';

// What other programs import as `dataimport/server`. Its declarations, and those of server-options.ts, are all of the
// package that a user's compiler reads: they import no package.

/** How a local platform is started. Everything may be left out, or undefined. */
export type LocalPlatformOptions = {
  readonly [Name in Exclude<keyof ServerOptions, 'version' | 'crash'>]?: ServerOptions[Name] | undefined;
};

/** A local platform that is ready for requests. */
export interface LocalPlatform {
  /** Base URL for clients, without a slash at its end. */
  readonly url: string;
  readonly port: number;
  /** Names this very start; another one each time. */
  readonly instance: string;
  /** The keys that tokens are given for, that of the option `apiKey` first; `suppliers` is null when a key may touch all. */
  readonly apiKeys: readonly { readonly key: string; readonly suppliers: readonly string[] | null }[];
  readonly faults: {
    /** The rules of the start, as texts. */
    readonly armed: readonly string[];
    /** What was not hit, as texts: rules that are there now, and those of the start that were taken away. */
    unused(): readonly string[];
  };
  /**
   * Takes no more requests, finishes those that are under way (see `http` for how long it waits), makes the database
   * file whole and closes it; nothing of the platform keeps the process alive then. May be called again.
   */
  close(): Promise<void>;
}

/**
 * Starts a local platform in this process, on a free port and in memory unless the options say otherwise. Many may run
 * side by side.
 * @throws Error with a `code`: `setting_invalid`, `file_not_readable`, `file_not_utf8`, `seed_invalid`, `fault_invalid`,
 * `fault_plan_invalid`, `database_in_use`, `database_unusable`, `own_key_missing`, `port_taken`,
 * `port_taken_by_serve`, `address_unavailable`; docs/codes.md
 */
export async function startServer(options: LocalPlatformOptions = {}): Promise<LocalPlatform> {
  const given = checkedOptions(options) as Partial<ServerOptions>;
  return start({
    database: ':memory:',
    seeds: [],
    nowMs: () => Date.now(), // oxlint-disable-line no-restricted-properties -- the program around it need not bring a clock
    ...given,
    version: versionOfPackage(),
  });
}

/** The same two levels up from src/server and from the folders of dist. */
function versionOfPackage(): string {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
