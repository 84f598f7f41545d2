import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import { violation } from '../invariants/violation.ts';
import { servedPlatform, type ServedPlatform } from '../served-platform.ts';
import type { CampaignResult, FoundViolation } from './campaign-result.ts';

/** Records of the largest accepted request, and of a request that is far too large. */
const MOST = 10_000;
const TOO_MANY = 100_000;

/** The wait of the other client after each answer, in milliseconds. */
const ASKS_EVERY_MS = 5;

/** The large requests of a round with their expected answers, in order. After a round all records are deleted. */
const largeRequests = () => [
  { name: '10,000 rows, accepted', body: bodyOf(MOST, whole), status: 201 },
  { name: '10,000 rows, existing', body: bodyOf(MOST, whole), status: 201 },
  {
    name: '10,000 rows, the last one wrong',
    body: bodyOf(MOST, (index) => ({ ...whole(index + MOST), ...(index === MOST - 1 && { amount: 'x' }) })),
    status: 400,
  },
  { name: '100,000 rows, too many', body: bodyOf(TOO_MANY, short), status: 400 },
  { name: '100,000 rows, too large', body: bodyOf(TOO_MANY, whole), status: 413 },
];

/** Measures how long requests with very many records delay another client, because the platform handles one at a time. */
export async function largeCampaign({
  count,
  open = servedPlatform,
}: {
  readonly count: number;
  readonly open?: typeof servedPlatform;
}): Promise<CampaignResult> {
  const started = performance.now();
  const platform = await open();
  const other = anotherClient(platform);
  const requests = largeRequests();
  const waitsMs = new Map<string, number[]>();
  const violations: FoundViolation[] = [];
  const measure = async (name: string, work: () => Promise<unknown>): Promise<void> => {
    waitsMs.set(name, [...(waitsMs.get(name) ?? []), await other.longestWaitMs(work)]);
  };
  try {
    for (let round = 1; round <= count; round++) {
      const found = (words: string, invariant: 'I12' | 'I14') =>
        violations.push({ ...violation(invariant, words), scenario: `round ${round}` });
      await measure('nothing', () => pause(200));
      for (const { name, body, status } of requests)
        await measure(name, async () => {
          const answered = await posted(body, platform);
          if (answered !== status) found(`${name}: the answer is ${answered}`, 'I12');
        });
      if (!(await platform.isWell())) found('a valid request is refused', 'I14');
    }
  } finally {
    await other.close();
    await platform.stop();
  }
  const counts = [...waitsMs].flatMap(([name, ms]) => {
    const sorted = ms.toSorted((a, b) => a - b);
    return [
      [`ms of the longest wait beside ${name}: in the median round`, sorted[Math.floor(sorted.length / 2)]!],
      [`ms of the longest wait beside ${name}: in the worst round`, sorted.at(-1)!],
    ] as const;
  });
  return {
    campaign: 'large',
    counts: {
      rounds: count,
      ...Object.fromEntries(counts.map(([name, ms]) => [name, Math.round(ms)])),
    },
    events: {},
    violations,
    seconds: (performance.now() - started) / 1000,
  };
}

/** A body as bytes, so that sending it costs the measuring process no time. */
function bodyOf(rows: number, row: (index: number) => object): Uint8Array {
  const text = JSON.stringify({
    import_supplier: 'ACME',
    external_account_number: 'A-0',
    transactions: Array.from({ length: rows }, (_, index) => row(index)),
  });
  return Buffer.from(text);
}

function whole(index: number) {
  const given = { transaction_id: `t-${index}`, transaction_date: '2026-01-01', amount: '12.50' };
  return { ...given, type: 'CHARGE', reason: 'IMPORTED_CHARGE' };
}

/** A record so short that 100,000 of them are smaller than the limit of 5 MiB. */
function short(index: number) {
  return { transaction_id: `t-${index}`, amount: '1.00' };
}

async function posted(body: Uint8Array, { url, token }: ServedPlatform): Promise<number> {
  const answer = await fetch(`${url}/v1/data-import/transactions/create/`, {
    method: 'POST',
    headers: { authorization: `Token ${token}`, 'content-type': 'application/json' },
    body,
  });
  await answer.arrayBuffer();
  return answer.status;
}

/** Another client with its own connection. */
function anotherClient({ url, token }: ServedPlatform) {
  const pool = new Pool(url, { connections: 1 });
  const headers = { authorization: `Token ${token}` };
  const path = '/v1/data-import/account-transfer-status/ACME/A-0/';
  return {
    longestWaitMs: async (work: () => Promise<unknown>): Promise<number> => {
      let [longest, isOver] = [0, false];
      const asking = async (): Promise<void> => {
        while (!isOver) {
          const began = performance.now();
          await (await pool.request({ method: 'GET', path, headers })).body.dump();
          longest = Math.max(longest, performance.now() - began);
          await pause(ASKS_EVERY_MS);
        }
      };
      const asked = asking();
      await work();
      isOver = true;
      await asked;
      return longest;
    },
    close: () => pool.close(),
  };
}
