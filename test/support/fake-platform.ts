import { onTestFinished } from 'vitest';
import type { Platform, PlatformAnswer, PlatformRequest } from '../../src/cli/push/ports/platform.ts';
import { DESCRIPTORS, type Resource } from '../../src/core/contract/resources.ts';
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
    const echo = { import_supplier, external_account_number };

    switch (this.resource) {
      case 'notes':
        return answer(
          201,
          records.map((record) => {
            const created_at = record['created_at'] ?? '2026-11-21T10:15:02Z';
            const status = isStored(record) ? 'NOTE_ALREADY_EXISTS' : 'NOTE_CREATION_SUCCESS';
            if (status === 'NOTE_CREATION_SUCCESS') stored.push({ ...record, created_at });
            return { created_at, body: record['body'] ?? '', status };
          }),
        );
      case 'transactions':
        return answer(201, {
          results: records.map((record) => {
            const exists = !query.includes('check_previously_added=false') && isStored(record);
            if (!exists) stored.push(record);
            const status = exists ? 'TRANSACTION_ALREADY_EXISTS' : 'TRANSACTION_ADDED_TO_ACCOUNT';
            return { status, transaction_data: record };
          }),
        });
      case 'statements': {
        const errors = records.flatMap((record, index) =>
          isStored(record)
            ? [
                {
                  detail: 'x',
                  code: 'historical_statement_already_exists',
                  attr: `statements.${index}.statement_id`,
                },
              ]
            : [],
        );
        if (errors.length > 0) return answer(400, { detail: 'x', code: 'validation_error', errors });
        stored.push(...records);
        return answer(201, { ...echo, statements: records });
      }
      case 'payment-instructions': {
        const [record] = records as [Json];
        const { reference } = record;
        if (stored.length > 0) return answer(400, { error_detail: 'active already', ...echo, reference });
        stored.push(record);
        return answer(201, { platform_account_number: 'A-1234ABCD', reference });
      }
      default:
        return this.resource satisfies never;
    }
  }

  private nameOf(record: Json): string {
    switch (this.resource) {
      case 'notes':
        return `${String(record['body'])} at ${String(record['created_at'])}`;
      case 'transactions':
        return String(record['transaction_id']);
      case 'statements':
        return String(record['statement_id']);
      case 'payment-instructions':
        return String(record['reference']);
      default:
        return this.resource satisfies never;
    }
  }
}

/** Whether the platform treats a record as an existing one (interface.md 4.2, deployments.md). */
function isSame(resource: Resource, record: Json, stored: Json): boolean {
  if (resource === 'notes') {
    const isAnyTime = record['created_at'] === undefined;
    return record['body'] === stored['body'] && (isAnyTime || record['created_at'] === stored['created_at']);
  }
  const field = resource === 'transactions' ? 'transaction_id' : 'statement_id';
  return record[field] === stored[field];
}
