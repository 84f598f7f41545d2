import type { Platform, PlatformAnswer, PlatformRequest } from '../../src/cli/push/ports/platform.ts';
import type { Chance } from './chance.ts';
import { exactText } from './oracle/exact-json.ts';
import { KIND_OF, type OracleRecord } from './oracle/records.ts';
import type { OracleAccounts } from './oracle/oracle.ts';
import { RuledAccount } from './oracle/rules.ts';
import type { AnswerClass, SeenRequest } from './request-log.ts';
import { goodAnswer, keyOf } from './simulated-answers.ts';
import { refusal, sameRecords, type SimulatedFault } from './simulated-faults.ts';
import { readRequest, type Arrived } from './simulated-request.ts';
import type { VirtualTime } from './virtual-time.ts';

/** Chooses the fault of a request; undefined for none. */
export type FaultChoice = (arrived: Arrived) => SimulatedFault | undefined;

/** How long an answer waits for another one to be swapped with, in milliseconds. */
const SWAP_MS = 2_000;

/** A platform in memory with the rules of the oracle, on virtual time. Requests in flight arrive, also after the client died. */
export class SimulatedPlatform implements Platform {
  readonly accounts: ReadonlyMap<string, RuledAccount>;
  readonly seen: SeenRequest[] = [];
  /** Chooses the faults from now on. */
  choose: FaultChoice = () => undefined;
  life = 0;
  /** Whether it refuses existing records also in forms that no document shows. */
  hasOddRefusals = false;
  /** Records whose last answer called them added and repeated another value, as `account key`. */
  readonly misquoted = new Set<string>();
  /** Records that are always refused, as `account key`. */
  unwanted: ReadonlySet<string> = new Set();
  private readonly time: VirtualTime;
  private readonly chance: Chance;
  private before: PlatformAnswer | undefined;
  private waiting:
    | {
        readonly account: string;
        readonly own: PlatformAnswer;
        readonly give: (answer: PlatformAnswer) => void;
      }
    | undefined;

  constructor(accounts: OracleAccounts, time: VirtualTime, chance: Chance) {
    this.accounts = new Map([...accounts].map(([number, open]) => [number, new RuledAccount(open)]));
    this.time = time;
    this.chance = chance;
  }

  async send(request: PlatformRequest): Promise<PlatformAnswer> {
    const arrived = readRequest(request);
    const fault = this.choose(arrived);
    const mayHaveBeenSent = this.mayHaveBeenSent(arrived);
    const start = this.moment();
    const number = this.seen.push({
      resource: arrived.resource,
      life: this.life,
      account: arrived.account,
      keys: arrived.records.map((record) => keyOf(arrived.resource, record)),
      body: request.body!,
      start,
      end: undefined,
      answer: undefined,
      askedMs: 0,
    });
    await this.time.sleep(this.chance.below(40));
    const { means, askedMs, afterMs, ...own } = fault
      ? this.faulty(arrived, fault)
      : { ...this.applied(arrived), askedMs: 0, afterMs: 0 };
    const answer = fault?.swaps ? await this.swapped(arrived, own.answer) : own.answer;
    await this.time.sleep(this.chance.below(40) + afterMs);
    const end = this.moment();
    // A refusal of a record that may have been sent before proves nothing, so it is left to a person, and the run goes on.
    const isOpen = (means === 'stops' || means === 'foreign') && isRefusal(answer) && mayHaveBeenSent;
    const seen = { ...this.seen[number - 1]!, end, answer: isOpen ? 'present' : means, askedMs } as const;
    this.seen[number - 1] = seen;
    if (seen.life === this.life) this.noteMisquotes(seen, fault?.misquotes);
    return answer;
  }

  /** Whether a request has one statement or instruction that an earlier request had, or that a life that ended may have marked as sent. */
  mayHaveBeenSent({ resource, account, records }: Arrived): boolean {
    const isRefusedWhole = resource === 'statements' || resource === 'payment-instructions';
    if (!isRefusedWhole || records.length !== 1) return false;
    const key = keyOf(resource, records[0]!);
    return this.life > 0 || this.seen.some((other) => other.account === account && other.keys.includes(key));
  }

  /** The answer of another account in exchange for this one; none when no other request comes, or when both answers are alike. */
  private swapped({ account }: Arrived, own: PlatformAnswer): Promise<PlatformAnswer> {
    const { waiting } = this;
    const lost: PlatformAnswer = { kind: 'lost', reason: 'reset' };
    if (waiting && waiting.account !== account) {
      this.waiting = undefined;
      const [one, other] = [waiting.own, own];
      const areAlike = one.kind !== 'answer' || other.kind !== 'answer' || sameRecords(one.body, other.body);
      waiting.give(areAlike ? lost : own);
      return Promise.resolve(areAlike ? lost : waiting.own);
    }
    return new Promise((give) => {
      const mine = { account, own, give };
      this.waiting ??= mine;
      if (this.waiting !== mine) return give(lost);
      this.time.after(SWAP_MS, () => {
        if (this.waiting === mine) this.waiting = undefined;
        give(lost);
      });
    });
  }

  /** Only the last answer that a living client has got about a record counts. */
  private noteMisquotes({ account, keys }: SeenRequest, misquotes: SimulatedFault['misquotes']): void {
    const names = keys.map((key) => `${account} ${key}`);
    for (const name of names) this.misquoted.delete(name);
    if (misquotes) this.misquoted.add(misquotes === 'first' ? names[0]! : names.at(-1)!);
  }

