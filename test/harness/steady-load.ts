import { Pool } from 'undici';
import { ACCOUNTS, type ServedPlatform } from './served-platform.ts';

/** Records of a request. */
export const ROWS = 10;

/** Requests after which the same transactions come again, so that a long run does not fill the disk. */
const CYCLE = 5_000;

/** What came of requests that were sent for a while. */
export interface Load {
  readonly requests: number;
  /** Not answered, or not with 200 or 201. */
  readonly errors: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Sends requests to a platform: nine of ten add transactions, one asks for the status of an account. */
export interface Sender {
  /** As many as the platform takes. */
  flatOut(options: { readonly seconds: number; readonly connections: number }): Promise<Load>;
  /** So many a second, however long each takes. */
  steady(options: { readonly seconds: number; readonly rate: number }): Promise<Load>;
  close(): Promise<void>;
}

/** How many requests of a steady load may be under way; further ones come later. */
const MAX_UNDER_WAY = 2_000;

export function senderTo({ url, token }: ServedPlatform): Sender {
  const pool = new Pool(url, { connections: 32, pipelining: 1 });
  let next = 0;
  const send = async (): Promise<boolean> => {
    const response = await pool.request(requestOf(next++, token));
    await response.body.dump();
    return response.statusCode === 200 || response.statusCode === 201;
  };
  return {
    flatOut: async ({ seconds, connections }) => {
      const meter = newMeter();
      const end = performance.now() + seconds * 1_000;
      const lane = async (): Promise<void> => {
        while (performance.now() < end) await meter.measure(send);
      };
      await Promise.all(Array.from({ length: connections }, lane));
      return meter.result();
    },
    steady: async ({ seconds, rate }) => {
      const meter = newMeter();
      const started = performance.now();
      const underWay = new Set<Promise<void>>();
      for (let sent = 0; sent < seconds * rate;) {
        const due = Math.min(seconds * rate, ((performance.now() - started) / 1_000) * rate);
        for (; sent < due && underWay.size < MAX_UNDER_WAY; sent++) {
          const one = meter.measure(send).then(() => void underWay.delete(one));
          underWay.add(one);
        }
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      await Promise.all(underWay);
      return meter.result();
    },
    close: () => pool.close(),
  };
}

function requestOf(number: number, token: string) {
  const headers = { authorization: `Token ${token}`, 'content-type': 'application/json' };
  const account = `A-${number % ACCOUNTS}`;
  if (number % 10 === 9)
    return {
      method: 'GET',
      path: `/v1/data-import/account-transfer-status/ACME/${account}/`,
      headers,
    } as const;
  const transactions = Array.from({ length: ROWS }, (_, index) => ({
    transaction_id: `t-${number % CYCLE}-${index}`,
    transaction_date: '2026-01-01',
    amount: '12.50',
    type: 'CHARGE',
    reason: 'IMPORTED_CHARGE',
    note: 'One of many that come in the course of a long migration',
  }));
  const body = JSON.stringify({ import_supplier: 'ACME', external_account_number: account, transactions });
  return { method: 'POST', path: '/v1/data-import/transactions/create/', headers, body } as const;
}

/** Counts, and how long each took; a reservoir would do, but a number for each is small enough. */
function newMeter() {
  const started = performance.now();
  const tookMs: number[] = [];
  let errors = 0;
  return {
    measure: async (send: () => Promise<boolean>): Promise<void> => {
      const began = performance.now();
      const isGood = await send().catch(() => false);
      if (!isGood) errors++;
      tookMs.push(performance.now() - began);
    },
    result: (): Load => {
      const sorted = Float64Array.from(tookMs).sort();
      const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
      const seconds = (performance.now() - started) / 1_000;
      return { requests: tookMs.length, errors, seconds, p50Ms: at(0.5), p99Ms: at(0.99) };
    },
  };
}
