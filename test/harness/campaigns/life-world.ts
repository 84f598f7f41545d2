import type { SeenRequest } from '../request-log.ts';
import type { CanonicalLedger } from '../oracle/oracle.ts';

/** Something that goes wrong while a command runs. `at`: the number of the request at which it does. */
export type Disturbance =
  | { readonly kind: 'kill'; readonly at: number; readonly phase: KillPhase }
  | { readonly kind: 'kill at any time'; readonly after: number }
  | { readonly kind: 'signals'; readonly at: number; readonly twice: boolean }
  | { readonly kind: 'server killed'; readonly at: number; readonly applied: boolean }
  | { readonly kind: 'throttled'; readonly at: number }
  | { readonly kind: 'paused'; readonly at: number };

/** `arrived`: the platform never sees the request. `applied`: its answer is lost. `answered`: nobody acts on the answer. */
export const KILL_PHASES = ['arrived', 'applied', 'answered'] as const;
export type KillPhase = (typeof KILL_PHASES)[number];

/** How a command ended. */
export interface LifeEnded {
  /** Undefined after a kill. */
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
  /** Whether the process may have ended before answers that the platform gave. */
  readonly missesAnswers?: boolean;
}

/** The client, the platform and the disk of a life. */
export interface LifeWorld {
  /** Folder of the files. */
  readonly cwd: string;
  /** Folder of the run files. */
  readonly runs: string;
  /** Every request that the platform got. `end` and `answer` are left out where no living client got the answer. */
  readonly seen: readonly SeenRequest[];
  /** Whether the platform can refuse single records. */
  readonly hasOperator: boolean;
  /** Runs a command. */
  command(words: readonly string[], disturbance?: Disturbance): Promise<LifeEnded>;
  /** Runs a command in two processes at once. */
  twice(words: readonly string[]): Promise<readonly LifeEnded[]>;
  ledger(): Promise<CanonicalLedger>;
  setImported(account: string, isImported: boolean): Promise<void>;
  /** Refuses records, as `resource account key`, until they are not named any more. */
  refuse(names: ReadonlySet<string>): void;
  close(): Promise<void>;
}
