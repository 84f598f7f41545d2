import type { AccountKey } from '../../../core/contract/account.ts';
import { instantOfClock } from '../../../core/values/instant.ts';
import type { PushEvent } from '../events.ts';
import type { Timing } from '../ports/timing.ts';
import { ACCOUNTS } from '../waits.ts';

/** What the platform says about accounts. */
export interface AccountQuestions {
  /** The accounts of a supplier that are known to the platform, each with whether it is imported. Undefined when nobody answered. */
  list(supplier: string): Promise<ReadonlyMap<string, boolean> | undefined>;
  /** The state of one account; `missing` when the platform does not know it. Undefined when nobody answered. */
  status(account: AccountKey): Promise<string | undefined>;
}

/**
 * Why an account was not sent. `wait_over`: it was waited for as long as asked. `open`: nobody waited for it to the end, so
 * asking again may help. `not_asked`: the platform has said nothing about it. `state`: the last answer, or why there is none, in words.
 * `asked`: when the platform gave it.
 */
export type NotReady = Readonly<{
  why: 'import_failed' | 'wait_over' | 'open' | 'not_asked';
  state: string;
  asked?: string;
}>;

export interface AccountWatch {
  /** The accounts that have something to send. */
  readonly accounts: Iterable<number>;
  keyOf(account: number): AccountKey;
  readonly questions: AccountQuestions;
  readonly timing: Timing;
  /** How long accounts that are not imported are waited for, in milliseconds; 0 asks once. */
  readonly waitMs: number;
  /** How long a platform that does not answer is asked, in milliseconds. */
  readonly retryForMs: number;
  /** Aborts when nothing is sent any more. */
  readonly stopping: AbortSignal;
  /** Whether the import of an account was under way at some time, also in an earlier command. */
  wasUnderWay(account: number): boolean;
  /** Remembers for later commands that the import of an account is under way. */
  onUnderWay(account: number): void;
  onReady(account: number): void;
  /** Called before each wait. */
  onWait(waiting: Omit<Extract<PushEvent, { kind: 'not_imported' }>, 'kind'>): void;
}

/** Most questions in one round about single accounts whose import was never seen under way. */
const STATUS_QUESTIONS = 100;

/** Questions about single accounts that are asked at the same time. One after the other, 100 took 25 s over a slow network. */
const QUESTIONS_AT_ONCE = 10;

interface Waiting {
  /** The last answer, in words; undefined before the first one. */
  state: string | undefined;
  /** The platform rejected its import, or the import was under way at some time and is not any more. */
  failed: boolean;
  /** Whether its own status was asked for in this command. */
  asked: boolean;
}

/**
 * Asks the platform which accounts are imported until all are, or the time is over, or those that are left have failed. The
 * list of a supplier decides. Single questions tell a failed import from one that has not begun, if the import was seen under way or
 * the deployment has a status for it: `UNKNOWN` alone means both (interface.md 3.1).
 * @returns the accounts that are not imported
 */
