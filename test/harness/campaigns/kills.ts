import { Tally, type CampaignResult, type FoundViolation } from './campaign-result.ts';
import { killedMigration, VICTIMS, type Victim } from './killed-migration.ts';

/** Migrations that run side by side. */
const LANES = 2;

/** What happens to each of them. */
const NAMES: Readonly<Record<Victim, string>> = {
  client: 'kills of the client',
  server: 'kills of the server',
  signals: 'interruptions',
  retry: 'kills of a retry',
};

/** How many are killed, and how many of them in one migration at most. */
interface KillsAsked {
  readonly seed: number;
  readonly clients: number;
  readonly servers: number;
  /** Interruptions of the client, by one signal or two. */
  readonly signals: number;
  /** Kills of a client that sends refused records again. */
  readonly retries: number;
  readonly perMigration?: number;
}

/** Real migrations of all four resources whose client, then whose server, is killed until so many kills are done. */
export async function killsCampaign(
  { seed, clients, servers, signals, retries, perMigration = Infinity }: KillsAsked,
  tell: (line: string) => void = () => undefined,
): Promise<CampaignResult> {
  const started = performance.now();
  const [counts, happened] = [new Tally(), new Tally()];
  const violations: FoundViolation[] = [];
  const wanted = { client: clients, server: servers, signals, retry: retries };
  const done = { client: 0, server: 0, signals: 0, retry: 0 };
  let next = seed;
  const lane = async (victim: Victim): Promise<void> => {
    while (done[victim] < wanted[victim]) {
      const result = await killedMigration(next++, victim, perMigration);
      const kills = Object.values(result.kills).reduce((sum, count) => sum + count, 0);
      done[victim] += kills;
      counts.add('migrations');
      counts.add(NAMES[victim], kills);
      counts.add('requests', result.requests);
      counts.add('rows', result.rows);
      counts.add('verify', result.verify);
      counts.add('lost', result.difference.lost);
      counts.add('repeated', result.difference.repeated);
      counts.add('falsely reported', result.violations.filter(({ invariant }) => invariant === 'I2').length);
      counts.add('totals that differ', result.difference.totalsDiffer);
      for (const [moment, count] of Object.entries(result.kills))
        happened.add(`${NAMES[victim]}: ${moment}`, count);
      const scenario = `seed ${result.seed}, ${victim}`;
      violations.push(...result.violations.map((violation) => ({ ...violation, scenario })));
      tell(VICTIMS.map((each) => `${NAMES[each]}: ${done[each]} of ${wanted[each]}`).join(', '));
    }
  };
  for (const victim of VICTIMS) await Promise.all(Array.from({ length: LANES }, () => lane(victim)));
  const seconds = (performance.now() - started) / 1000;
  return { campaign: 'kills', counts: counts.counts, happened: happened.counts, violations, seconds };
}
