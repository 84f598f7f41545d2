import { cpSync, existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { main } from '../../../src/cli/main.ts';
import type { PlatformAnswer, PlatformRequest } from '../../../src/cli/push/ports/platform.ts';
import type { Timing } from '../../../src/cli/push/ports/timing.ts';
import { chanceFrom, type Chance } from '../chance.ts';
import { canonicalOf, type CanonicalLedger } from '../oracle/oracle.ts';
import type { SeenRequest } from '../request-log.ts';
import { keyOf, PATHS } from '../simulated-answers.ts';
import type { SimulatedFault } from '../simulated-faults.ts';
import { simulatedIo, type SimulatedIo } from '../simulated-io.ts';
import { answerAt, type Answerer } from '../simulated-network.ts';
import { SimulatedPlatform } from '../simulated-platform.ts';
import { readRequest } from '../simulated-request.ts';
import { VirtualTime } from '../virtual-time.ts';
import type { Disturbance, LifeEnded, LifeWorld } from './life-world.ts';

const ORIGIN = 'https://platform.example';
const DATABASE = { 'dataimport-database': 'simulated' };

const answer = (status: number, body: unknown, headers = {}): PlatformAnswer => ({
  kind: 'answer',
  status,
  headers: { ...DATABASE, ...headers },
  body: JSON.stringify(body),
});
const TOKEN = answer(200, { data: { obtainPlatformToken: { token: 'a-token' } } });
const LOST: PlatformAnswer = { kind: 'lost', reason: 'reset' };

const fault = (
  name: string,
  applied: 'no' | 'yes',
  means: SimulatedFault['means'],
  reply: PlatformAnswer,
): SimulatedFault => ({ name, applied, means, answer: () => reply });
const NOT_IMPORTED = fault(
  'not imported',
  'no',
  'present',
  answer(404, { detail: 'x', code: 'account_not_found' }),
);
const THROTTLED = fault('throttled', 'no', 'not_applied', answer(429, {}, { 'retry-after': '1' }));
const PAUSED = fault('paused', 'no', 'ambiguous', answer(503, {}, { 'retry-after': '3000' }));
const BROKEN_OFF = fault('lost', 'no', 'ambiguous', LOST);
const BROKEN_OFF_APPLIED = fault('lost, applied', 'yes', 'ambiguous', LOST);

/** How long a killed server is away, in milliseconds. */
const DOWN_MS = 3_000;

/** The command as a process that may die. */
interface Process {
  readonly io: SimulatedIo;
  requests: number;
  isDead: boolean;
  /** Whether it waits for no answer any more, after a second signal. */
  gaveUp: boolean;
}

/** A world in this process, on simulated time. The whole command is real but for its sockets, its clock and its output. */
export class SimulatedWorld implements LifeWorld {
  readonly cwd: string;
  readonly runs: string;
  readonly seen: SeenRequest[] = [];
  readonly hasOperator = true;
  private readonly time: VirtualTime;
  private readonly platform: SimulatedPlatform;
  private readonly staged = new Set<string>();
  private readonly leave: () => void;
  private readonly seed: number;
  /** Thrown anew for each command, so that a command does not depend on what was left of the one before. */
  private dice: Chance;
  private commands = 0;
  private disturbance: Disturbance | undefined;
  private running: Process | undefined;
  private downUntilMs = -Infinity;

  constructor(cwd: string, accounts: readonly string[], seed: number) {
    this.seed = seed;
    this.dice = chanceFrom(seed);
    const chance: Chance = {
      next: () => this.dice.next(),
      below: (limit) => this.dice.below(limit),
      pick: (from) => this.dice.pick(from),
    };
    this.cwd = cwd;
    this.runs = join(cwd, 'runs');
    this.time = new VirtualTime(chance);
    this.platform = new SimulatedPlatform(
      new Map(accounts.map((account) => [account, undefined])),
      this.time,
      chance,
    );
    this.leave = answerAt(ORIGIN, (request) => this.answered(request));
  }

  async command(words: readonly string[], disturbance?: Disturbance): Promise<LifeEnded> {
    this.disturbance = disturbance;
    const process = this.begin();
    this.running = process;
    const exitCode = await main(words, process.io);
    await this.time.untilQuiet();
    const { stdout, stderr } = process.io.printed;
    this.running = undefined;
    this.disturbance = undefined;
    this.platform.life++;
    if (!process.isDead) return { exitCode, stdout, stderr };
    rmSync(this.runs, { recursive: true, force: true });
    if (existsSync(this.deathbed)) renameSync(this.deathbed, this.runs);
    return { exitCode: undefined, stdout: '', stderr: '' };
  }

  async twice(words: readonly string[]): Promise<readonly LifeEnded[]> {
    const processes = [this.begin(), this.begin()];
    const ended = await Promise.all(
      processes.map(async ({ io }) => ({ exitCode: await main(words, io), ...io.printed })),
    );
    await this.time.untilQuiet();
    this.platform.life++;
    return ended;
  }

  async ledger(): Promise<CanonicalLedger> {
    return canonicalOf(this.platform.accounts);
  }

  async setImported(account: string, isImported: boolean): Promise<void> {
    if (isImported) this.staged.delete(account);
    else this.staged.add(account);
  }

  refuse(names: ReadonlySet<string>): void {
    this.platform.unwanted = names;
  }

  async close(): Promise<void> {
    await this.time.untilQuiet();
    this.leave();
  }

  private begin(): Process {
    this.dice = chanceFrom(this.seed + 7_919 * ++this.commands);
    const env = {
      DATAIMPORT_BASE_URL: ORIGIN,
      DATAIMPORT_API_KEY: 'local-key',
      DATAIMPORT_RUN_DIR: this.runs,
    };
    const { time } = this;
    let looks = 0;
    // A process that dies at any time dies where it looks at the clock, so that the seed decides when.
    const looked = <T>(at: T): T => {
      const { disturbance } = this;
      if (disturbance?.kind === 'kill at any time' && ++looks === disturbance.after) this.kill(process);
      return at;
    };
    const timing: Timing = {
      nowMs: () => looked(time.nowMs()),
      monotonicMs: () => looked(time.monotonicMs()),
      sleep: (waitMs, signal) => time.sleep(waitMs, signal),
      random: () => time.random(),
    };
    const process: Process = {
      io: simulatedIo({ env, cwd: this.cwd, timing }),
      requests: 0,
      isDead: false,
      gaveUp: false,
    };
    return process;
  }

  /** The folder as the process leaves it that died. */
  private get deathbed(): string {
    return `${this.runs}-of-the-dead`;
  }

  /**
   * Kills the process: the files are kept as they are now, as the system keeps what was written. The code that still runs
   * finishes, and nothing that it does counts.
   */
  private kill(process: Process): void {
    if (process.isDead || this.running !== process) return;
    process.isDead = true;
    this.platform.life++;
    const isKept = (path: string): boolean => !path.endsWith('-shm');
    if (existsSync(this.runs)) cpSync(this.runs, this.deathbed, { recursive: true, filter: isKept });
    process.io.raise('SIGINT');
    process.io.raise('SIGINT');
  }

  /** Acts after so many turns of the event loop. */
  private after(turns: number, act: () => void): void {
    if (turns <= 0) act();
    else setImmediate(() => this.after(turns - 1, act));
  }

  private answered(request: PlatformRequest): ReturnType<Answerer> {
    return this.time.monotonicMs() < this.downUntilMs
      ? { kind: 'not_sent', reason: 'refused' }
      : this.exchanged(request);
  }

  private async exchanged(request: PlatformRequest): Promise<PlatformAnswer> {
    const process = this.running;
    if (process?.isDead) return LOST;
    const path = request.path.split('?')[0]!;
    if (path === '/v1/graphql/') return TOKEN;
    const resource = PATHS.get(path);
    if (!resource) return this.asked(path);
    const number = process ? ++process.requests : 0;
    const disturbance = process && this.disturbance;
    const isHere = disturbance !== undefined && 'at' in disturbance && disturbance.at === number;
    if (process && isHere && disturbance.kind === 'signals') {
      process.io.raise('SIGINT');
      if (disturbance.twice)
        this.time.after(20, () => {
          process.io.raise('SIGINT');
          process.gaveUp = true;
        });
    }
    if (process && isHere && disturbance.kind === 'kill' && disturbance.phase === 'arrived') {
      this.seen.push(this.unanswered(request));
      this.kill(process);
      return LOST;
    }
    this.platform.choose = (arrived) => {
      if (this.staged.has(arrived.account)) return NOT_IMPORTED;
      if (disturbance === undefined || !('at' in disturbance) || number < disturbance.at) return undefined;
      if (disturbance.kind === 'paused') return PAUSED;
      if (disturbance.kind === 'throttled' && number < disturbance.at + 3) return THROTTLED;
      return disturbance.kind === 'server killed' && isHere
        ? disturbance.applied
          ? BROKEN_OFF_APPLIED
          : BROKEN_OFF
        : undefined;
    };
    const at = this.platform.seen.length;
    const mine = this.seen.push(this.unanswered(request)) - 1;
    const sent = this.platform.send(request);
    if (isHere && disturbance.kind === 'server killed') this.downUntilMs = this.time.monotonicMs() + DOWN_MS;
    const result = await sent;
    if (process && isHere && disturbance.kind === 'kill' && disturbance.phase === 'applied')
      this.kill(process);
    if (process?.isDead || process?.gaveUp) return LOST;
    this.seen[mine] = this.platform.seen[at]!;
    if (process && isHere && disturbance.kind === 'kill' && disturbance.phase === 'answered')
      this.after(number % 5, () => this.kill(process));
    return result.kind === 'answer' ? { ...result, headers: { ...DATABASE, ...result.headers } } : result;
  }

  /** A question about accounts. */
  private asked(path: string): PlatformAnswer {
    const all = [...this.platform.accounts.keys()];
    const numberOf = (account: string): string | null => (this.staged.has(account) ? null : `A-${account}`);
    if (path.includes('-account-import-processes/'))
      return answer(
        200,
        all.map((account) => ({
          external_account_number: account,
          platform_account_number: numberOf(account),
          account_created_at: null,
        })),
      );
    const account = path.split('/').at(-2)!;
    const isImported = !this.staged.has(account);
    return answer(200, {
      status: isImported ? 'COMPLETED' : 'IN_PROGRESS',
      platform_account_number: isImported ? `A-${account}` : '',
    });
  }

  /** A request whose answer nobody got. */
  private unanswered(request: PlatformRequest): SeenRequest {
    const { resource, account, records } = readRequest(request);
    return {
      resource,
      life: this.platform.life,
      account,
      keys: records.map((record) => keyOf(resource, record)),
      body: request.body!,
      start: { atMs: this.time.monotonicMs(), order: this.time.nextOrder() },
      end: undefined,
      answer: undefined,
      askedMs: 0,
    };
  }
}
