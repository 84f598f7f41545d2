import type { Platform, PlatformAnswer, PlatformRequest } from '../../src/cli/push/ports/platform.ts';
import { applied, goodResponse, type Applied } from './applied-request.ts';
import type { Chance } from './chance.ts';
import type { OracleAccounts } from './oracle/oracle.ts';
import { RuledAccount } from './oracle/rules.ts';
import type { AnswerClass, SeenRequest } from './request-log.ts';
import { keyOf } from './simulated-answers.ts';
import { refusal, type SimulatedFault } from './simulated-faults.ts';
import { readRequest, type Arrived } from './simulated-request.ts';
import type { VirtualTime } from './virtual-time.ts';

/** Chooses the fault of a request; undefined for none. */
export type FaultChoice = (arrived: Arrived) => SimulatedFault | undefined;

/** A platform in memory with the rules of the oracle, on virtual time. Requests in flight arrive, also after the client died. */
export class SimulatedPlatform implements Platform {
  readonly accounts: ReadonlyMap<string, RuledAccount>;
  readonly seen: SeenRequest[] = [];
  /** Chooses the faults from now on. */
  choose: FaultChoice = () => undefined;
  life = 0;
  /** Records that are always refused, as `account key`. */
  unwanted: ReadonlySet<string> = new Set();
  private readonly time: VirtualTime;
  private readonly chance: Chance;
  private before: PlatformAnswer | undefined;

  constructor(accounts: OracleAccounts, time: VirtualTime, chance: Chance) {
    this.accounts = new Map([...accounts].map(([number, open]) => [number, new RuledAccount(open)]));
    this.time = time;
    this.chance = chance;
  }

  async send(request: PlatformRequest): Promise<PlatformAnswer> {
    const arrived = readRequest(request);
    const fault = this.choose(arrived);
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
    const { answer, means, askedMs, afterMs } = fault
      ? this.faulty(arrived, fault)
      : { ...this.applied(arrived), askedMs: 0, afterMs: 0 };
    await this.time.sleep(this.chance.below(40) + afterMs);
    this.seen[number - 1] = { ...this.seen[number - 1]!, end: this.moment(), answer: means, askedMs };
    return answer;
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
      goodResponse(
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

  private applied(arrived: Arrived): Applied {
    const { resource, records } = arrived;
    const wrong = records.findIndex((record) =>
      this.unwanted.has(`${arrived.account} ${keyOf(resource, record)}`),
    );
    if (wrong >= 0) return { answer: refusal(arrived, wrong, this.chance), means: 'present' };
    const result = applied(this.accounts.get(arrived.account)!, arrived);
    if (result.means === 'ok') this.before = result.answer;
    return result;
  }
}
