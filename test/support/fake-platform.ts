import { onTestFinished } from 'vitest';
import type { Platform, PlatformAnswer, PlatformRequest } from '../../src/cli/push/ports/platform.ts';
import type { AccountKey } from '../../src/core/contract/account.ts';
import type { AnsweredOutcome } from '../../src/core/contract/descriptor.ts';
import { DESCRIPTORS, type Resource } from '../../src/core/contract/resources.ts';
import { answer, goodBody } from './push-batch.ts';

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

type Json = Readonly<Record<string, unknown>>;

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
  private readonly stored = new Map<string, Json[]>();
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
    const texts = [...this.stored].map(([account, records]) => [
      account,
      records.map((record) => this.nameOf(record)),
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

  private apply(account: string, { path, body }: PlatformRequest): PlatformAnswer {
    const { list, endpoint } = DESCRIPTORS[this.resource];
    const [pathname, query = ''] = path.split('?');
    if (pathname !== endpoint.path) throw new Error(`unexpected request to ${path}`);
    const { import_supplier, external_account_number, ...rest } = JSON.parse(body!) as Json;
    const records = list === null ? [rest] : (rest[list] as readonly Json[]);
    if (records.length > this.largest) return answer(413, '<html>Request Entity Too Large</html>');
    const stored = this.stored.get(account) ?? [];
    this.stored.set(account, stored);
    const isStored = (record: Json): boolean => stored.some((other) => isSame(this.resource, record, other));
    const echo = { import_supplier, external_account_number } as AccountKey;
    const body201 = (items: readonly Json[]) =>
      answer(201, goodBody(this.resource, { account: echo, records: [] }, items));

    const { idField, answer: form, lostAnswer } = DESCRIPTORS[this.resource];
    if (form.statuses === null) {
      // A request with a record that exists is refused as a whole.
      const { code } = lostAnswer.present!;
      const errors = records.flatMap((record, index) =>
        isStored(record) ? [{ detail: 'x', code, attr: `${list}.${index}.${idField}` }] : [],
      );
      if (errors.length > 0 && list === null)
        return answer(400, { error_detail: 'active already', ...echo, reference: records[0]!['reference'] });
      if (errors.length > 0) return answer(400, { detail: 'x', code: 'validation_error', errors });
      stored.push(...records);
      return body201(records);
    }
    const status = (wanted: AnsweredOutcome) =>
      Object.entries(form.statuses!).find(([, outcome]) => outcome === wanted)![0];
    return body201(
      records.map((sent) => {
        const record = form.echoes ? { created_at: '2026-11-21T10:15:02Z', body: '', ...sent } : sent;
        const exists = !query.includes('check_previously_added=false') && isStored(sent);
        if (!exists) stored.push(record);
        const item = form.record === null ? record : { [form.record]: record };
        return { ...item, status: status(exists ? 'existing' : 'created') };
      }),
    );
  }

  private nameOf(record: Json): string {
    const { idField } = DESCRIPTORS[this.resource];
    return idField === null
      ? `${String(record['body'])} at ${String(record['created_at'])}`
      : String(record[idField]);
  }
}

/** Whether the platform treats a record as an existing one (interface.md 4.2, deployments.md). */
function isSame(resource: Resource, record: Json, stored: Json): boolean {
  const [sent, other] = [record, stored].map((each) => DESCRIPTORS[resource].identity(each as never));
  return sent!.key === other!.key && (sent!.variant === undefined || sent!.variant === other!.variant);
}
