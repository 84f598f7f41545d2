import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openHttpPlatform, type HttpPlatform } from '../../../src/cli/client/http-platform.ts';
import type { AppError } from '../../../src/core/app-error.ts';
import { RESOURCES, type Resource } from '../../../src/core/contract/resources.ts';
import { chanceFrom } from '../chance.ts';
import { artefactViolations } from '../invariants/artefacts.ts';
import { generatedMigration, type Migration } from '../generated-migration.ts';
import { ledgerDifference, ledgerViolations } from '../invariants/ledger.ts';
import { requestViolations } from '../invariants/requests.ts';
import { violation, type Violation } from '../invariants/violation.ts';
import { ODD_ANSWERS } from '../odd-answers.ts';
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
import { stagedBytes } from '../staged-run.ts';
import { VirtualTime } from '../virtual-time.ts';
import { Tally, type CampaignResult, type FoundViolation } from './campaign-result.ts';
import { quickFolder } from './quick-folder.ts';

const RETRY_FOR_MS = 900_000;
const REDIRECTS = [301, 302, 303, 307, 308];
/** The target of redirects, which answers like a platform without faults. */
const ELSEWHERE = '/elsewhere/';

/** How long the client waits for an answer that never ends, in milliseconds. A longer time proves nothing more. */
const HASTY_MS = 250;

/** The first answer of a scene. */
type First =
  | { readonly kind: 'cut'; readonly framing: Framing; readonly at: number }
  | { readonly kind: 'redirect'; readonly status: number }
  /** A name of `ODD_ANSWERS`. */
  | { readonly kind: 'odd'; readonly name: string };

/**
 * Ends the answer to a token request, and the first 201 of every resource, after each byte, or after every nth byte, in every framing, redirects with every
 * status to a 201, and sends every odd answer: to each resource where every byte is cut, else to one of the four. Uses real sockets and the real HTTP client.
 */
export async function cutsCampaign({
  seed,
  every,
  odd = [...ODD_ANSWERS.keys()],
  resources = RESOURCES,
}: {
  readonly seed: number;
  readonly every: number;
  /** The odd answers that are sent; several end only when the client gives up. */
  readonly odd?: readonly string[];
  /** The resources whose answers are cut. */
  readonly resources?: readonly Resource[];
}): Promise<CampaignResult> {
  const started = performance.now();
  const folder = quickFolder();
  const counts = new Tally();
  const violations: FoundViolation[] = [];
  const events = new Tally();
  const migration = generatedMigration(seed, { accounts: 1, notes: 3, transactions: 3, statements: 3 });
  const wire = await Wire.open();
  const hasty = await Wire.open(HASTY_MS);
  try {
    for (const framing of FRAMINGS) {
      const found = await cutTokens(framing, { start: seed % every, every });
      counts.add('runs', found.cuts);
      events.add(`tokens, ${framing}: cuts`, found.cuts);
      violations.push(...found.violations.map((each) => ({ ...each, scenario: `tokens, ${framing}` })));
    }
    for (const [place, file] of migration.files.entries()) {
      if (!resources.includes(file.resource)) continue;
      const subfolder = join(folder, file.resource);
      mkdirSync(subfolder);
      const bytes = await stagedBytes({ file, batchSize: 3, check: true, onReject: 'stop' }, subfolder);
      const scene = { migration, file, bytes, path: join(subfolder, 'run.sqlite'), wire };
      const record = (name: string, result: Awaited<ReturnType<typeof played>>): void => {
        counts.add('runs');
        counts.add('lost', result.difference.lost);
        counts.add('repeated', result.difference.repeated);
        counts.add(
          'falsely reported',
          result.violations.filter(({ invariant }) => invariant === 'I6').length,
        );
        counts.add('totals that differ', result.difference.totalsDiffer);
        violations.push(
          ...result.violations.map((each) => ({ ...each, scenario: `${file.resource}, ${name}` })),
        );
      };
      for (const framing of FRAMINGS) {
        let length = Infinity;
        for (let at = seed % every; at <= length; at += every) {
          const result = await played(scene, { kind: 'cut', framing, at });
          length = result.length;
          events.add(`${file.resource}, ${framing}: cuts`);
          record(`${framing} cut after ${at} of ${length} bytes`, result);
        }
      }
      for (const status of REDIRECTS) {
        events.add(`${file.resource}: redirects`);
        record(`redirect ${status}`, await played(scene, { kind: 'redirect', status }));
      }
      // A short form gives each odd answer to one resource.
      for (const name of odd.filter((_, index) => every === 1 || (index + place) % 4 === 0)) {
        events.add(`odd: ${name}`);
        record(name, await played({ ...scene, wire: hasty }, { kind: 'odd', name }));
      }
    }
  } finally {
    await wire.close();
    await hasty.close();
    rmSync(folder, { recursive: true, force: true });
  }
  const seconds = (performance.now() - started) / 1000;
  return { campaign: 'cuts', counts: counts.counts, events: events.counts, violations, seconds };
}

const KEY = 'kanarieSchluessel4711';

