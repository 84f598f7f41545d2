import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { ALL_OUTCOMES } from '../../../src/cli/journal/database/packed-outcomes.ts';
import { OUTCOME_OF_RECORD } from '../../../src/cli/journal/database/outcome-sql.ts';
import { chanceFrom, type Chance } from '../chance.ts';
import { ledgerDifference, ledgerViolations, type LedgerDifference } from '../invariants/ledger.ts';
import { reportViolations } from '../invariants/report.ts';
import { requestViolations } from '../invariants/requests.ts';
import { violation, type Violation } from '../invariants/violation.ts';
import { live, type Failpoint, type LifeEnd } from '../life.ts';
import { canonical } from '../oracle/canonical.ts';
import { canonicalOf, type CanonicalLedger } from '../oracle/oracle.ts';
import { KIND_OF } from '../oracle/records.ts';
import { keyOf } from '../simulated-answers.ts';
import { SimulatedPlatform, type FaultChoice } from '../simulated-platform.ts';
import { FAULTS, type SimulatedFault } from '../simulated-faults.ts';
import { VirtualTime } from '../virtual-time.ts';
import {
  templateOf,
  TEMPLATES_PER_VARIANT,
  VARIANTS,
  type Template,
  type Variant,
} from './fault-template.ts';

/** The result of one run. */
export interface FaultRunResult {
  readonly seed: number;
  readonly variant: Variant;
  readonly deaths: readonly Failpoint[];
  /** Early ends by a signal or a limit, by their kind. */
  readonly ends: readonly string[];
  readonly faults: readonly string[];
  readonly requests: number;
  readonly lives: number;
  readonly rows: number;
  readonly difference: LedgerDifference;
  readonly violations: readonly Violation[];
}

/** What ends the lives of a run early. `signal`: one or two signals. `limit`: `--max-duration`. */
const DANGERS = ['none', 'death', 'death', 'death', 'signal', 'limit'] as const;
type Danger = (typeof DANGERS)[number];

/** Ends of a drain that a signal or an option causes. */
const SET_ENDS: ReadonlySet<string> = new Set(['interrupted', 'time_over']);

/** Lives with faults. Later lives have none. */
const FAULTY_LIVES = 6;

/** Lives without faults in which every run must finish. */
const CALM_LIVES = 3;

/** Makes runs that meet faults and deaths. The seed of a run decides everything in it. */
export function faultRuns(folder: string): (seed: number) => Promise<FaultRunResult> {
  const templates = new Map<string, Promise<Template>>();
  return async (seed) => {
    const chance = chanceFrom(seed);
    const variant = VARIANTS[seed % VARIANTS.length]!;
    const number = chance.below(TEMPLATES_PER_VARIANT);
    const name = `${variant} ${number}`;
    const template = templates.get(name) ?? templateOf(variant, number, folder);
    templates.set(name, template);
    return new FaultRun(seed, variant, chance, await template).result(join(folder, 'run.sqlite'));
  };
}

class FaultRun {
  private readonly seed: number;
  private readonly variant: Variant;
  private readonly chance: Chance;
  private readonly template: Template;
  private readonly time: VirtualTime;
  private readonly platform: SimulatedPlatform;
  private readonly deaths: Failpoint[] = [];
  private readonly ends: string[] = [];
  private readonly faults: string[] = [];
  /** By account, in their order. */
  private readonly faultsOf = new Map<string, readonly SimulatedFault[]>();
  private readonly violations: Violation[] = [];
  private readonly retryForMs: number;
  private lives = 0;

  constructor(seed: number, variant: Variant, chance: Chance, template: Template) {
    this.seed = seed;
    this.variant = variant;
    this.chance = chance;
    this.template = template;
    this.time = new VirtualTime(chance, { jumps: Math.floor(seed / 8) % 2 === 1 });
    this.platform = new SimulatedPlatform(template.accounts, this.time, chance);
    this.platform.hasOddRefusals = true;
    this.retryForMs = chance.pick([900_000, 900_000, 60_000]);
  }