  private moment(): SeenRequest['start'] {
    return { atMs: this.time.monotonicMs(), order: this.time.nextOrder() };
  }

  private faulty(
    arrived: Arrived,
    fault: SimulatedFault,
  ): { answer: PlatformAnswer; means: AnswerClass; askedMs: number; afterMs: number } {
    const { chance, before = { kind: 'lost', reason: 'reset' } } = this;
    const { records } = arrived;
    const left = fault.applied === 'prefix' ? chance.below(records.length) : records.length - 1;
    // The answer as if all records had been added, which changes nothing.
    const foreseen = (): PlatformAnswer =>
      this.goodAnswer(
        arrived,
        records.map(() => 'added'),
      );
    switch (fault.applied) {
      case 'no':
        break;
      case 'yes':
        this.applied(arrived);
        break;
      case 'later':
        this.time.after(chance.pick([500, 5_000, 60_000, 1_200_000]), () => void this.applied(arrived));
        break;
      case 'prefix':
      case 'all but the last':
        this.applied({ ...arrived, records: records.slice(0, left) });
        break;
      default:
        fault.applied satisfies never;
    }
    const answer = fault.answer({ ...arrived, left, foreseen, before, chance, nowMs: this.time.nowMs() });
    return { answer, means: fault.means, askedMs: fault.askedMs?.(answer) ?? 0, afterMs: fault.afterMs ?? 0 };
  }

  /** Adds the records by the rules, all or none, and answers. */
  private applied(arrived: Arrived): { answer: PlatformAnswer; means: AnswerClass } {
    const { resource, records, asked } = arrived;
    const account = this.accounts.get(arrived.account)!;
    const kind = KIND_OF[resource];
    const wrong = records.findIndex((record) =>
      this.unwanted.has(`${arrived.account} ${keyOf(resource, record)}`),
    );
    if (wrong >= 0) return { answer: refusal(arrived, wrong, this.chance), means: 'present' };
    const isRefusedWhole = resource === 'statements' || resource === 'payment-instructions';
    // An account has one instruction, whatever its reference.
    const taken = records.filter((record) =>
      resource === 'payment-instructions'
        ? account.stored.some((stored) => stored.kind === kind)
        : account.holds(kind, record),
    );
    if (isRefusedWhole && taken.length > 0)
      return { answer: this.refusalOfExisting(arrived, new Set(taken)), means: 'present' };
    const effects = records.map((record) => account.add(kind, record, asked));
    const answer = this.goodAnswer(arrived, effects);
    this.before = answer;
    return { answer, means: 'ok' };
  }

  /** In the documented form or, for every second request of one record, in one that no document shows. */
  private refusalOfExisting(arrived: Arrived, taken: ReadonlySet<OracleRecord>): PlatformAnswer {
    const number = this.seen.length;
    if (!this.hasOddRefusals || arrived.records.length > 1 || number % 2 === 0)
      return alreadyThere(arrived, taken);
    const { resource } = arrived;
    const id = resource === 'statements' ? 'statements.0.statement_id' : 'reference';
    const [status, body] = UNDOCUMENTED[((number - 1) / 2) % UNDOCUMENTED.length]!;
    const headers = { 'content-type': 'application/json' };
    return { kind: 'answer', status, headers, body: JSON.stringify(body).replaceAll('ID', id) };
  }

  private goodAnswer(arrived: Arrived, effects: readonly string[]): PlatformAnswer {
    return { kind: 'answer', status: 201, headers: {}, body: exactText(goodAnswer(arrived, effects)) };
  }
}

/**
 * Refusals of an existing record with codes and in forms that no document shows. `ID` is the place of its id. No other field is named, so
 * nothing proves that the record is missing.
 */
const UNDOCUMENTED: readonly (readonly [status: number, body: unknown])[] = [
  [400, { detail: 'x', code: 'validation_error', errors: [{ detail: 'x', code: 'unique', attr: 'ID' }] }],
  [400, ['x']],
  [400, {}],
  [400, { detail: 'x' }],
  [409, { detail: 'x', code: 'conflict' }],
  [422, { errors: [{ detail: 'x', code: 'duplicate', attr: 'ID' }] }],
];

/** The 400 that names the existing records (deployments.md, "Responses"). */
function alreadyThere(arrived: Arrived, taken: ReadonlySet<OracleRecord>): PlatformAnswer {
  const { resource, account, records } = arrived;
  const code = 'historical_statement_already_exists';
  const body =
    resource === 'statements'
      ? {
          detail: 'x',
          code: 'validation_error',
          errors: records.flatMap((record, index) =>
            taken.has(record) ? [{ detail: 'x', code, attr: `statements.${index}.statement_id` }] : [],
          ),
        }
      : {
          error_detail: 'active already',
          external_account_number: account,
          import_supplier: 'ACME',
          reference: records[0]!['reference']!,
        };
  return { kind: 'answer', status: 400, headers: {}, body: JSON.stringify(body) };
}

/** Whether an answer has a status with which a platform may refuse records. */
const isRefusal = (answer: PlatformAnswer): boolean =>
  answer.kind === 'answer' && [400, 405, 409, 422].includes(answer.status);
