import { onTestFinished } from 'vitest';
import type { Platform, PlatformAnswer, PlatformRequest } from '../../src/cli/push/ports/platform.ts';
import type { Resource } from '../../src/core/contract/resources.ts';
import { applied } from '../harness/applied-request.ts';
import { BY_THE_CLOCK } from '../harness/oracle/canonical.ts';
import type { OracleRecord } from '../harness/oracle/records.ts';
import { RuledAccount } from '../harness/oracle/rules.ts';
import { keyOf } from '../harness/simulated-answers.ts';
import { readRequest } from '../harness/simulated-request.ts';
import { answer } from './push-batch.ts';

/** A fault of one request. `applied`: whether the platform applied the request before the fault. */
export type Fault =
  | { readonly kind: 'lost'; readonly applied: boolean }
  | { readonly kind: 'answer'; readonly applied: boolean; readonly answer: PlatformAnswer }
  | { readonly kind: 'not_sent' }
  | { readonly kind: 'throws'; readonly error: unknown };

/** A request as the platform received it. */
export interface Received {
  readonly account: string;
  readonly path: string;
  readonly body: string;
}

/**
 * A platform in memory that follows the interface for one resource. Faults are set for the nth request of an account, as `A#2`,
 * so they do not depend on how accounts interleave. A fault that never happens fails the test.
 */
export class FakePlatform implements Platform {
  readonly received: Received[] = [];
  /** Most requests that were in flight at once, of all accounts and of one. */
  readonly most = { inFlight: 0, ofOneAccount: 0 };
  /** Most records of a request. A larger request gets 413. */
  largest = Infinity;
  private readonly resource: Resource;
  private readonly faults: Map<string, Fault>;
  private readonly chances: Readonly<Record<string, Fault>>;
  private readonly accounts = new Map<string, RuledAccount>();
  private readonly inFlight = new Map<string, number>();
  private held: Map<string, () => void> | undefined;

  /** `chances`: faults that need not happen. */
  constructor(
    resource: Resource,
    faults: Readonly<Record<string, Fault>> = {},
    chances: Readonly<Record<string, Fault>> = {},
  ) {
    this.resource = resource;
    this.faults = new Map(Object.entries(faults));
    this.chances = chances;
    if (this.faults.size === 0) return;
    onTestFinished(() => {
      if (this.faults.size > 0) throw new Error(`never happened: ${[...this.faults.keys()].join(', ')}`);
    });
  }

  async send(request: PlatformRequest): Promise<PlatformAnswer> {
    const { external_account_number: account } = JSON.parse(request.body!) as {
      external_account_number: string;
    };
    this.received.push({ account, path: request.path, body: request.body! });
    this.count(account, 1);
    try {
      if (this.held) await new Promise<void>((resolve) => this.held!.set(account, resolve));
      return this.answerTo(account, request);
    } finally {
      this.count(account, -1);
    }
  }

  /** Makes all further requests wait until `letGo`. */
  hold(): void {
    this.held = new Map();
  }

  /** Accounts with a waiting request, in the order of arrival. */
  get waiting(): readonly string[] {
    return [...(this.held?.keys() ?? [])];
  }

  /** Answers the waiting request of an account. */
  letGo(account: string): void {
    const go = this.held?.get(account);
    if (!go) throw new Error(`no request of ${account} waits`);
    this.held!.delete(account);
    go();
  }

  /** The stored records by account, in the order of arrival. */
  contents(): Readonly<Record<string, readonly string[]>> {
    const texts = [...this.accounts].map(([account, { stored }]) => [
      account,
      stored.map(({ record }) => this.nameOf(record)),
    ]);
    return Object.fromEntries(texts) as Record<string, string[]>;
  }

  /** The number of received requests of an account. */
  requestsOf(account: string): number {
    return this.received.filter((each) => each.account === account).length;
  }

  private count(account: string, change: 1 | -1): void {
    this.inFlight.set(account, (this.inFlight.get(account) ?? 0) + change);
    const counts = [...this.inFlight.values()];
    this.most.inFlight = Math.max(
      this.most.inFlight,
      counts.reduce((total, each) => total + each, 0),
    );
    this.most.ofOneAccount = Math.max(this.most.ofOneAccount, ...counts);
  }

  private answerTo(account: string, request: PlatformRequest): PlatformAnswer {
    const key = `${account}#${this.requestsOf(account)}`;
    const fault = this.faults.get(key) ?? this.chances[key];
    this.faults.delete(key);
    if (!fault) return this.apply(account, request);
    if (fault.kind === 'throws') throw fault.error;
    if (fault.kind === 'not_sent') return { kind: 'not_sent', reason: 'refused' };
    if (fault.applied) this.apply(account, request);
    return fault.kind === 'lost' ? { kind: 'lost', reason: 'reset' } : fault.answer;
  }

  private apply(account: string, request: PlatformRequest): PlatformAnswer {
    const arrived = readRequest(request);
    if (arrived.resource !== this.resource) throw new Error(`unexpected request to ${request.path}`);
    if (arrived.records.length > this.largest) return answer(413, '<html>Request Entity Too Large</html>');
    const ruled = this.accounts.get(account) ?? new RuledAccount();
    this.accounts.set(account, ruled);
    return applied(ruled, arrived).answer;
  }

  private nameOf(record: OracleRecord): string {
    if (this.resource !== 'notes') return keyOf(this.resource, record);
    const at = record['created_at'] as string;
    return `${record['body'] as string} at ${at === BY_THE_CLOCK ? '2026-11-21T10:15:02Z' : at}`;
  }
}
