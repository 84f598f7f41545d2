import type { HttpLimits } from './http-limits.ts';
import type { Behaviour } from './behaviour.ts';

/** Faults that a platform starts with. */
export interface FaultOptions {
  /** A plan in YAML or JSON; its rules are asked first. */
  readonly file?: string;
  /** Texts as `--fault` takes them, or objects as a plan has them. */
  readonly rules?: readonly unknown[];
  /** Where chance starts from. Default: that of the file, or 0. */
  readonly seed?: number;
}

/** `AbortSignal` where the program that imports this has it: neither the DOM nor the types of Node need be there. */
type WaitSignal = typeof globalThis extends {
  readonly AbortSignal: { readonly prototype: infer Signal };
}
  ? Signal
  : {
      readonly aborted: boolean;
      addEventListener(type: 'abort', listener: () => void, options?: { readonly once?: boolean }): void;
    };

/** How a local platform is started. */
export interface ServerOptions {
  /** Address to listen on. Default: 127.0.0.1. */
  readonly host?: string;
  /** 0, the default, takes a free port. */
  readonly port?: number;
  /** Path of the database, which is made when it is missing, or `:memory:`. */
  readonly database: string;
  /** Paths of seed files. Without any, a database that holds no supplier yet gets the built-in seed. */
  readonly seeds: readonly string[];
  /** One more key, for all suppliers; it is not stored. */
  readonly apiKey?: string;
  /** How long a token is valid. Default: 3600. */
  readonly tokenTtlSeconds?: number;
  /** Zone in which it is "today", such as `Europe/London`. Default: UTC. */
  readonly timeZone?: string;
  /** Largest body that is read. Default: 5 MiB. */
  readonly bodyLimitBytes?: number;
  /** Most records in one request. Default: 10,000. */
  readonly maxItems?: number;
  /** How long senders may take, and how many connections there may be. */
  readonly http?: Partial<HttpLimits>;
  /** What the platform decides where the interface leaves it open. Default: as docs/parity.md says. */
  readonly behaviour?: Partial<Behaviour>;
  /** Names that a Host header may have beside the host and the loopback names, without a port. Default: none. */
  readonly allowedHosts?: readonly string[];
  /** Default: none. */
  readonly faults?: FaultOptions;
  /** Ends the process as a power cut does. Default: a rule that says `crash` is refused. */
  readonly crash?: () => void;
  /** Gives each API key a world of its own: data, clock, faults, log. Any key is taken then. Default: false. */
  readonly isolate?: boolean;
  /** Keeps the bodies of requests and answers in the log of requests; never those with a key or token. Default: false. */
  readonly logBodies?: boolean;
  /** How a fault waits so many milliseconds; an abort ends the wait and is no error. Default: real time. */
  readonly sleep?: (waitMs: number, signal: WaitSignal) => Promise<void>;
  /** Version of the program, for `GET /_local/health`. */
  readonly version: string;
  /** The clock: milliseconds since 1970. */
  readonly nowMs: () => number;
  /** A number from 0 up to 1; the instance id comes from it, which is no secret. Default: that of the system. */
  readonly random?: () => number;
  /** The secrets of the tokens come from it, when the first token is asked for. Default: that of the system. */
  readonly randomBytes?: (size: number) => Uint8Array;
  /** Is handed what went wrong behind an answer 500 `error`. Default: nobody is. */
  readonly onUnexpectedError?: (error: unknown) => void;
}

/** emulator.md, "Decisions where the interface is silent". */
export const SERVER_DEFAULTS = {
  host: '127.0.0.1',
  port: 0,
  tokenTtlSeconds: 3600,
  timeZone: 'UTC',
  bodyLimitBytes: 5 * 1024 * 1024,
  maxItems: 10_000,
  behaviour: {},
  allowedHosts: [],
  isolate: false,
  logBodies: false,
  onUnexpectedError: () => {},
} as const satisfies Partial<ServerOptions>;
