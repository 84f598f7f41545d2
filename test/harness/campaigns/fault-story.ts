import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { RunFile } from '../../../src/cli/run-file/run-file.ts';
import { chanceFrom, type Chance } from '../chance.ts';
import { generatedMigration } from '../generated-migration.ts';
import { ledgerDifference, ledgerViolations, type LedgerDifference } from '../invariants/ledger.ts';
import { reportViolations } from '../invariants/report.ts';
import { requestViolations } from '../invariants/requests.ts';
import { violation, type Violation } from '../invariants/violation.ts';
import { live, type Failpoint, type LifeEnd } from '../life.ts';
import { csvRows } from '../oracle/csv-rows.ts';
import { canonicalOf, expectedLedger, type CanonicalLedger, type OracleFile } from '../oracle/oracle.ts';
import { KIND_OF, recordOfRow, type AccountRecord } from '../oracle/records.ts';
import { SimulatedPlatform, type FaultChoice } from '../simulated-platform.ts';
import { FAULTS, type SimulatedFault } from '../simulated-faults.ts';
import { keyOf } from '../simulated-answers.ts';
import { RUN_ID, stagedBytes } from '../staged-run.ts';
import { VirtualTime } from '../virtual-time.ts';

/**
 * Every way of sending: the four resources, transactions that the platform is told not to look for, and files with rows
 * that the platform does not want (`--on-reject skip`).
 */
export const WAYS = [
  'notes',
  'transactions',
  'transactions, check off',
  'statements',
  'payment-instructions',
  'notes, skip',
  'transactions, skip',
  'statements, skip',
  'payment-instructions, skip',
] as const;
export type Way = (typeof WAYS)[number];

/** What one story came to. */
export interface StoryResult {
  readonly seed: number;
  readonly way: Way;
  readonly deaths: readonly Failpoint[];
  readonly faults: readonly string[];
  readonly requests: number;
  readonly lives: number;
  readonly rows: number;
  readonly difference: LedgerDifference;
  readonly violations: readonly Violation[];
}

interface Template {
  readonly file: OracleFile;
  readonly accounts: ReturnType<typeof generatedMigration>['accounts'];
  readonly bytes: Uint8Array;
  readonly rows: readonly AccountRecord[];
  readonly expected: CanonicalLedger;
  /** Rows that the platform refuses, counted from 0, and their keys. */
  readonly unwanted: ReadonlySet<number>;
  readonly unwantedKeys: ReadonlySet<string>;
}

/** Files of each way that stories are told about. */
const TEMPLATES_PER_WAY = 12;

/** Lives in which anything may happen; then the world is calm. */
const TROUBLED_LIVES = 6;

/** Lives of a calm world that must be enough. */
const CALM_LIVES = 3;

/** Tells stories of runs that meet faults and deaths; what happens in each depends on its seed alone. */
export function storyteller(folder: string): (seed: number) => Promise<StoryResult> {
  const templates = new Map<string, Promise<Template>>();
  return async (seed) => {
    const chance = chanceFrom(seed);
    const way = WAYS[seed % WAYS.length]!;
    const number = chance.below(TEMPLATES_PER_WAY);
    const name = `${way} ${number}`;
    const template = templates.get(name) ?? templateOf(way, number, folder);
    templates.set(name, template);
    return new Story(seed, way, chance, await template).told(join(folder, 'story.sqlite'));
  };
}

async function templateOf(way: Way, number: number, folder: string): Promise<Template> {
  const size = { accounts: 1 + (number % 4), notes: 6, transactions: 6, statements: 5 };
  const { files, accounts } = generatedMigration(1000 + number, size);
  const file = files.find(({ resource }) => way.startsWith(resource))!;
  const batchSize = way === 'payment-instructions' ? 1 : 1 + (number % 3);
  mkdirSync(folder, { recursive: true });
  const isSkipping = way.endsWith(', skip');
  const staging = {
    check: way !== 'transactions, check off',
    onReject: isSkipping ? 'skip' : 'stop',
  } as const;
  const bytes = await stagedBytes({ file, batchSize, ...staging }, folder);
  const rows = csvRows(file.text).map(recordOfRow);
  const keys = rows.map(({ account, record }) => `${account} ${keyOf(file.resource, record)}`);
  // Whoever is refused is so wherever it stands in the file.
  const unwantedKeys = new Set(isSkipping ? keys.filter((_, index) => (index + number) % 4 === 0) : []);
  const unwanted = new Set([...rows.keys()].filter((row) => unwantedKeys.has(keys[row]!)));
  const expected = expectedLedger([file], accounts, (_, row) => unwanted.has(row));
  return { file, accounts, bytes, rows, expected, unwanted, unwantedKeys };
}

class Story {
  private readonly seed: number;
  private readonly way: Way;
  private readonly chance: Chance;
  private readonly template: Template;
  private readonly time: VirtualTime;
  private readonly platform: SimulatedPlatform;
  private readonly deaths: Failpoint[] = [];
  private readonly faults: string[] = [];
  private readonly violations: Violation[] = [];
  private readonly retryForMs: number;
  private lives = 0;

  constructor(seed: number, way: Way, chance: Chance, template: Template) {
    this.seed = seed;
    this.way = way;
    this.chance = chance;
    this.template = template;
    this.time = new VirtualTime(chance);
    this.platform = new SimulatedPlatform(template.accounts, this.time, chance);
    this.retryForMs = chance.pick([900_000, 900_000, 60_000]);
  }

