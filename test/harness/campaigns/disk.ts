import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openRunDatabase } from '../../../src/cli/journal/database/run-database.ts';
import { chanceFrom } from '../chance.ts';
import { generatedMigration } from '../generated-migration.ts';
import { ledgerDifference, ledgerViolations } from '../invariants/ledger.ts';
import { requestViolations } from '../invariants/requests.ts';
import { violation, type Violation } from '../invariants/violation.ts';
import { live, type LifeEnd } from '../life.ts';
import { canonicalOf, expectedLedger } from '../oracle/oracle.ts';
import { DISK_ERRORS, failingDisk, type DiskError } from '../simulated-disk.ts';
import { SimulatedPlatform } from '../simulated-platform.ts';
import { stagedBytes } from '../staged-run.ts';
import { VirtualTime } from '../virtual-time.ts';
import { Tally, type CampaignResult, type FoundViolation } from './campaign-result.ts';
import { quickFolder } from './quick-folder.ts';

const RETRY_FOR_MS = 900_000;

interface Scene {
  readonly migration: ReturnType<typeof generatedMigration>;
  readonly file: ReturnType<typeof generatedMigration>['files'][number];
  readonly bytes: Uint8Array;
  readonly path: string;
}

/**
 * Lets every write of the run file fail once with every error, from the first claim to the last settlement. `every`: or every so
 * many writes.
 */
export async function diskCampaign({
  seed,
  every = 1,
}: {
  readonly seed: number;
  readonly every?: number;
}): Promise<CampaignResult> {
  const started = performance.now();
  const folder = quickFolder();
  const counts = new Tally();
  const events = new Tally();
  const violations: FoundViolation[] = [];
  const migration = generatedMigration(seed, { accounts: 2, notes: 4, transactions: 4, statements: 4 });
  try {
    for (const file of migration.files) {
      const subfolder = join(folder, file.resource);
      mkdirSync(subfolder);
      const bytes = await stagedBytes({ file, batchSize: 2, check: true, onReject: 'stop' }, subfolder);
      const scene: Scene = { migration, file, bytes, path: join(subfolder, 'run.sqlite') };
      for (const code of DISK_ERRORS) {
        for (let failsAt = 1; ; failsAt += every) {
          const result = await failed(scene, { failsAt, code, seed });
          if (!result.hasFailed) break;
          counts.add('runs');
          counts.add('lost', result.difference.lost);
          counts.add('repeated', result.difference.repeated);
          counts.add('totals that differ', result.difference.totalsDiffer);
          events.add(`${code}: ${result.first}`);
          const scenario = `${file.resource}, write ${failsAt}, ${code}`;
          violations.push(...result.violations.map((each) => ({ ...each, scenario })));
        }
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const seconds = (performance.now() - started) / 1000;
  return { campaign: 'disk', counts: counts.counts, events: events.counts, violations, seconds };
}

async function failed(
  { migration, file, bytes, path }: Scene,
  plan: { readonly failsAt: number; readonly code: DiskError; readonly seed: number },
) {
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
  writeFileSync(path, bytes);
  const chance = chanceFrom(plan.seed);
  const time = new VirtualTime(chance);
  const platform = new SimulatedPlatform(migration.accounts, time, chance);
  let failedAt = Infinity;
  const disk = failingDisk(plan.failsAt, plan.code, () => (failedAt = time.nextOrder()));
  const life = (openDatabase: typeof openRunDatabase, isResumed: boolean): Promise<LifeEnd> =>
    live({
      path,
      openDatabase,
      platform,
      timing: time,
      isResumed,
      concurrency: 2,
      retryForMs: RETRY_FOR_MS,
      fate: () => false,
      onDeath: () => undefined,
    });
  const first = await life(disk.open, false);
  platform.life++;
  const violations: Violation[] = [];
  const after = platform.seen.filter(({ start }) => start.order > failedAt).length;
  const end = first.kind === 'ended' ? first.end.kind : 'died';
  if (after > 0) violations.push(violation('I10', `${after} requests began after the disk had failed`));
  // The disk may also fail while the report moves packed outcomes, and then the report has them all the same.
  const isWhole =
    end === 'finished' && first.report.rows.created + first.report.rows.existing === first.report.rows.read;
  if (disk.hasFailed && end !== 'unrecorded' && !isWhole)
    violations.push(violation('I10', `the run ended as ${end}`));
  const second = await life(openRunDatabase, true);
  await time.untilQuiet();
  if (second.kind !== 'ended' || second.end.kind !== 'finished')
    violations.push(violation('I10', 'the resume does not finish the run'));
  const expected = expectedLedger([file], migration.accounts);
  const actual = canonicalOf(platform.accounts);
  violations.push(
    ...ledgerViolations(expected, actual),
    ...requestViolations(platform.seen, { retryForMs: RETRY_FOR_MS }),
  );
  return {
    hasFailed: disk.hasFailed,
    first: end,
    violations,
    difference: ledgerDifference(expected, actual),
  };
}