export async function watchAccounts(watch: AccountWatch): Promise<ReadonlyMap<number, NotReady>> {
  const { timing, stopping } = watch;
  const waiting = new Map<number, Waiting>();
  for (const account of watch.accounts)
    waiting.set(account, { state: undefined, failed: false, asked: false });
  const startedMs = timing.monotonicMs();
  let answeredMs = startedMs;
  let asked: string | undefined;
  let pauseMs = ACCOUNTS.first;
  let isWaitOver = false;
  while (waiting.size > 0 && !stopping.aborted) {
    const before = waiting.size;
    const beganMs = timing.monotonicMs();
    const answered = await askRound(waiting, watch);
    if (answered) [answeredMs, asked] = [timing.monotonicMs(), instantOfClock(timing.nowMs())];
    const waitUntilMs = startedMs + watch.waitMs;
    const untilMs = answered ? waitUntilMs : Math.max(waitUntilMs, answeredMs + watch.retryForMs);
    isWaitOver = answered && watch.waitMs > 0 && beganMs >= untilMs;
    const isHopeless = answered && [...waiting.values()].every(({ failed }) => failed);
    if (waiting.size === 0 || isHopeless || beganMs >= untilMs || stopping.aborted) break;
    if (waiting.size < before) pauseMs = ACCOUNTS.first;
    const limit = untilMs === waitUntilMs ? '--wait-for-accounts' : '--retry-for';
    const leftMs = Math.max(0, untilMs - timing.monotonicMs());
    watch.onWait({ accounts: waiting.size, leftMs, answered, limit });
    await timing.sleep(Math.min(pauseMs, leftMs), stopping);
    pauseMs = Math.min(Math.ceil(pauseMs * 1.5), ACCOUNTS.longest);
  }
  const notReady = ({ state, failed }: Waiting): NotReady => {
    if (state === undefined) return { why: 'not_asked', state: stopping.aborted ? STOPPED : SILENT };
    if (failed) return { why: 'import_failed', state };
    return { why: isWaitOver ? 'wait_over' : 'open', state, ...(asked !== undefined && { asked }) };
  };
  return new Map([...waiting].map(([account, known]) => [account, notReady(known)]));
}

/** Why nobody knows whether an account is imported. */
const STOPPED = 'the command was stopped before the platform answered';
const SILENT = 'the platform did not answer the question';

/** One round of questions. Returns whether every list was answered. */
async function askRound(waiting: Map<number, Waiting>, watch: AccountWatch): Promise<boolean> {
  const { questions, keyOf, onReady } = watch;
  const lists = new Map<string, ReadonlyMap<string, boolean> | undefined>();
  let answered = true;
  const others: number[] = [];
  const maybeFailed: number[] = [];
  for (const [account, known] of waiting) {
    const { import_supplier: supplier, external_account_number: number } = keyOf(account);
    if (!lists.has(supplier)) lists.set(supplier, await questions.list(supplier));
    const list = lists.get(supplier);
    if (!list) {
      answered = false;
    } else if (list.get(number)) {
      waiting.delete(account);
      onReady(account);
    } else {
      known.state ??= list.has(number) ? PENDING : 'not in the list of the platform';
      (!known.asked && watch.wasUnderWay(account) ? maybeFailed : others).push(account);
    }
  }
  if (!answered) return false;
  // Each command has to find out about all that may have failed, also one that asks only once.
  const asked = [...maybeFailed, ...others.slice(0, STATUS_QUESTIONS)];
  for (let from = 0; from < asked.length && !watch.stopping.aborted; from += QUESTIONS_AT_ONCE) {
    const some = asked.slice(from, from + QUESTIONS_AT_ONCE);
    const answers = await Promise.all(some.map((account) => questions.status(keyOf(account))));
    for (const [index, account] of some.entries()) learn(account, answers[index], { waiting, watch });
  }
  return true;
}

/** Notes the status of an account; undefined when nobody answered. */
function learn(
  account: number,
  status: string | undefined,
  { waiting, watch }: { waiting: Map<number, Waiting>; watch: AccountWatch },
): void {
  if (status === undefined) return;
  const known = waiting.get(account)!;
  known.asked = true;
  // The others are asked first in the next round.
  waiting.delete(account);
  if (status === 'COMPLETED') {
    watch.onReady(account);
    return;
  }
  const isUnderWay = status === 'IN_PROGRESS';
  known.failed = status === REJECTED || (!isUnderWay && watch.wasUnderWay(account));
  if (isUnderWay) watch.onUnderWay(account);
  known.state = STATE_WORDS[status] ?? 'in another state';
  waiting.set(account, known);
}

const PENDING = 'pending';

/** One deployment says so of an import that failed (deployments.md, "Responses"). */
const REJECTED = 'REJECTED';

const STATE_WORDS: Readonly<Record<string, string>> = {
  UNKNOWN: 'not begun, or failed: the platform does not say which',
  PENDING,
  [REJECTED]: 'rejected',
  IN_PROGRESS: 'in progress',
  missing: 'the platform does not know it',
};