  async told(path: string): Promise<StoryResult> {
    const { file, expected } = this.template;
    for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
    writeFileSync(path, this.template.bytes);
    this.platform.choose = this.trouble();
    this.platform.unwanted = this.template.unwantedKeys;
    const isMortal = this.chance.below(3) > 0;
    const diesAt = (): number => (isMortal ? this.chance.below(25) : Infinity);
    let last = await this.nextLife(path, diesAt());
    while (!isFinished(last) && this.lives < TROUBLED_LIVES) last = await this.nextLife(path, diesAt());
    this.platform.choose = () => undefined;
    // What a platform owes may come at any time, also after the run has ended.
    if (this.chance.below(2) === 0) await this.time.untilQuiet();
    for (let calm = 0; !isFinished(last) && calm < CALM_LIVES; calm++)
      last = await this.nextLife(path, Infinity);
    await this.time.untilQuiet();
    await this.expectNothingMore(path);

    const actual = canonicalOf(this.platform.accounts);
    const ofKind = new Map([...actual].filter(([key]) => key.endsWith(` ${KIND_OF[file.resource]}`)));
    if (!isFinished(last)) this.violations.push(violation('I10', 'the run does not come to an end'));
    const says = { rows: last.report.rows, totals: last.report.controlTotals, exit: exitOf(last) };
    const refused = this.template.unwanted.size;
    const merged = this.template.rows.length - refused - countOf(expected, KIND_OF[file.resource]);
    if (last.report.rows.rejected !== refused)
      this.violations.push(
        violation('I2', `${last.report.rows.rejected} rows are told as refused, ${refused} were`),
      );
    this.violations.push(
      ...ledgerViolations(expected, actual),
      ...reportViolations(says, { rowsInFile: this.template.rows.length, ledger: ofKind, merged }),
      ...requestViolations(this.platform.seen, { retryForMs: this.retryForMs }),
    );
    return {
      seed: this.seed,
      way: this.way,
      deaths: this.deaths,
      faults: this.faults,
      requests: this.platform.seen.length,
      lives: this.lives,
      rows: this.template.rows.length,
      difference: ledgerDifference(expected, actual),
      violations: this.violations,
    };
  }

  /** Which faults this story is about, and how often they happen. */
  private trouble(): FaultChoice {
    const { chance } = this;
    const often = chance.pick([0.1, 0.3, 0.6]);
    const kinds = chance.pick([1, 2, 5, FAULTS.length]);
    const all = FAULTS.filter((fault) => this.mayHappen(fault));
    const mine = kinds >= all.length ? all : Array.from({ length: kinds }, () => chance.pick(all));
    return (arrived) => {
      if (chance.next() >= often) return undefined;
      const fault = chance.pick(mine);
      if (fault.fits && !fault.fits(arrived)) return undefined;
      this.faults.push(fault.name);
      return fault;
    };
  }

  /** With the check off, a request that is applied after it was given up repeats its records (reliability.md). */
  private mayHappen({ applied, name, means }: SimulatedFault): boolean {
    // A record that is refused once and set aside is not asked for again.
    if (this.way.endsWith(', skip') && means === 'stops' && /^(?:201|400)/.test(name)) return false;
    return this.way !== 'transactions, check off' || applied !== 'later';
  }

  /** One life of the client, which dies at the failpoint of that number unless it ends before. */
  private async nextLife(path: string, diesAt: number): Promise<LifeEnd> {
    let passed = 0;
    const life = await live({
      run: RunFile.open(path, RUN_ID),
      platform: this.platform,
      timing: this.time,
      isResumed: this.lives > 0,
      concurrency: this.chance.pick([1, 2, 4]),
      retryForMs: this.retryForMs,
      fate: () => passed++ === diesAt,
      onDeath: () => this.platform.life++,
    });
    this.lives++;
    // What is on its way must not be overtaken by the attempt after it, see mayHappen.
    if (this.way === 'transactions, check off') await this.time.untilQuiet();
    if (life.kind === 'died') this.deaths.push(life.at);
    else this.platform.life++;
    this.expectTrue(path);
    return life;
  }

  /** I6, at every moment at which somebody could ask. */
  private expectTrue(path: string): void {
    const file = new Database(path, { readonly: true });
    const outcomes = file.prepare(`SELECT seq, outcome FROM outcome WHERE outcome <> 'rejected'`).all() as {
      seq: number;
      outcome: string;
    }[];
    file.close();
    const kind = KIND_OF[this.template.file.resource];
    for (const { seq, outcome } of outcomes) {
      const { account, record } = this.template.rows[seq - 1]!;
      if (!this.platform.accounts.get(account)!.holds(kind, record))
        this.violations.push(violation('I6', `row ${seq} is told as ${outcome} and is not there`));
    }
  }

  /** I11. */
  private async expectNothingMore(path: string): Promise<void> {
    const before = this.platform.seen.length;
    await this.nextLife(path, Infinity);
    const more = this.platform.seen.length - before;
    if (more > 0) this.violations.push(violation('I11', `${more} requests were sent after the end`));
  }
}

function isFinished(life: LifeEnd): boolean {
  return life.kind === 'ended' && life.end.kind === 'finished';
}

/** The exit code that stands for the end of a drain (cli.md); null where the command has more to say. */
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
