import { Pool } from 'undici';
import { violation } from '../invariants/violation.ts';
import { servedPlatform, type ServedPlatform } from '../served-platform.ts';
import { Tally, type CampaignResult, type FoundViolation } from './campaign-result.ts';

interface HeapOptions {
  /** Requests in all. */
  readonly count: number;
  /** Heap of the server, in megabytes. */
  readonly heapMb: number;
  /** One request of this many has a body of 5 MB. */
  readonly largeEvery: number;
}

const CONNECTIONS = 8;
/** Node takes 16 kB of header. */
const QUERY = `check_previously_added=${'x'.repeat(15_000)}`;
/** Below the limit of 5 MiB. */
const LARGE = 5_000_000;

/** Bodies that are refused. Each has texts that the log keeps: the account, the name of a field, the path of a problem. */
const REFUSED: readonly (() => string)[] = [
  () => bodyWith({ notes: [{ body: 1, x: 'x'.repeat(LARGE) }] }),
  () => bodyWith({ notes: [{ ['f'.repeat(LARGE)]: 1 }] }),
  () => bodyWith({ notes: 'x'.repeat(LARGE), external_account_number: 'an account of more than 13' }),
];

/** Fills the request log of a server with a small heap. Every request must be answered (I12), and the server must live (I15). */
export async function heapCampaign(options: HeapOptions): Promise<CampaignResult> {
  const started = performance.now();
  const platform = await servedPlatform(':memory:', {
    env: { NODE_OPTIONS: `--max-old-space-size=${options.heapMb}` },
  });
  const answered = new Tally();
  const violations: FoundViolation[] = [];
  try {
    await flood(platform, options, answered);
    if (answered.counts['none'])
      violations.push({ ...violation('I15', 'the server ended, or did not answer'), scenario: 'heap' });
    else if (!(await platform.isWell()))
      violations.push({ ...violation('I14', 'a valid request is refused'), scenario: 'heap' });
    for (const status of Object.keys(answered.counts).filter((each) => !EXPECTED.has(each)))
      violations.push({ ...violation('I12', `the answer is ${status}`), scenario: 'heap' });
    return {
      campaign: 'heap',
      counts: {
        requests: Object.values(answered.counts).reduce((sum, count) => sum + count, 0),
        'MB of the process at the end': answered.counts['none'] ? 0 : Math.round(await platform.residentMb()),
      },
      events: Object.fromEntries(
        Object.entries(answered.sorted()).map(([status, count]) => [`answered: ${status}`, count]),
      ),
      violations,
      seconds: (performance.now() - started) / 1000,
    };
  } finally {
    await platform.stop();
  }
}

const EXPECTED: ReadonlySet<string> = new Set(['400', '401', 'none']);

async function flood(
  { url, token }: ServedPlatform,
  { count, largeEvery }: HeapOptions,
  answered: Tally,
): Promise<void> {
  const pool = new Pool(url, { connections: CONNECTIONS });
  const json = { 'content-type': 'application/json', authorization: `Token ${token}` };
  const bodies = REFUSED.map((body) => Buffer.from(body()));
  const send = async (number: number): Promise<void> => {
    const isLarge = number % largeEvery === 0;
    const { statusCode, body } = await pool.request(
      isLarge
        ? {
            method: 'POST',
            path: '/v1/data-import/notes/create/',
            headers: json,
            body: bodies[(number / largeEvery) % bodies.length]!,
          }
        : { method: 'GET', path: `/v1/data-import/account-transfer-status/ACME/A-0/?x=${number}&${QUERY}` },
    );
    await body.dump();
    answered.add(String(statusCode));
  };
  let next = 1;
  const lane = async (): Promise<void> => {
    while (next <= count && !answered.counts['none']) await send(next++).catch(() => answered.add('none'));
  };
  try {
    await Promise.all(Array.from({ length: CONNECTIONS }, lane));
  } finally {
    await pool.destroy();
  }
}

const bodyWith = (fields: object): string =>
  JSON.stringify({ import_supplier: 'ACME', external_account_number: 'A-0', ...fields });
