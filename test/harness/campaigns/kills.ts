import { Tally, type CampaignResult, type FoundViolation } from './campaign-result.ts';
import { killedMigration, VICTIMS, type Victim } from './killed-migration.ts';

/** Migrations that run in parallel. */
const LANES = 2;

/** The name of the kills of each victim. */
const NAMES: Readonly<Record<Victim, string>> = {
  client: 'kills of the client',
  server: 'kills of the server',
  signals: 'interruptions',
  refused: 'kills while refused records are sent again',
  again: 'kills of a command that is run again',
};

/** How many kills of each kind. `perMigration`: at most so many in one migration. */
interface WantedKills {
  readonly seed: number;
  readonly clients: number;
  readonly servers: number;
  /** Interruptions of the client, by one signal or two. */
  readonly signals: number;
  /** Kills of the command that sends refused records again. */
  readonly refused: number;
  /** Kills of `push`, which is run again. */
  readonly again: number;
  readonly perMigration?: number;
}

/** Runs real migrations of all four resources until every victim has its wanted kills. */
export async function killsCampaign(
  { seed, clients, servers, signals, refused, again, perMigration = Infinity }: WantedKills,
  print: (line: string) => void = () => undefined,
): Promise<CampaignResult> {
  const started = performance.now();
  const [counts, events] = [new Tally(), new Tally()];
  const violations: FoundViolation[] = [];
  const wanted = { client: clients, server: servers, signals, refused, again };
  const done = { client: 0, server: 0, signals: 0, refused: 0, again: 0 };
  const inFlight = { client: 0, server: 0, signals: 0, refused: 0, again: 0 };
  let next = seed;
  /** The victim that needs another migration and has the fewest in flight; undefined when all have enough. */
  const nextVictim = (): Victim | undefined => {
    const sure = Number.isFinite(perMigration) ? perMigration : 0;
    const open = VICTIMS.filter((victim) => done[victim] + inFlight[victim] * sure < wanted[victim]);
    return open.toSorted((a, b) => inFlight[a] - inFlight[b])[0];
  };
  const lane = async (): Promise<void> => {
    for (let victim = nextVictim(); victim !== undefined; victim = nextVictim()) {
      inFlight[victim]++;
      const result = await killedMigration(next++, victim, perMigration);
      inFlight[victim]--;
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
        events.add(`${NAMES[victim]}: ${moment}`, count);
      const scenario = `seed ${result.seed}, ${victim}`;
      violations.push(...result.violations.map((violation) => ({ ...violation, scenario })));
      print(VICTIMS.map((each) => `${NAMES[each]}: ${done[each]} of ${wanted[each]}`).join(', '));
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  const seconds = (performance.now() - started) / 1000;
  return { campaign: 'kills', counts: counts.counts, events: events.counts, violations, seconds };
}
