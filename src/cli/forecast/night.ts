import type { AccountKey } from '../../core/contract/account.ts';
import type { Resource } from '../../core/contract/resources.ts';
import { afterSuccess, firstConcurrency } from '../push/concurrency.ts';
import { fullBucket, waitForToken, withTokens, type Rate } from '../push/token-bucket.ts';
import type { DrawnRequest } from './latency-model.ts';

/** A request of a night. */
export interface NightRequest {
  readonly resource: Resource;
  readonly records: number;
}

/** What is to be sent, and how fast it may be sent. */
export interface Night {
  /** The requests of each account, in their order. */
  readonly accounts: readonly (readonly NightRequest[])[];
  /** See `--concurrency` and `--rate-limit`. */
  readonly concurrency: number;
  readonly rate?: Rate | undefined;
}

/** The night of staged runs. `planned`: the requests in the order in which those of each account are sent. */
export function nightOf(
  planned: Iterable<NightRequest & { readonly account: AccountKey }>,
  pace: Pick<Night, 'concurrency' | 'rate'>,
): Night {
  const accounts = new Map<string, NightRequest[]>();
  // A night has many equal requests.
  const known = new Map<string, NightRequest>();
  for (const { account, resource, records } of planned) {
    const request = known.get(`${resource} ${records}`) ?? { resource, records };
    known.set(`${resource} ${records}`, request);
    const key = JSON.stringify([account.import_supplier, account.external_account_number]);
    const requests = accounts.get(key);
    if (requests) requests.push(request);
    else accounts.set(key, [request]);
  }
  return { accounts: [...accounts.values()], ...pace };
}

/** An account that is being sent. */
interface Worker {
  account: number;
  request: number;
}

/** The end of a request, or of the wait before it is sent again. */
interface Due {
  readonly atMs: number;
  readonly worker: Worker;
  /** How long the request took. */
  readonly tookMs: number;
  /** A wait after the request; undefined once it is over. */
  readonly pauseMs: number | undefined;
}

/**
 * How long sending takes, in milliseconds. It goes as a drain goes: one request of an account after the other, accounts side by
 * side, few at once at the start and one more after each round of answers, never more than the rate allows.
 */
export function sendingMs(
  { accounts, concurrency: most, rate }: Night,
  draw: (request: NightRequest, atOnce: number) => DrawnRequest,
): number {
  let concurrency = firstConcurrency(most);
  let bucket = rate && fullBucket(rate, 0);
  let nowMs = 0;
  let inFlight = 0;
  let nextAccount = 0;
  const ready: Worker[] = [];
  const due = new DueTimes();
  const takeAccount = (worker: Worker): void => {
    if (nextAccount >= accounts.length) return;
    worker.account = nextAccount++;
    worker.request = 0;
    ready.push(worker);
  };
  for (let count = 0; count < most; count++) takeAccount({ account: 0, request: 0 });
  for (;;) {
    let waitMs = Infinity;
    while (ready.length > 0 && inFlight < concurrency.limit) {
      waitMs = rate && bucket ? waitForToken(bucket, rate, nowMs) : 0;
      if (waitMs > 0) break;
      if (rate && bucket) bucket = withTokens(bucket, rate, { taken: 1, nowMs });
      inFlight++;
      const worker = ready.shift()!;
      const { busyMs, pauseMs } = draw(accounts[worker.account]![worker.request]!, inFlight);
      due.add({ atMs: nowMs + busyMs, worker, tookMs: busyMs, pauseMs });
      waitMs = Infinity;
    }
    if (due.isEmpty && ready.length === 0) return nowMs;
    nowMs = Math.min(nowMs + waitMs, due.nextMs);
    while (due.nextMs <= nowMs) {
      const { worker, tookMs, pauseMs } = due.take();
      if (pauseMs !== undefined) {
        inFlight--;
        concurrency = afterSuccess(concurrency, tookMs);
        if (pauseMs > 0) {
          due.add({ atMs: nowMs + pauseMs, worker, tookMs, pauseMs: undefined });
          continue;
        }
      }
      worker.request++;
      // The next request of an account goes before waiting accounts, as in the limiter.
      if (worker.request < accounts[worker.account]!.length) ready.unshift(worker);
      else takeAccount(worker);
    }
  }
}

/** A heap of what is due, the earliest first. */
class DueTimes {
  private readonly heap: Due[] = [];

  get isEmpty(): boolean {
    return this.heap.length === 0;
  }

  /** `Infinity` when nothing is due. */
  get nextMs(): number {
    return this.heap[0]?.atMs ?? Infinity;
  }

  add(due: Due): void {
    const { heap } = this;
    let at = heap.push(due) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (heap[above]!.atMs <= due.atMs) break;
      heap[at] = heap[above]!;
      at = above;
    }
    heap[at] = due;
  }

  take(): Due {
    const { heap } = this;
    const first = heap[0]!;
    const last = heap.pop()!;
    if (heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= heap.length) break;
      if (below + 1 < heap.length && heap[below + 1]!.atMs < heap[below]!.atMs) below++;
      if (heap[below]!.atMs >= last.atMs) break;
      heap[at] = heap[below]!;
      at = below;
    }
    heap[at] = last;
    return first;
  }
}
