import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openHttpPlatform, type PlatformOptions } from '../../../src/cli/client/http-platform.ts';
import { startServer } from '../../../src/server/start.ts';
import { chanceFrom, type Chance } from '../chance.ts';
import { generatedMigration } from '../generated-migration.ts';
import { ledgerDifference, ledgerViolations } from '../invariants/ledger.ts';
import { reportViolations } from '../invariants/report.ts';
import { violation, type Violation } from '../invariants/violation.ts';
import { live, type LifeEnd } from '../life.ts';
import { csvRows } from '../oracle/csv-rows.ts';
import { actualLedger, expectedLedger, givenInstants } from '../oracle/oracle.ts';
import { KIND_OF } from '../oracle/records.ts';
import { stagedBytes } from '../staged-run.ts';
import { VirtualTime } from '../virtual-time.ts';
import { Tally, type CampaignResult, type FoundViolation } from './campaign-result.ts';
import { quickFolder } from './quick-folder.ts';

/** Longest real time of one request, in milliseconds. A delayed request is applied after this time. */
const TIMEOUT_MS = 250;
const DELAY_MS = 400;

/** Rules of `serve --fault`. Each may fire a few times only, so that every run finishes. */
const RULES = [
  'records accept status=503 retry-after=5 p=0.3 times=3',
  'records accept status=429 retry-after-date=90 p=0.3 times=3',
  'any accept status=502 html p=0.2 times=3',
  'records accept reset bytes=20 nth=2',
  'records before-commit reset p=0.3 times=3',
  'records after-commit reset p=0.3 times=3',
  'records after-commit reset bytes=30 p=0.3 times=3',
  'records before-commit status=500 p=0.3 times=3',
  'records after-commit status=500 p=0.3 times=3',
  'records after-commit status=504 html p=0.3 times=3',
  'records after-commit status=408 p=0.3 times=2',
  'records after-commit truncate=40 p=0.3 times=3',
  'records after-commit truncate=40 close p=0.3 times=3',
  'records accept html p=0.2 times=2',
  'records after-commit empty status=204 p=0.3 times=2',
  'records before-commit empty status=202 p=0.3 times=2',
  'transactions after-commit missing p=0.3 times=2',
  'notes after-commit missing p=0.3 times=2',
  'transactions after-commit doubled p=0.3 times=2',
  'transactions after-commit reordered p=0.5 times=3',
  'statements after-commit extra p=0.3 times=2',
  'transactions before-commit failing p=0.2 times=1',
  'transactions before-commit prefix=1 p=0.3 times=2',
  'notes before-commit prefix=1 p=0.3 times=2',
  'transactions after-commit swapped p=0.3 times=2',
  'statements after-commit swapped p=0.3 times=2',
  'records accept expire-tokens every=3',
  'records accept status=401 p=0.1 times=1',
  'records accept status=403 p=0.1 times=1',
  'records accept status=307 location=/v1/elsewhere/ p=0.1 times=1',
  'records after-commit status=302 location=/ p=0.1 times=1',
  'records after-commit status=404 html p=0.1 times=1',
  'records accept status=413 nth=1',
  `records accept delay=${DELAY_MS} p=0.2 times=1`,
  'records after-commit stall p=0.1 times=1',
];

/** The forms of a refusal. */
const SHAPES = ['documented', 'documented', 'nested', 'non_field'] as const;

/** Lives in which every run must finish, because every rule stops firing. */
const MOST_LIVES = 20;

