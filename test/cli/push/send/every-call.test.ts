import { expect, test } from 'vitest';
import { DEFAULT_TOKEN_MUTATION } from '../../../../src/core/contract/token.ts';
import { openHttpPlatform } from '../../../../src/cli/client/http-platform.ts';
import { showProgress } from '../../../../src/cli/output/progress/progress.ts';
import type { DrainEnd } from '../../../../src/cli/push/send/drain.ts';
import type { Platform } from '../../../../src/cli/push/ports/platform.ts';
import type { DrainRun } from '../../../../src/cli/push/ports/run.ts';
import type { Reading } from '../../../../src/cli/journal/reading.ts';
import { fakeIo } from '../../../support/cli-io.ts';
import { migration, type Migration } from '../../../support/migration.ts';
import { drained, fakeTiming } from '../../../support/push-drained.ts';
import { csvFrom, reopened, stagedRun } from '../../../support/push-staged-run.ts';

class Broken extends Error {}

/** A call of the outside world that fails: its number among those of these ports, from 1, and whether it has done its work. */
interface Failure {
  readonly call: number;
  readonly when: 'before' | 'after';
  readonly ports: readonly string[];
}

/** Lets one call fail. */
class Fuse {
  /** The function that failed. */
  failed: string | undefined;
  private calls = 0;
  private readonly failure: Failure;

  constructor(failure: Failure) {
    this.failure = failure;
  }

  through<A extends readonly unknown[], R>(name: string, act: (...args: A) => R): (...args: A) => R {
    const { call, when, ports } = this.failure;
    if (!ports.includes(name.split('.')[0]!)) return act;
    return (...args) => {
      const isDue = ++this.calls === call;
      if (isDue) this.failed = name;
      if (isDue && when === 'before') throw new Broken(name);
      const done = act(...args);
      if (!isDue) return done;
      if (!(done instanceof Promise)) throw new Broken(name);
      return done.then(() => {
        throw new Broken(name);
      }) as R;
    };
  }

  /** Every function of a port. */
  port<Port extends object>(name: string, port: Port): Port {
    const through = Object.entries(port).map(([key, value]: [string, unknown]) => [
      key,
      typeof value === 'function' ? this.through(`${name}.${key}`, value as () => unknown) : value,
    ]);
    return { ...port, ...(Object.fromEntries(through) as Partial<Port>) };
  }
}

/** The ports that only watch. */
const OBSERVERS: readonly string[] = ['record', 'leaving', 'left', 'stderr'];
const NEVER = new Fuse({ call: 0, when: 'before', ports: [] });

/** A platform whose answer to the first request is lost. */
function losing(platform: Platform, isLost: { yet: boolean }): Platform {
  return {
    async send(...request) {
      const answer = await platform.send(...request);
      if (isLost.yet) return answer;
      isLost.yet = true;
      return { kind: 'lost', reason: 'the connection was closed' };
    },
  };
}

/** Drains a run as a process does in which one call fails. */
async function processWith(
  fuse: Fuse,
  run: Reading,
  { url, token }: { url: string; token: string },
  isLost: { yet: boolean },
) {
  const timing = fuse.port('clock', fakeTiming());
  const client = openHttpPlatform({
    baseUrl: url,
    credentials: { kind: 'token', token },
    tokenMutation: DEFAULT_TOKEN_MUTATION,
    connections: 1,
    timeoutMs: 60_000,
    version: '0.0.0',
    timing,
    record: fuse.through('record', () => undefined),
    leaving: fuse.through('leaving', () => fuse.through('left', () => undefined)),
  });
  const io = fakeIo();
  const stderr = { ...io.stderr, write: fuse.through('stderr', () => undefined) };
  // Every event is shown.
  let nowMs = 0;
  const shownTiming = { ...io.timing, monotonicMs: () => (nowMs += 60_000) };
  const flags = { quiet: false, progress: true };
  const { emit } = await showProgress(flags, { ...io, stderr, timing: shownTiming });
  let end: DrainEnd | 'thrown' = 'thrown';
  try {
    const platform = fuse.port('platform', losing(client, isLost));
    const through = (operations: DrainRun): DrainRun => fuse.port('run', operations);
    ({ end } = await drained(run, platform, { concurrency: 1, timing, emit, through }));
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
  } finally {
    await client.close();
  }
  return end;
}

const VIEW = { showValues: true, command: null } as const;

/** A platform with an account for each run of a test. */
async function platformFor(runs: number): Promise<Migration> {
  const accounts = Array.from({ length: runs }, (_, index) => accountOf(index + 1));
  return migration(`
version: 1
api_keys: [{key: local-key, suppliers: [ACME]}]
suppliers: [{code: ACME, name: Acme Energy, status: Ongoing, document_root: 's3://documents/'}]
accounts:
${accounts.map((account) => `  - {import_supplier: ACME, external_account_number: ${account}, state: imported}`).join('\n')}
`);
}

/** A platform that does not look for transactions that it has takes one twice. */
const UNCHECKED = { options: { checkPreviouslyAdded: false } } as const;
const accountOf = (call: number): string => `A${call}`;
const IDS = ['1', '2', '3'];
/** More than there are. */
const MOST_CALLS = 200;

const ID_FIELDS = { statements: 'statement_id', transactions: 'transaction_id' } as const;

// The clock fails in one walk only, because most calls are its.
test.each([
  ['statements', 'before', ['clock', 'run', 'platform', ...OBSERVERS]],
  ['statements', 'after', ['run', 'platform', ...OBSERVERS]],
  ['transactions', 'before', ['run', 'platform', ...OBSERVERS]],
] as const)(
  'no %s are lost, repeated or falsely reported when any call fails %s its work',
  async (resource, when, ports) => {
    const { url, token, ledger } = await platformFor(MOST_CALLS);
    const site = { url, token: await token() };
    const failed = new Set<string>();
    for (let call = 1; ; call++) {
      const account = accountOf(call);
      const stored = async (): Promise<readonly unknown[]> =>
        (await ledger())
          .filter((line) => line.external_account_number === account)
          .map(({ data }) => data[ID_FIELDS[resource]]);
      const isLost = { yet: false };
      const csv = csvFrom(resource, IDS.map((id) => `${account}:${id}`).join(' '));
      const { run, folder } = await stagedRun(resource, csv, UNCHECKED);
      const fuse = new Fuse({ call, when, ports });
      const end = await processWith(fuse, run, site, isLost);
      if (fuse.failed === undefined) break;
      failed.add(fuse.failed);
      const where = `${fuse.failed}, call ${call}`;
      if (OBSERVERS.includes(fuse.failed)) expect(end, where).toEqual({ kind: 'finished' });
      const there = await stored();
      for (const { line, outcome } of run.traced({ account }, VIEW).records)
        if (outcome !== 'unknown' && outcome !== 'verify')
          expect(there.includes(IDS[line - 2]), `${where}: line ${line} is ${outcome}`).toBe(
            hasArrived(outcome),
          );
      run.close();
      const again = reopened(folder);
      expect(await processWith(NEVER, again, site, isLost), where).toEqual({ kind: 'finished' });
      expect(await stored(), where).toEqual(IDS);
      const { rows } = again.report(VIEW);
      expect(rows.created + rows.existing + rows.verify, where).toBe(IDS.length);
      again.close();
    }
    for (const port of ports) expect([...failed].join(' ')).toContain(port);
  },
);

const hasArrived = (outcome: string): boolean => outcome === 'created' || outcome === 'existing';