/** Ends the answer to a token request, which repeats the API key, after each byte. No log entry and no reason may have it. */
async function cutTokens(
  framing: Framing,
  { start, every }: { readonly start: number; readonly every: number },
): Promise<{ readonly cuts: number; readonly violations: readonly Violation[] }> {
  const body = JSON.stringify({
    data: null,
    errors: [{ message: `unknown key ${KEY}`, extensions: { key: KEY } }],
  });
  const whole = bytesOf({ kind: 'answer', status: 200, headers: { 'x-key': KEY }, body }, framing);
  let at = start;
  const server = await rawServer(async () => ({ bytes: whole.subarray(0, at), close: true }));
  const left: unknown[] = [];
  let cuts = 0;
  for (; at < whole.length; at += every) {
    const client = openHttpPlatform({
      ...CLIENT,
      baseUrl: server.url,
      credentials: { kind: 'key', apiKey: async () => KEY },
      record: (request) => void left.push(request),
    });
    const result = await client.authenticate().catch((error: unknown) => (error as AppError).facts);
    // The headers of the answer only say how long to wait. Nothing logs or shows them.
    left.push('later' in result ? result.later : result);
    await client.close();
    cuts++;
  }
  await server.close();
  const artefact = { name: 'the log', bytes: Buffer.from(JSON.stringify(left)) };
  return { cuts, violations: artefactViolations([artefact], { 'the API key': KEY }) };
}

/** Options of every client. */
const CLIENT = {
  tokenMutation: { path: '/v1/graphql/', mutation: 'obtainPlatformToken', inputField: 'APIKey' },
  connections: 2,
  timeoutMs: 20_000,
  version: '0.0.0',
  timing: new VirtualTime(chanceFrom(1)),
} as const;

/** One server and one client for all scenes, because opening them takes longer than a scene. */
class Wire {
  answer: (request: RawRequest) => Promise<RawAnswer> = () => Promise.reject(new Error('no scene'));
  readonly client: HttpPlatform;
  private readonly end: () => Promise<void>;

  private constructor(url: string, timeoutMs: number, end: () => Promise<void>) {
    this.end = end;
    this.client = openHttpPlatform({
      ...CLIENT,
      timeoutMs,
      baseUrl: url,
      credentials: { kind: 'token', token: 'a-token' },
      record: () => undefined,
    });
  }

  static async open(timeoutMs: number = CLIENT.timeoutMs): Promise<Wire> {
    const server = await rawServer((request) => wire.answer(request));
    const wire = new Wire(server.url, timeoutMs, server.close);
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
  const empty = () => new SimulatedPlatform(migration.accounts, time, chanceFrom(1));
  const wireCounts = { requests: 0, elsewhere: 0, length: 0 };
  wire.answer = async (request) => {
    if (request.path === ELSEWHERE) wireCounts.elsewhere++;
    else wireCounts.requests++;
    const isFirst = wireCounts.requests === 1 && request.path !== ELSEWHERE;
    if (isFirst && first.kind === 'redirect') {
      foreseen = (await asked(empty(), request)).body;
      return answerOf({ kind: 'answer', status: first.status, headers: { location: ELSEWHERE }, body: '' });
    }
    if (request.path === ELSEWHERE)
      return answerOf({ kind: 'answer', status: 201, headers: {}, body: foreseen });
    const odd = isFirst && first.kind === 'odd' ? ODD_ANSWERS.get(first.name) : undefined;
    const answer = await asked(odd?.isStored === false ? empty() : platform, request);
    if (odd) return odd.bytes(answer, file.resource);
    if (!isFirst || first.kind !== 'cut') return answerOf(answer);
    const bytes = bytesOf(answer, first.framing);
    wireCounts.length = bytes.length;
    const isWhole = first.at >= bytes.length && first.framing !== 'close';
    return { bytes: bytes.subarray(0, first.at), close: !isWhole };
  };
  let foreseen = '';
  const life = (isResumed: boolean) =>
    live({
      path,
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
  if (first.kind === 'cut' && first.at < wireCounts.length && wireCounts.requests <= calmRequests)
    violations.push(violation('I6', 'an incomplete answer was treated as success'));
  if (wireCounts.elsewhere > 0) violations.push(violation('I6', 'a redirect was followed'));
  let last = begun;
  if (last.kind !== 'ended' || last.end.kind !== 'finished') last = await life(true);
  if (last.kind !== 'ended' || last.end.kind !== 'finished')
    violations.push(violation('I10', 'the run does not finish'));
  await time.untilQuiet();
  const expected = expectedLedger([file], migration.accounts);
  const actual = canonicalOf(platform.accounts);
  violations.push(
    ...ledgerViolations(expected, actual),
    ...requestViolations(platform.seen, { retryForMs: RETRY_FOR_MS }),
  );
  return { length: wireCounts.length, violations, difference: ledgerDifference(expected, actual) };
}

type Whole = Extract<Awaited<ReturnType<SimulatedPlatform['send']>>, { kind: 'answer' }>;

async function asked(platform: SimulatedPlatform, { path, body }: RawRequest): Promise<Whole> {
  const answer = await platform.send({ method: 'POST', path, body });
  if (answer.kind !== 'answer') throw new Error('a platform without faults must answer');
  return answer;
}

function answerOf(answer: Whole): RawAnswer {
  return { bytes: bytesOf(answer, 'content-length'), close: false };
}
