import type { Ended } from '../../support/built-cli.ts';
import { violation, type Violation } from '../invariants/violation.ts';
import type { Migration } from '../generated-migration.ts';
import type { OracleFile } from '../oracle/oracle.ts';

/** A migration with commands that may die. */
interface Site {
  readonly migration: Migration;
  readonly violations: Violation[];
  writeSeed(text: string): void;
  writeFile(file: OracleFile): void;
  /** Restarts the platform with the current seed. */
  restartPlatform(): Promise<void>;
  command(args: readonly string[], how: { readonly isMortal: boolean }): Promise<Ended>;
}

/** Most commands of one file. */
const MOST_COMMANDS = 40;

/** A seed with every other account not imported yet. */
export function seedOfHalf(seed: string): string {
  let number = 0;
  return seed.replaceAll('state: imported', (state) => (number++ % 2 === 0 ? 'state: staged' : state));
}

/**
 * Pushes all files to a platform with `seedOfHalf`. Then the accounts are imported, and the same
 * commands send the refused records. Only these commands die. Returns how
 * many rows have to be verified.
 */
export async function refusedFiles(site: Site): Promise<number> {
  const { seed, files } = site.migration;
  for (const file of files) await pushedUndisturbed(site, file);
  site.writeSeed(seed);
  await site.restartPlatform();
  let verify = 0;
  for (const file of files) verify += await pushedAgain(site, file);
  return verify;
}

/** The command of a file. */
function commandOf({ resource }: OracleFile): readonly string[] {
  const flags = ['--batch-size', '3', '-j', '4', '--on-reject', 'skip', '--json'];
  return ['push', resource, `${resource}.csv`, ...flags];
}

async function pushedUndisturbed(site: Site, file: OracleFile): Promise<void> {
  site.writeFile(file);
  const ended = await site.command(commandOf(file), { isMortal: false });
  const { rejected } = rowsOf(ended);
  if (ended.exitCode !== 6 || !rejected)
    site.violations.push(
      violation('I10', `${file.resource}: exit ${ended.exitCode} with ${rejected} rejected rows`),
    );
}

/** Runs the command until nothing is refused any more. Returns how many rows have to be verified. */
async function pushedAgain(site: Site, file: OracleFile): Promise<number> {
  const command = commandOf(file);
  for (let commands = 0; commands < MOST_COMMANDS; commands++) {
    const ended = await site.command(command, { isMortal: commands < MOST_COMMANDS / 2 });
    const { rejected = 0, verify = 0 } = rowsOf(ended);
    const isOver = ended.exitCode === 0 || ended.exitCode === 6;
    if (isOver && rejected > 0)
      site.violations.push(violation('I10', `${file.resource}: ${rejected} rows are still rejected`));
    if (isOver) return verify;
    if (ended.signal === undefined && ended.exitCode !== 5)
      site.violations.push(violation('I10', `${file.resource}: exit ${ended.exitCode}: ${ended.stdout}`));
  }
  site.violations.push(violation('I10', `${file.resource}: no end after ${MOST_COMMANDS} commands`));
  return 0;
}

function rowsOf({ stdout }: Ended): Partial<Record<string, number>> {
  return stdout === '' ? {} : ((JSON.parse(stdout) as { rows?: Record<string, number> }).rows ?? {});
}
