import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { dataimport, dataimportWith, type Ended } from '../../support/built-cli.ts';
import { chanceFrom, type Chance } from '../chance.ts';
import { violation, type Violation } from '../invariants/violation.ts';
import { Tally, type CampaignResult } from './campaign-result.ts';

const ROWS = 2_000;
const HEADER = 'import_supplier,external_account_number,transaction_id,transaction_date,type,amount';
const REJECTS = 'rejects.csv';

/** Every second row is invalid. */
const LINES = Array.from(
  { length: ROWS },
  (_, index) => `ACME,1001,T-${index},2026-02-01,CREDIT,${index % 2 === 0 ? '1.00' : 'x'}\n`,
);
const EXPECTED = [`${HEADER}\n`, ...LINES.filter((_, index) => index % 2 === 1)].join('');

/**
 * Kills `check --rejects` while it writes the rejects, and types the same command again. It has to work, and the file has to
 * be whole. `count`: kills, after one of which the command is typed again at least.
 */
export async function rejectsCampaign({
  seed,
  count,
}: {
  readonly seed: number;
  readonly count: number;
}): Promise<CampaignResult> {
  const started = performance.now();
  const chance = chanceFrom(seed);
  const cwd = mkdtempSync(join(tmpdir(), 'dataimport-rejects-'));
  writeFileSync(join(cwd, 't.csv'), `${HEADER}\n${LINES.join('')}`);
  const [counts, events] = [new Tally(), new Tally()];
  const violations: Violation[] = [];
  const args = ['check', 'transactions', 't.csv', '--rejects', REJECTS];
  try {
    const isMissing = (name: string, wanted: number): boolean => (counts.counts[name] ?? 0) < wanted;
    while (isMissing('kills', count) || isMissing('commands typed again', 1)) {
      const killed = await killedWhileWriting(args, cwd, chance);
      counts.add(killed.signal === 'SIGKILL' ? 'kills' : 'ended before the kill');
      events.add(`left: ${kindsLeftIn(cwd)}`);
      // Complete rows are never overwritten, so a person moves them away.
      if (existsSync(join(cwd, REJECTS))) {
        violations.push(...incomplete(cwd));
        renameSync(join(cwd, REJECTS), join(cwd, `${REJECTS}.kept`));
      }
      if (chance.below(2) === 0) continue;
      const again = await dataimport(args, { cwd });
      counts.add('commands typed again');
      if (again.exitCode !== 3) violations.push(violation('I10', `exit ${again.exitCode}: ${again.stderr}`));
      else violations.push(...incomplete(cwd));
      rmSync(join(cwd, REJECTS), { force: true });
    }
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
  const seconds = (performance.now() - started) / 1000;
  const scenario = `seed ${seed}`;
  return {
    campaign: 'rejects',
    counts: counts.counts,
    events: events.sorted(),
    violations: violations.map((each) => ({ ...each, scenario })),
    seconds,
  };
}

/** Kills the command soon after a file of the rejects is there. */
function killedWhileWriting(args: readonly string[], cwd: string, chance: Chance): Promise<Ended> {
  const afterMs = chance.below(30);
  return dataimportWith(args, { cwd }, async (child) => {
    const before = leftIn(cwd);
    for (let waits = 0; leftIn(cwd) === before && waits < 5_000; waits++) await pause(1);
    await pause(afterMs);
    child.kill('SIGKILL');
  });
}

function leftIn(cwd: string): string {
  return readdirSync(cwd)
    .filter((name) => name.startsWith(REJECTS) && !name.endsWith('.kept'))
    .sort()
    .join(', ');
}

/** The names without what differs from run to run. */
function kindsLeftIn(cwd: string): string {
  const kinds = leftIn(cwd)
    .split(', ')
    .map((name) => name.replace(/-new-.*/, '-new'));
  return [...new Set(kinds)].join(', ') || 'nothing';
}

/** What is wrong with the rejects. */
function incomplete(cwd: string): readonly Violation[] {
  const isWhole = readFileSync(join(cwd, REJECTS), 'utf8') === EXPECTED;
  return isWhole ? [] : [violation('I2', 'the rejects are not the rejected rows')];
}