  async result(path: string): Promise<FaultRunResult> {
    const { file, expected } = this.template;
    for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
    writeFileSync(path, this.template.bytes);
    this.platform.choose = this.faultChoice();
    this.platform.unwanted = this.template.unwantedKeys;
    const danger = this.chance.pick(DANGERS);
    let last = await this.nextLife(path, danger);
    while (!isFinished(last) && this.lives < FAULTY_LIVES) last = await this.nextLife(path, danger);
    this.platform.choose = () => undefined;
    // A delayed application may happen at any time, also after the run has ended.
    if (this.chance.below(2) === 0) await this.time.untilQuiet();
    for (let calm = 0; !isFinished(last) && calm < CALM_LIVES; calm++)
      last = await this.nextLife(path, 'none');
    await this.time.untilQuiet();
    await this.expectNothingMore(path);

    const actual = canonicalOf(this.platform.accounts);
    const ofKind = new Map([...actual].filter(([key]) => key.endsWith(` ${KIND_OF[file.resource]}`)));
    if (!isFinished(last)) this.violations.push(violation('I10', 'the run does not finish'));
    const open = outcomesIn(path).filter((row) => this.isOpenRefusal(row)).length;
    const { verify, rejected } = last.report.rows;
    const rows = { ...last.report.rows, verify: verify - open, rejected: rejected + open };
    const report = { rows, totals: last.report.controlTotals, exit: exitOf(last) };
    const refused = this.template.unwanted.size;
    const merged = this.template.rows.length - refused - countOf(expected, KIND_OF[file.resource]);
    if (rows.rejected !== refused)
      this.violations.push(
        violation('I2', `${rows.rejected} rows are reported as rejected, and ${refused} were`),
      );
    this.violations.push(
      ...ledgerViolations(expected, actual),
      ...reportViolations(report, {
        rowsInFile: this.template.rows.length,
        ledger: ofKind,
        merged,
        toVerify: this.toVerify(path),
      }),
      ...requestViolations(this.platform.seen, {
        batchBytes: this.template.batchBytes,
        retryForMs: this.retryForMs,
        setsAside: this.variant.endsWith(', skip'),
      }),
    );
    return {
      seed: this.seed,
      variant: this.variant,
      deaths: this.deaths,
      ends: this.ends,
      faults: this.faults,
      requests: this.platform.seen.length,
      lives: this.lives,
      rows: this.template.rows.length,
      difference: ledgerDifference(expected, actual),
      violations: this.violations,
    };
  }

  /** Chooses the faults of this run and how often they happen. */
  private faultChoice(): FaultChoice {
    const { chance } = this;
    const often = chance.pick([0.1, 0.3, 0.6]);
    const kinds = chance.pick([1, 2, 5, FAULTS.length]);
    const all = FAULTS.filter((fault) => this.mayHappen(fault));
    const mine = kinds >= all.length ? all : Array.from({ length: kinds }, () => chance.pick(all));
    return (arrived) => {
      if (chance.next() >= often) return undefined;
      const fault = chance.pick(mine);
      if (fault.fits && !fault.fits(arrived)) return undefined;
      // This 400 is gone at the next attempt, and no attempt follows: without a field it leaves a record in doubt to a person.
      if (fault.name === '400' && this.platform.mayHaveBeenSent(arrived)) return undefined;
      this.faults.push(fault.name);
      this.faultsOf.set(arrived.account, [...(this.faultsOf.get(arrived.account) ?? []), fault]);
      return fault;
    };
  }

  /** Without the check, a request that is applied after it was given up repeats its records (docs/campaigns.md). */
  private mayHappen({ applied, name, means, misquotes }: SimulatedFault): boolean {
    // The answer calls all records added, so none of them may be refused.
    if (this.variant.endsWith(', skip') && misquotes) return false;
    // A rejected record that was set aside is not sent again, so it must be rejected for good.
    if (this.variant.endsWith(', skip') && means === 'stops' && /^(?:201|400)/.test(name)) return false;
    // A payment instruction is never sent again after a 400 (interface.md 4.5).
    if (this.template.file.resource === 'payment-instructions' && name === '400') return false;
    return !this.variant.startsWith('transactions, check off') || applied !== 'later';
  }

  /** Runs one life of the client, which may end early. */
  private async nextLife(path: string, danger: Danger): Promise<LifeEnd> {
    const { chance, time, platform } = this;
    const at = chance.below(25);
    const isTwice = chance.below(2) === 0;
    const maxDurationMs = danger === 'limit' ? chance.pick([200, 2_000, 30_000]) : undefined;
    const [stopping, abort] = [new AbortController(), new AbortController()];
    const [number, startedMs] = [platform.life, time.monotonicMs()];
    let interruptedAt = Infinity;
    let passed = 0;
    const interruptNow = (): void => {
      interruptedAt = time.nextOrder();
      stopping.abort();
      if (isTwice) time.after(chance.below(60), () => abort.abort());
    };
    const life = await live({
      path,
      platform,
      timing: time,
      isResumed: this.lives > 0,
      concurrency: chance.pick([1, 2, 4]),
      retryForMs: this.retryForMs,
      fate: () => {
        const isThere = passed++ === at;
        // A signal arrives between two steps, never within one.
        if (danger === 'signal' && isThere) time.after(chance.below(30), interruptNow);
        return danger === 'death' && isThere;
      },
      onDeath: () => platform.life++,
      maxDurationMs,
      stopping: stopping.signal,
      abort: abort.signal,
    });
    this.lives++;
    const begun = platform.seen.filter((request) => request.life === number).map(({ start }) => start);
    if (begun.some(({ order }) => order > interruptedAt))
      this.violations.push(violation('I7', 'a request began after the run was interrupted'));
    if (begun.some(({ atMs }) => atMs > startedMs + (maxDurationMs ?? Infinity)))
      this.violations.push(violation('I9', `a request began after ${maxDurationMs} ms were over`));
    // A request in flight must not be overtaken by the next attempt, see mayHappen.
    if (this.variant.includes(', check off')) await time.untilQuiet();
    if (life.kind === 'died') this.deaths.push(life.at);
    else {
      platform.life++;
      // A second signal also ends requests of a life that has stopped for another reason.
      if (abort.signal.aborted) this.ends.push('aborted');
      else if (SET_ENDS.has(life.end.kind)) this.ends.push(life.end.kind);
    }
    this.expectTrue(path);
    return life;
  }

