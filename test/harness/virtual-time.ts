import type { Timing } from '../../src/cli/push/ports/timing.ts';
import type { Chance } from './chance.ts';

interface Timer {
  readonly atMs: number;
  readonly order: number;
  readonly fire: () => void;
}

/** How far a clock is off, one after the other, when it jumps: a change of the zone, a synchronisation, a dead battery. */
const JUMPS_MS = [0, 3_600_000, -86_400_000, 10 * 31_556_952_000, -25 * 31_556_952_000, 61_000];

/** Time that passes only when nothing else can happen. One timer fires at a time, so the seed decides the whole run. */
export class VirtualTime implements Timing {
  readonly random: () => number;
  private passedMs = 0;
  private orders = 0;
  private timers: Timer[] = [];
  private isTurning = false;

  /** Whether the clock of the machine jumps, also backwards. The monotonic clock never does. */
  private readonly jumps: boolean;

  constructor(chance: Chance, { jumps = false }: { readonly jumps?: boolean } = {}) {
    this.jumps = jumps;
    this.random = () => chance.next();
  }

  nowMs(): number {
    const jumpMs = this.jumps ? JUMPS_MS[this.orders % JUMPS_MS.length]! : 0;
    return 1_795_000_000_000 + this.passedMs + jumpMs;
  }

  monotonicMs(): number {
    return this.passedMs;
  }

  /** The next number in the order of all events, which also orders events of the same moment. */
  nextOrder(): number {
    return ++this.orders;
  }

  sleep(waitMs: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted) {
        resolve();
        return;
      }
      const timer = this.after(waitMs, resolve);
      signal?.addEventListener('abort', () => {
        this.timers = this.timers.filter((other) => other !== timer);
        resolve();
      });
    });
  }

  /** Calls `fire` after `waitMs`. */
  after(waitMs: number, fire: () => void): unknown {
    const timer = { atMs: this.passedMs + Math.max(0, waitMs), order: this.nextOrder(), fire };
    this.timers.push(timer);
    this.turn();
    return timer;
  }

  /** Waits until no timer is left. */
  async untilQuiet(): Promise<void> {
    while (this.timers.length > 0) await new Promise((resolve) => void setImmediate(resolve));
  }

  private turn(): void {
    if (this.isTurning || this.timers.length === 0) return;
    this.isTurning = true;
    // After three turns of the event loop all work that the last timer started is done or waits for a timer: the commit of its
    // answer takes one turn, and the commit of another attempt takes one more.
    setImmediate(() => setImmediate(() => setImmediate(() => this.nextTimer())));
  }

  private nextTimer(): void {
    this.isTurning = false;
    const next = this.timers.reduce<Timer | undefined>(earlier, undefined);
    if (next) {
      this.timers = this.timers.filter((other) => other !== next);
      this.passedMs = Math.max(this.passedMs, next.atMs);
      next.fire();
    }
    this.turn();
  }
}

function earlier(best: Timer | undefined, other: Timer): Timer {
  if (best === undefined) return other;
  if (other.atMs !== best.atMs) return other.atMs < best.atMs ? other : best;
  return other.order < best.order ? other : best;
}
