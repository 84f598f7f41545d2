import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dataimport, dataimportWith, serve, type Ended, type Platform } from '../../support/built-cli.ts';
import { ledgerOf, type LedgerLine } from '../../support/ledger.ts';
import { chanceFrom, type Chance } from '../chance.ts';
import { generatedMigration, type Migration } from '../generated-migration.ts';
import { ledgerDifference, ledgerViolations } from '../invariants/ledger.ts';
import { reportViolations } from '../invariants/report.ts';
import { requestViolations } from '../invariants/requests.ts';
import { violation, type Violation } from '../invariants/violation.ts';
import { csvRows } from '../oracle/csv-rows.ts';
import { actualLedger, expectedLedger, givenInstants } from '../oracle/oracle.ts';
import { KIND_OF } from '../oracle/records.ts';
import { recordingProxy, type RecordingProxy } from '../recording-proxy.ts';
import { Tally, type CampaignResult, type FoundViolation } from './campaign-result.ts';

const SIZE = { accounts: 10, notes: 4, transactions: 8, statements: 3 };

/** Most commands of one night, and most kills among them. */
const MOST_COMMANDS = 60;
const MOST_KILLS = 12;

/** The order of the resources of an account. */
const ORDER = ['note', 'statement', 'transaction', 'payment_instruction'];

const LINE = ['migrate', 'night.yaml', '--wait-for-accounts', '2m', '--json'];

/**
 * Sends generated cohorts of all four resources with `migrate`, while most accounts become ready. The client is killed at
 * any time, the server is killed as well, and the same command is run until it succeeds. `count`: kills of the client. `readyWithin`:
 * seconds until the last account is ready.
 */
export async function nightCampaign({
  seed,
  count,
  readyWithin = 30,
}: {
  readonly seed: number;
  readonly count: number;
  readonly readyWithin?: number;
}): Promise<CampaignResult> {
  const started = performance.now();
  const counts = new Tally();
  const events = new Tally();
  const violations: FoundViolation[] = [];
  for (let next = seed; (counts.counts['kills'] ?? 0) < count; next++) {
    const most = Math.min(MOST_KILLS, count - (counts.counts['kills'] ?? 0));
    const found = await night(next, { counts, events, most, readyWithin });
    violations.push(...found.map((each) => ({ ...each, scenario: `seed ${next}` })));
  }
  const seconds = (performance.now() - started) / 1000;
  return { campaign: 'night', counts: counts.counts, events: events.sorted(), violations, seconds };
}

interface Course {
  readonly counts: Tally;
  readonly events: Tally;
  /** Most kills of the client. */
  readonly most: number;
  /** Seconds until the last account is ready. */
  readonly readyWithin: number;
}

async function night(seed: number, course: Course): Promise<readonly Violation[]> {
  const cwd = mkdtempSync(join(tmpdir(), 'dataimport-night-'));
  const proxy = await recordingProxy();
  const played = new Night(seed, { cwd, proxy, course });
  try {
    return await played.run();
  } finally {
    await played.close();
    await proxy.close();
    rmSync(cwd, { recursive: true, force: true, maxRetries: 3 });
  }
}

class Night {
  private readonly migration: Migration;
  private readonly chance: Chance;
  private readonly cwd: string;
  private readonly proxy: RecordingProxy;
  private readonly course: Course;
  private readonly violations: Violation[] = [];
  private platform: Platform | undefined;
  private restart: Promise<void> = Promise.resolve();
  private kills = 0;

  constructor(
    seed: number,
    { cwd, proxy, course }: { readonly cwd: string; readonly proxy: RecordingProxy; readonly course: Course },
  ) {
    this.migration = generatedMigration(seed, SIZE);
    this.chance = chanceFrom(seed);
    this.cwd = cwd;
    this.proxy = proxy;
    this.course = course;
  }

  async run(): Promise<readonly Violation[]> {
    const { migration, proxy, course } = this;
    const { files, accounts } = migration;
    for (const { resource, text } of files) writeFileSync(join(this.cwd, `${resource}.csv`), text);
    writeFileSync(join(this.cwd, 'night.yaml'), cohortText(files.map(({ resource }) => resource)));
    writeFileSync(join(this.cwd, 'seed.yaml'), this.laterReady(migration.seed));
    this.platform = await this.start(0, ['--seed', join(this.cwd, 'seed.yaml')]);
    proxy.upstreamPort = this.platform.port;
    const last = await this.repeated();
    const text = await (await fetch(`${this.platform.url}/_local/ledger`)).text();
    const expected = expectedLedger(files, accounts);
    const actual = actualLedger(text, givenInstants(files));
    const { lost, repeated } = ledgerDifference(expected, actual);
    course.counts.add('nights');
    course.counts.add('lost', lost);
    course.counts.add('repeated', repeated);
    this.violations.push(
      ...ledgerViolations(expected, actual),
      ...requestViolations(proxy.seen, { retryForMs: 900_000 }),
      ...orderViolations(await ledgerOf(this.platform.url)),
      ...(last ? this.untrueReports(last) : []),
    );
    return this.violations;
  }

  async close(): Promise<void> {
    await this.restart;
    await this.platform?.crash();
  }

