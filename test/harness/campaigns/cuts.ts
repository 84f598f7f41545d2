import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openHttpPlatform, type HttpPlatform } from '../../../src/cli/client/http-platform.ts';
import { RunFile } from '../../../src/cli/run-file/run-file.ts';
import { chanceFrom } from '../chance.ts';
import { generatedMigration, type Migration } from '../generated-migration.ts';
import { ledgerDifference, ledgerViolations } from '../invariants/ledger.ts';
import { requestViolations } from '../invariants/requests.ts';
import { violation, type Violation } from '../invariants/violation.ts';
import { live } from '../life.ts';
import { csvRows } from '../oracle/csv-rows.ts';
import { canonicalOf, expectedLedger, type OracleFile } from '../oracle/oracle.ts';
import {
  bytesOf,
  FRAMINGS,
  rawServer,
  type Framing,
  type RawAnswer,
  type RawRequest,
} from '../raw-server.ts';
import { SimulatedPlatform } from '../simulated-platform.ts';
import { RUN_ID, stagedBytes } from '../staged-run.ts';
import { VirtualTime } from '../virtual-time.ts';
import { Tally, type CampaignResult, type FoundViolation } from './campaign-result.ts';
import { quickFolder } from './quick-folder.ts';

const RETRY_FOR_MS = 900_000;
const REDIRECTS = [301, 302, 303, 307, 308];
/** Where redirects lead: to something that answers as if all were well. */
const ELSEWHERE = '/elsewhere/';

/** What the first answer of a scene is. */
type First =
  | { readonly kind: 'cut'; readonly framing: Framing; readonly at: number }
  | { readonly kind: 'redirect'; readonly status: number };

/**
 * The first 201 of every resource is cut at every byte (or every so manieth), in every framing, and redirects of every
 * kind lead to a 201: over real sockets, with the real client of HTTP.
 */
export async function cutsCampaign({
  seed,
  every,
}: {
  readonly seed: number;
  readonly every: number;
}): Promise<CampaignResult> {
  const started = performance.now();
  const folder = quickFolder();
  const counts = new Tally();
  const violations: FoundViolation[] = [];
  const happened = new Tally();
  const migration = generatedMigration(seed, { accounts: 1, notes: 3, transactions: 3, statements: 3 });
  const wire = await Wire.open();
  try {
    for (const file of migration.files) {
      const place = join(folder, file.resource);
      mkdirSync(place);
      const bytes = await stagedBytes({ file, batchSize: 3, check: true, onReject: 'stop' }, place);
      const scene = { migration, file, bytes, path: join(place, 'run.sqlite'), wire };
      const note = (name: string, told: Awaited<ReturnType<typeof played>>): void => {
        counts.add('runs');
        counts.add('lost', told.difference.lost);
        counts.add('repeated', told.difference.repeated);
        counts.add('falsely reported', told.violations.filter(({ invariant }) => invariant === 'I6').length);
        counts.add('totals that differ', told.difference.totalsDiffer);
        violations.push(
          ...told.violations.map((each) => ({ ...each, scenario: `${file.resource}, ${name}` })),
        );
      };
      for (const framing of FRAMINGS) {
        let length = Infinity;
        for (let at = seed % every; at <= length; at += every) {
          const told = await played(scene, { kind: 'cut', framing, at });
          length = told.length;
          happened.add(`${file.resource}, ${framing}: cuts`);
          note(`${framing} cut after ${at} of ${length} bytes`, told);
        }
      }
      for (const status of REDIRECTS) {
        happened.add(`${file.resource}: redirects`);
        note(`redirect ${status}`, await played(scene, { kind: 'redirect', status }));
      }
    }
  } finally {
    await wire.close();
    rmSync(folder, { recursive: true, force: true });
  }
  const seconds = (performance.now() - started) / 1000;
  return { campaign: 'cuts', counts: counts.counts, happened: happened.counts, violations, seconds };
}

/** One server and one client for all scenes: opening them would take longer than what they are for. */
class Wire {
  answer: (request: RawRequest) => Promise<RawAnswer> = () => Promise.reject(new Error('no scene'));
  readonly client: HttpPlatform;
  private readonly end: () => Promise<void>;

