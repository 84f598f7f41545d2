import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { COMMAND, compiledCode, serve } from '../../support/built-cli.ts';
import { generatedMigration, type Migration } from '../generated-migration.ts';
import { ledgerDifference, ledgerViolations } from '../invariants/ledger.ts';
import { violation, type Violation } from '../invariants/violation.ts';
import { actualLedger, expectedLedger, givenInstants } from '../oracle/oracle.ts';
import { Tally, type CampaignResult, type FoundViolation } from './campaign-result.ts';

/** Runs a command with mounts of its own. Only Linux has it. */
const UNSHARE = '/usr/bin/unshare';

/**
 * Pushes with the run files on a disk of so many kilobytes. When the disk was too small, it is enlarged, and the run is finished.
 * The disk is a tmpfs in a mount namespace of its own, so it needs no rights and ends with the shell.
 */
const SCRIPT = `
disk=$1; size=$2; out=$3; csv=$4; resource=$5; shift 5
mkdir -p "$disk" && mount -t tmpfs -o "size=\${size}k" none "$disk" || exit 99
push() { "$@" push "$resource" "$csv" --run-dir "$disk" --batch-size 2 -j 2 --json; }
push "$@" > "$out.1" 2> "$out.1.err"; echo $? > "$out.1.code"
[ "$(cat "$out.1.code")" != 0 ] || exit 0
mount -o remount,size=64m none "$disk" || exit 99
"$@" resume --run-dir "$disk" --json > "$out.2" 2> "$out.2.err"; echo $? > "$out.2.code"
push "$@" > "$out.3" 2> "$out.3.err"; echo $? > "$out.3.code"
`;

/** Whether this system lets a process mount a small disk of its own. */
export function canMountDisks(): boolean {
  if (process.platform !== 'linux') return false;
  const folder = mkdtempSync(join(tmpdir(), 'dataimport-disk-'));
  const mount = ['-rm', 'mount', '-t', 'tmpfs', '-o', 'size=64k', 'none', folder];
  const { status } = spawnSync(UNSHARE, mount, { stdio: 'ignore' });
  rmSync(folder, { recursive: true });
  return status === 0;
}

/** A disk of so many kilobytes is too small for the tables of a run file. */
const SMALLEST = 64;

/** Fills real disks of growing size: each push meets its full disk a little later. `step`: kilobytes between two sizes. */
export async function fullDiskCampaign({
  seed,
  step,
}: {
  readonly seed: number;
  readonly step: number;
}): Promise<CampaignResult> {
  const started = performance.now();
  const [counts, events] = [new Tally(), new Tally()];
  const violations: FoundViolation[] = [];
  const migration = generatedMigration(seed, { accounts: 3, notes: 4, transactions: 30, statements: 3 });
  const cwd = mkdtempSync(join(tmpdir(), 'dataimport-full-'));
  writeFileSync(join(cwd, 'seed.yaml'), migration.seed);
  const platform = await serve(['--port', '0', '--db', ':memory:', '--seed', 'seed.yaml'], { cwd });
  try {
    for (let size = SMALLEST; ; size += step) {
      const result = await onDisk(migration, size, platform.url);
      counts.add('runs');
      counts.add('lost', result.difference.lost);
      counts.add('repeated', result.difference.repeated);
      counts.add('totals that differ', result.difference.totalsDiffer);
      events.add(result.end);
      const scenario = `seed ${seed}, a disk of ${size} kB`;
      violations.push(...result.violations.map((each) => ({ ...each, scenario })));
      if (result.isFinished || size > 4_096) break;
      await (await fetch(`${platform.url}/_local/reset`, JSON_POST)).text();
    }
  } finally {
    await platform.stop();
    rmSync(cwd, { recursive: true, force: true });
  }
  const seconds = (performance.now() - started) / 1000;
  return { campaign: 'disk', counts: counts.counts, events: events.sorted(), violations, seconds };
}

const JSON_POST = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' } as const;

/** Codes with which a command may end on a full disk. */
const EXPECTED = ['run_not_writable', 'run_write_failed', 'run_inaccessible'];

async function onDisk(migration: Migration, size: number, url: string) {
  const folder = mkdtempSync(join(tmpdir(), 'dataimport-full-'));
  try {
    const file = migration.files.find(({ resource }) => resource === 'transactions')!;
    const csv = join(folder, 'transactions.csv');
    writeFileSync(csv, file.text);
    const [disk, out] = [join(folder, 'disk'), join(folder, 'out')];
    const words = [disk, String(size), out, csv, file.resource, process.execPath, COMMAND];
    await promisify(execFile)(UNSHARE, ['-rm', 'sh', '-c', SCRIPT, 'sh', ...words], {
      cwd: folder,
      env: {
        PATH: process.env['PATH'],
        HOME: folder,
        ...compiledCode(),
        DATAIMPORT_BASE_URL: url,
        DATAIMPORT_API_KEY: migration.apiKey,
      },
    });
    const endOf = (name: string) => ({
      code: readFileSync(`${out}.${name}.code`, 'utf8').trim(),
      text: readFileSync(`${out}.${name}`, 'utf8') + readFileSync(`${out}.${name}.err`, 'utf8'),
    });
    const first = endOf('1');
    const isFinished = first.code === '0';
    const [second, third] = isFinished ? [first, first] : [endOf('2'), endOf('3')];
    const violations: Violation[] = [];
    const isExpected =
      isFinished || (first.code === '8' && EXPECTED.some((code) => first.text.includes(code)));
    if (!isExpected) violations.push(violation('I10', `the push ends with ${first.code}: ${first.text}`));
    if ([first, second, third].some(({ text }) => text.includes('run_damaged')))
      violations.push(violation('I10', 'a full disk is called damage'));
    // Nothing to resume means that nothing was kept, and then the next push sends all of it.
    if (second.code !== '0' && !second.text.includes('run_none'))
      violations.push(violation('I10', `resume ends with ${second.code}: ${second.text}`));
    if (third.code !== '0') violations.push(violation('I10', `the second push ends with ${third.code}`));
    const ledger = await (await fetch(`${url}/_local/ledger`)).text();
    const expected = expectedLedger([file], migration.accounts);
    const actual = actualLedger(ledger, givenInstants([file]));
    return {
      isFinished,
      end: isFinished ? 'large enough' : (EXPECTED.find((code) => first.text.includes(code)) ?? 'other'),
      violations: [...violations, ...ledgerViolations(expected, actual)],
      difference: ledgerDifference(expected, actual),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