  /** Types the line until the night is over, and once more. */
  private async repeated(): Promise<Ended | undefined> {
    const { events } = this.course;
    for (let commands = 0; commands < MOST_COMMANDS; commands++) {
      const isTwice = this.chance.below(8) === 0;
      const beside: Ended[] = [];
      const ended = await this.command(isTwice ? beside : undefined);
      for (const each of [ended, ...beside]) {
        if (each.signal === 'SIGKILL') continue;
        events.add(`exit ${each.exitCode}`);
        if (![0, 5, 6, ...(isTwice ? [10] : [])].includes(each.exitCode!))
          this.violations.push(violation('I10', `exit ${each.exitCode}: ${each.stdout}${each.stderr}`));
      }
      const done = [ended, ...beside].find(({ exitCode }) => exitCode === 0 || exitCode === 6);
      if (!done) continue;
      await this.restart;
      const before = this.proxy.seen.length;
      const again = await dataimport(LINE, this.world());
      if (again.exitCode !== done.exitCode)
        this.violations.push(violation('I10', `exit ${done.exitCode}, then ${again.exitCode}`));
      if (this.proxy.seen.length > before)
        this.violations.push(violation('I11', 'the finished night sent requests'));
      return again;
    }
    this.violations.push(violation('I10', `no end after ${MOST_COMMANDS} commands`));
    return undefined;
  }

  /** Types the line once. The client is killed at any time, and in some commands the server. */
  private async command(beside: Ended[] | undefined): Promise<Ended> {
    const { chance, proxy, course } = this;
    proxy.life++;
    const isMortal = beside === undefined && this.kills < course.most;
    const afterMs = 500 + chance.below(course.readyWithin * 200);
    const serverAfterMs = chance.below(4) === 0 ? 500 + chance.below(course.readyWithin * 170) : undefined;
    const isOver = { client: false };
    let second: Promise<void> | undefined;
    const ended = await dataimportWith(LINE, this.world(), async (child) => {
      if (beside) second = dataimport(LINE, this.world()).then((other) => void beside.push(other));
      if (isMortal) setTimeout(() => child.kill('SIGKILL'), afterMs);
      if (serverAfterMs !== undefined)
        setTimeout(() => (isOver.client ? undefined : this.killServer()), serverAfterMs);
    });
    isOver.client = true;
    await second;
    if (ended.signal === 'SIGKILL') {
      this.kills++;
      course.counts.add('kills');
    }
    proxy.life++;
    await this.restart;
    return ended;
  }

  private killServer(): void {
    const { platform } = this;
    if (!platform) return;
    this.platform = undefined;
    this.course.counts.add('kills of the server');
    this.restart = (async () => {
      await platform.crash();
      this.platform = await this.start(platform.port);
    })();
  }

  private world() {
    const { proxy, migration, cwd } = this;
    return { cwd, env: { DATAIMPORT_BASE_URL: proxy.url, DATAIMPORT_API_KEY: migration.apiKey } };
  }

  /** A second start has no seed: it would take accounts that are imported back to `staged`, as no platform does. */
  private start(port: number, seed: readonly string[] = []): Promise<Platform> {
    const { cwd } = this;
    return serve(['--port', String(port), '--db', join(cwd, 'platform.sqlite'), ...seed], { cwd });
  }

  /** Two thirds of the accounts are imported some seconds after the night has begun. */
  private laterReady(seed: string): string {
    return seed.replaceAll('state: imported', () => {
      const after = this.chance.below(3) === 0 ? 0 : 1 + this.chance.below(this.course.readyWithin);
      if (after === 0) return 'state: imported';
      this.course.counts.add('accounts that became ready later');
      return `state: staged, auto_import: { after_seconds: ${after} }`;
    });
  }

  /** The report of every resource has every row once and the sums of the platform. */
  private untrueReports({ stdout, exitCode }: Ended): readonly Violation[] {
    const { files, accounts } = this.migration;
    const { resources, rows } = JSON.parse(stdout) as {
      rows: Record<string, number>;
      resources: {
        resource: string;
        exit: { code: number };
        rows: Record<string, number>;
        control_totals: { type: string | null; count: number; accepted: string | null }[];
      }[];
    };
    const { read = 0, ...ends } = rows;
    const all = Object.values(ends).reduce((sum, count) => sum + count, 0);
    const found: Violation[] = read === all ? [] : [violation('I10', `${read} rows are not ${all}`)];
    if (exitCode === 0 && resources.some(({ exit }) => exit.code !== 0))
      found.push(violation('I10', 'exit 0 although a resource has another'));
    for (const { resource, text } of files) {
      const reported = resources.find((each) => each.resource === resource)!;
      const kind = KIND_OF[resource];
      // Not the ledger of the platform, which has notes about moved transactions, too. Both are equal otherwise.
      const alone = expectedLedger([{ resource, text }], accounts);
      const ledger = new Map([...alone].filter(([key]) => key.endsWith(` ${kind}`)));
      const rowsInFile = csvRows(text).length;
      const distinct = [...ledger.values()].reduce((sum, records) => sum + records.length, 0);
      found.push(
        ...reportViolations(
          { rows: reported.rows, totals: reported.control_totals, exit: reported.exit.code },
          { rowsInFile, ledger, merged: rowsInFile - distinct },
        ),
      );
    }
    return found;
  }
}

/** `order` and limits of a night that is short and has many requests. */
function cohortText(resources: readonly string[]): string {
  return [
    'version: 1',
    'supplier: ACME',
    'resources:',
    ...resources.map((resource) => `  ${resource}: { files: [${resource}.csv] }`),
    'limits: { batch_size: 3, concurrency: 4 }',
    '',
  ].join('\n');
}

/** A resource of an account begins after the one before it. The platform adds notes of its own to transactions. */
function orderViolations(ledger: readonly LedgerLine[]): readonly Violation[] {
  const latest = new Map<string, number>();
  const found: Violation[] = [];
  for (const { kind, external_account_number: account } of ledger) {
    const place = ORDER.indexOf(kind);
    const before = latest.get(account) ?? 0;
    if (place < before && kind !== 'note')
      found.push(violation('I1', `${kind} of ${account} came after ${ORDER[before]}`));
    latest.set(account, Math.max(place, before));
  }
  return found;
}
