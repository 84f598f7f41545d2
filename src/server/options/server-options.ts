import type { PlatformControls } from './platform-controls.ts';
import type { SeedDocument } from './seed-document.ts';

/** The faults that a platform starts with. */
export interface FaultOptions {
  /** As `--fault` takes them, asked in this order. The first that fires takes the request. */
  readonly rules?: readonly string[];
  /** Seed of the chance of faults. Default: 0. */
  readonly seed?: number;
}

/** How a local platform is started. */
export interface PlatformOptions {
  /** Address to listen on. Default: 127.0.0.1. */
  readonly host?: string;
  /** Whether `host` may be reachable from other machines, without TLS. Default: false. */
  readonly allowNetwork?: boolean;
  /** 0, the default, takes a free port. */
  readonly port?: number;
  /** Path of the database, or `:memory:`. A missing file is created. */
  readonly database: string;
  /** Seeds, each the path of a file or an object. Without any, a database that has no supplier yet gets the built-in seed. */
  readonly seeds: readonly (string | SeedDocument)[];
  /** Path of a contract.json. The platform then answers as that operator (docs/contract.md). Default: the interface alone. */
  readonly contract?: string;
  /** One more API key, for all suppliers. It is not stored. */
  readonly apiKey?: string;
  /** Time zone of "today", such as `Europe/London`. Default: UTC. */
  readonly timeZone?: string;
  /** The decisions where the interface leaves the answer open, as `--behaviour` takes them. Default: as in docs/parity.md. */
  readonly behaviour?: readonly string[];
  /** Default: none. */
  readonly faults?: FaultOptions;
  /** The clock, in milliseconds since 1970. */
  readonly nowMs: () => number;
  /** Receives the error behind an answer 500 `error`. Default: the error is dropped. */
  readonly onUnexpectedError?: (error: unknown) => void;
}

/** `await using` closes the platform, where the importing program has the type of its symbol. */
type AsyncDispose = SymbolConstructor extends { readonly asyncDispose: infer S extends symbol }
  ? { readonly [Name in S]: () => Promise<void> }
  : object;

/** A local platform that is ready for requests. */
export interface LocalPlatform extends PlatformControls, AsyncDispose {
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
    /** The present rules that were never hit, as texts. */
    unused(): readonly string[];
  };
  /**
   * Takes no more requests, finishes those in flight (for up to 5 s), writes the whole database
   * into its file and closes it. Nothing of the platform keeps the process alive then. May be called again.
   */
  close(): Promise<void>;
}

export const SERVER_DEFAULTS = {
  host: '127.0.0.1',
  allowNetwork: false,
  port: 0,
  timeZone: 'UTC',
  onUnexpectedError: () => {},
} as const satisfies Partial<PlatformOptions>;