  private constructor(url: string, end: () => Promise<void>) {
    this.end = end;
    this.client = openHttpPlatform({
      baseUrl: url,
      credentials: { kind: 'token', token: 'a-token' },
      tokenMutation: { path: '/v1/graphql/', mutation: 'obtainPlatformToken', inputField: 'APIKey' },
      connections: 2,
      timeoutMs: 20_000,
      version: '0.0.0',
      timing: new VirtualTime(chanceFrom(1)),
      record: () => undefined,
    });
  }

  static async open(): Promise<Wire> {
    const server = await rawServer((request) => wire.answer(request));
    const wire = new Wire(server.url, server.close);
    return wire;
  }

  async close(): Promise<void> {
    await this.client.close();
    await this.end();
  }
}

async function played(
  scene: {
    readonly migration: Migration;
    readonly file: OracleFile;
    readonly bytes: Uint8Array;
    readonly path: string;
    readonly wire: Wire;
  },
  first: First,
) {
  const { migration, file, path, wire } = scene;
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
  writeFileSync(path, scene.bytes);
  const time = new VirtualTime(chanceFrom(1));
  const platform = new SimulatedPlatform(migration.accounts, time, chanceFrom(1));
  const told = { requests: 0, elsewhere: 0, length: 0 };
  wire.answer = async (request) => {
    if (request.path === ELSEWHERE) told.elsewhere++;
    else told.requests++;
    const isFirst = told.requests === 1 && request.path !== ELSEWHERE;
    if (isFirst && first.kind === 'redirect') {
      const { body } = await asked(new SimulatedPlatform(migration.accounts, time, chanceFrom(1)), request);
      foreseen = body;
      return answerOf({ kind: 'answer', status: first.status, headers: { location: ELSEWHERE }, body: '' });
    }
    if (request.path === ELSEWHERE)
      return answerOf({ kind: 'answer', status: 201, headers: {}, body: foreseen });
    const answer = await asked(platform, request);
    if (!isFirst || first.kind !== 'cut') return answerOf(answer);
    const bytes = bytesOf(answer, first.framing);
    told.length = bytes.length;
    const isWhole = first.at >= bytes.length && first.framing !== 'close';
    return { bytes: bytes.subarray(0, first.at), close: !isWhole };
  };
  let foreseen = '';
  const life = (isResumed: boolean) =>
    live({
      run: RunFile.open(path, RUN_ID),
      platform: wire.client,
      timing: time,
      isResumed,
      concurrency: 1,
      retryForMs: RETRY_FOR_MS,
      fate: () => false,
      onDeath: () => undefined,
    });
  const begun = await life(false);
  const violations: Violation[] = [];
  const calmRequests = Math.ceil(
    csvRows(file.text).length / (file.resource === 'payment-instructions' ? 1 : 3),
  );
  if (first.kind === 'cut' && first.at < told.length && told.requests <= calmRequests)
    violations.push(violation('I6', 'an answer that was cut was believed'));
  if (told.elsewhere > 0) violations.push(violation('I6', 'a redirect was followed'));
  let last = begun;
  if (last.kind !== 'ended' || last.end.kind !== 'finished') last = await life(true);
  if (last.kind !== 'ended' || last.end.kind !== 'finished')
    violations.push(violation('I10', 'the run does not come to an end'));
  await time.untilQuiet();
  const expected = expectedLedger([file], migration.accounts);
  const actual = canonicalOf(platform.accounts);
  violations.push(
    ...ledgerViolations(expected, actual),
    ...requestViolations(platform.seen, { retryForMs: RETRY_FOR_MS }),
  );
  return { length: told.length, violations, difference: ledgerDifference(expected, actual) };
}

type Whole = Extract<Awaited<ReturnType<SimulatedPlatform['send']>>, { kind: 'answer' }>;

async function asked(platform: SimulatedPlatform, { path, body }: RawRequest): Promise<Whole> {
  const answer = await platform.send({ method: 'POST', path, body });
  if (answer.kind !== 'answer') throw new Error('a platform without faults answers');
  return answer;
}

function answerOf(answer: Whole): RawAnswer {
  return { bytes: bytesOf(answer, 'content-length'), close: false };
}