/** Runs the real engine and the real HTTP client against the real local platform with rules of `serve --fault`. */
export async function servedFaultsCampaign({
  seed,
  count,
}: {
  readonly seed: number;
  readonly count: number;
}): Promise<CampaignResult> {
  const started = performance.now();
  const folder = quickFolder();
  const [counts, events] = [new Tally(), new Tally()];
  const violations: FoundViolation[] = [];
  try {
    for (let number = seed; number < seed + count; number++) {
      const subfolder = join(folder, String(number));
      mkdirSync(subfolder);
      const result = await faultyRun(number, subfolder);
      counts.add('runs against serve');
      counts.add('lives', result.lives);
      counts.add(
        'faults',
        result.hits.reduce((sum, [, hits]) => sum + hits, 0),
      );
      counts.add('lost', result.difference.lost);
      counts.add('repeated', result.difference.repeated);
      counts.add('totals that differ', result.difference.totalsDiffer);
      for (const [rule, hits] of result.hits) events.add(rule, hits);
      const scenario = `served, seed ${number}`;
      violations.push(...result.violations.map((each) => ({ ...each, scenario })));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const seconds = (performance.now() - started) / 1000;
  return { campaign: 'served faults', counts: counts.counts, events: events.counts, violations, seconds };
}

async function faultyRun(seed: number, folder: string) {
  const chance = chanceFrom(seed);
  const size = { accounts: 2, notes: 5, transactions: 6, statements: 4 };
  const migration = generatedMigration(seed, size);
  const file = migration.files[seed % migration.files.length]!;
  const bytes = await stagedBytes({ file, batchSize: 3, check: true, onReject: 'stop' }, folder);
  const path = join(folder, 'run.sqlite');
  writeFileSync(path, bytes);
  writeFileSync(join(folder, 'seed.yaml'), migration.seed);
  const time = new VirtualTime(chance);
  const rules = rulesOf(chance);
  const observing = observersFrom(chance);
  const server = await startServer({
    database: ':memory:',
    seeds: [join(folder, 'seed.yaml')],
    version: '0.0.0',
    nowMs: () => time.nowMs(),
    faults: { rules, seed },
    behaviour: [`error-shape=${chance.pick(SHAPES)}`],
  });
  const client = openHttpPlatform({
    baseUrl: server.url,
    credentials: { kind: 'key', apiKey: () => Promise.resolve(migration.apiKey) },
    tokenMutation: { path: '/v1/graphql/', mutation: 'obtainPlatformToken', inputField: 'APIKey' },
    connections: 4,
    timeoutMs: TIMEOUT_MS,
    version: '0.0.0',
    timing: time,
    ...observing,
  });
  const violations: Violation[] = [];
  let last: LifeEnd | undefined;
  let lives = 0;
  try {
    while (lives < MOST_LIVES && !(last?.kind === 'ended' && last.end.kind === 'finished')) {
      last = await live({
        path,
        platform: client,
        timing: time,
        isResumed: lives > 0,
        concurrency: 2,
        retryForMs: 900_000,
        fate: () => false,
        onDeath: () => undefined,
      });
      lives++;
    }
    if (last?.kind !== 'ended' || last.end.kind !== 'finished')
      violations.push(violation('I10', 'the run does not finish'));
    const { rules: hit } = (await (await fetch(`${server.url}/_local/faults`)).json()) as {
      rules: { rule: string; hits: number }[];
    };
    if (hit.some(({ rule, hits }) => rule.includes('delay=') && hits > 0)) await pause(DELAY_MS);
    const ledger = await (await fetch(`${server.url}/_local/ledger`)).text();
    const expected = expectedLedger([file], migration.accounts);
    const actual = actualLedger(ledger, givenInstants(migration.files));
    const ofKind = new Map([...actual].filter(([key]) => key.endsWith(` ${KIND_OF[file.resource]}`)));
    const rowsInFile = csvRows(file.text).length;
    const distinct = [...expected].reduce(
      (sum, [key, all]) => sum + (key.endsWith(` ${KIND_OF[file.resource]}`) ? all.length : 0),
      0,
    );
    const { rows, controlTotals } = last!.report;
    violations.push(
      ...ledgerViolations(expected, actual),
      ...reportViolations(
        { rows, totals: controlTotals, exit: rows.verify + rows.rejected > 0 ? 6 : 0 },
        { rowsInFile, ledger: ofKind, merged: rowsInFile - distinct },
      ),
    );
    const hits = hit.filter((rule) => rule.hits > 0).map((rule) => [rule.rule, rule.hits] as const);
    return { violations, difference: ledgerDifference(expected, actual), hits, lives };
  } finally {
    await client.close();
    await server.close();
  }
}

/** The log of requests and the recording, which sooner or later take no more, such as on a full disk. */
function observersFrom(chance: Chance): Pick<PlatformOptions, 'record' | 'leaving'> {
  let left = chance.below(30);
  const observe = (): void => {
    if (left-- <= 0) throw new Error('the disk is full');
  };
  return {
    record: observe,
    leaving: () => {
      observe();
      return observe;
    },
  };
}

function rulesOf(chance: Chance): readonly string[] {
  return Array.from({ length: 1 + chance.below(6) }, () => chance.pick(RULES));
}
