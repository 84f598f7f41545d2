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
  /** The newest run of a resource. */
  runOf(resource: string): string | undefined;
}

/** Most commands of one retry. */
const MOST_COMMANDS = 40;

/**
 * Pushes all files to a platform on which every other account is not imported yet. Then the accounts are imported, and
 * `retry` sends the rejected records and, after that, the records to verify. Only the retries die. Returns how many rows are
 * still to be verified.
 */
export async function retriedFiles(site: Site): Promise<number> {
  const { seed, files } = site.migration;
  let number = 0;
  site.writeSeed(
    seed.replaceAll('state: imported', (state) => (number++ % 2 === 0 ? 'state: staged' : state)),
  );
  await site.restartPlatform();
  const pushed: string[] = [];
  for (const file of files) pushed.push(await pushedUndisturbed(site, file));
  site.writeSeed(seed);
  await site.restartPlatform();
  let verify = 0;
  for (const [index, { resource }] of files.entries()) {
    // A refused instruction is sent again unchanged only when somebody says so (interface.md 4.5).
    const again = resource === 'payment-instructions' ? ['--new'] : [];
    await retried(site, pushed[index]!, ['rejected', ...again]);
    verify += await retried(site, site.runOf(resource)!, ['verify']);
  }
  return verify;
}

async function pushedUndisturbed(site: Site, file: OracleFile): Promise<string> {
  const { resource } = file;
  site.writeFile(file);
  const push = [
    'push',
    resource,
    `${resource}.csv`,
    '--batch-size',
    '3',
    '-j',
    '4',
    '--on-reject',
    'skip',
    '--json',
  ];
  const ended = await site.command(push, { isMortal: false });
  const { rejected } = rowsOf(ended);
  if (ended.exitCode !== 6 || !rejected)
    site.violations.push(
      violation('I10', `${resource}: exit ${ended.exitCode} with ${rejected} rejected rows`),
    );
  return site.runOf(resource)!;
}

/** Retries until no record is left to take over. Returns how many rows are still to be verified. */
async function retried(site: Site, run: string, only: readonly string[]): Promise<number> {
  const retry = ['retry', run, '--only', ...only, '--on-reject', 'skip', '-j', '4', '--json'];
  let args = retry;
  for (let commands = 0; commands < MOST_COMMANDS; commands++) {
    const ended = await site.command(args, { isMortal: commands < MOST_COMMANDS / 2 });
    const isOver = ended.exitCode === 0 || ended.exitCode === 6;
    // There was no such record, or the run that took them recorded the last answer before it died.
    if (isOver || has(ended, 'run_nothing_to_retry', 'run_none_unfinished')) return rowsOf(ended).verify ?? 0;
    // The run that died had taken the records over.
    args = has(ended, 'run_retried') || args !== retry ? ['resume', '-j', '4', '--json'] : retry;
    const isExpected = ended.signal !== undefined || ended.exitCode === 5 || has(ended, 'run_retried');
    if (!isExpected)
      site.violations.push(violation('I10', `${args.join(' ')}: exit ${ended.exitCode}: ${ended.stdout}`));
  }
  site.violations.push(violation('I10', `${run}: no end after ${MOST_COMMANDS} commands`));
  return 0;
}

function has({ stdout }: Ended, ...codes: readonly string[]): boolean {
  return codes.some((code) => stdout.includes(`"${code}"`));
}

function rowsOf({ stdout }: Ended): Partial<Record<string, number>> {
  return stdout === '' ? {} : ((JSON.parse(stdout) as { rows?: Record<string, number> }).rows ?? {});
}