  /** Checks I6 at the end of every life. */
  private expectTrue(path: string): void {
    const outcomes = outcomesIn(path);
    const { resource } = this.template.file;
    const kind = KIND_OF[resource];
    // When two notes are equal, nothing shows which of them the platform has.
    const isNamed = resource !== 'notes';
    for (const { seq, outcome } of outcomes) {
      const { account, record } = this.template.rows[seq - 1]!;
      const isThere = this.platform.accounts.get(account)!.holds(kind, record);
      const isDenied = outcome === 'not_sent' || (outcome === 'rejected' && this.isProvenByRefusals(account));
      if (
        isThere ? isNamed && isDenied : !MAY_BE_ABSENT.has(outcome) && !this.isOpenRefusal({ seq, outcome })
      )
        this.violations.push(
          violation('I6', `row ${seq} is reported as ${outcome} and is ${isThere ? '' : 'not '}present`),
        );
      // Another run may have created a record under its id, so only `created` says that this very record was stored.
      if (outcome === 'created' && this.platform.misquoted.has(`${account} ${keyOf(resource, record)}`))
        this.violations.push(
          violation('I6', `row ${seq} is reported as created, and the answer repeated another value`),
        );
    }
  }

  /** The records of the rows that are reported as `verify`, as the ledger has them. */
  private toVerify(path: string): readonly string[] {
    return outcomesIn(path)
      .filter((row) => row.outcome === 'verify' && !this.isOpenRefusal(row))
      .map(({ seq }) => canonical(this.template.rows[seq - 1]!.record));
  }

  /**
   * Whether a row is to be verified because the platform refused it after an answer was lost. A refusal that names no field does not
   * prove that the platform lacks the record.
   */
  private isOpenRefusal({ seq, outcome }: { readonly seq: number; readonly outcome: string }): boolean {
    const { file, rows, unwanted } = this.template;
    const mayBeLost =
      this.deaths.length > 0 || this.ends.includes('aborted') || this.faultsOf.has(rows[seq - 1]!.account);
    return (
      outcome === 'verify' &&
      (file.resource === 'statements' || file.resource === 'payment-instructions') &&
      unwanted.has(seq - 1) &&
      mayBeLost
    );
  }

  /**
   * Whether a rejected transaction of an account is surely missing. A platform that validates a record before it looks for an
   * existing one may reject a record that an earlier attempt has added. Here no request but the last may have added records.
   */
  private isProvenByRefusals(account: string): boolean {
    const [last, ...before] = (this.faultsOf.get(account) ?? []).toReversed();
    const mayBeStored = ({ applied }: SimulatedFault): boolean => applied !== 'no';
    return (
      this.template.file.resource === 'transactions' &&
      this.deaths.length === 0 &&
      !this.ends.includes('aborted') &&
      (!last || !mayBeStored(last) || /^400.* after a part$/.test(last.name)) &&
      !before.some(mayBeStored)
    );
  }

  /** Checks I11. Refused records are sent once more, except an instruction (interface.md 4.5). */
  private async expectNothingMore(path: string): Promise<void> {
    const before = this.platform.seen.length;
    await this.nextLife(path, 'none');
    const { file, unwantedKeys } = this.template;
    const isRefused = (name: string): boolean =>
      file.resource !== 'payment-instructions' && unwantedKeys.has(name);
    const more = this.platform.seen
      .slice(before)
      .filter(({ account, keys }) => !keys.every((key) => isRefused(`${account} ${key}`)));
    if (more.length > 0)
      this.violations.push(violation('I11', `${more.length} requests were sent after the end`));
  }
}

function outcomesIn(path: string): readonly { readonly seq: number; readonly outcome: string }[] {
  const file = new Database(path, { readonly: true });
  try {
    return file
      .prepare<[], { seq: number; outcome: string }>(
        `WITH outcome AS (${ALL_OUTCOMES})
         SELECT seq, ${OUTCOME_OF_RECORD} AS outcome FROM record LEFT JOIN outcome USING (seq) WHERE state = 'valid'`,
      )
      .all();
  } finally {
    file.close();
  }
}

function isFinished(life: LifeEnd): boolean {
  return life.kind === 'ended' && life.end.kind === 'finished';
}

/** Outcomes of records that the platform may not have. */
const MAY_BE_ABSENT: ReadonlySet<string> = new Set(['rejected', 'unknown', 'not_sent']);

/** The exit code of a finished run (docs/exit-codes.md); null for another end. */
function exitOf(life: LifeEnd): number | null {
  if (!isFinished(life)) return null;
  const { verify, rejected, invalid } = life.report.rows;
  return verify + rejected + invalid > 0 ? 6 : 0;
}

function countOf(ledger: CanonicalLedger, kind: string): number {
  return [...ledger].reduce(
    (sum, [key, records]) => sum + (key.endsWith(` ${kind}`) ? records.length : 0),
    0,
  );
}
