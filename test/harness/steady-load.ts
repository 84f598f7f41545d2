import { Pool } from 'undici';
import { ACCOUNTS, type ServedPlatform } from './served-platform.ts';

/** Records of a request. */
export const ROWS = 10;

/** After this many requests the same transactions are sent again, so that a long run does not fill the disk. */
const CYCLE = 5_000;

/** The measurements of requests that were sent for some time. */
export interface Load {
  readonly requests: number;
  /** Requests without an answer of 200 or 201. */
  readonly errors: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Sends requests to a platform. Nine of ten add transactions, and one asks for the status of an account. */
export interface Sender {
  /** Sends as many requests as the platform answers. */
  flatOut(options: { readonly seconds: number; readonly connections: number }): Promise<Load>;
  /** Sends `rate` requests each second, however long each takes. */
  steady(options: { readonly seconds: number; readonly rate: number }): Promise<Load>;
  close(): Promise<void>;
}

/** Most requests in flight of a steady load. Further requests are sent later. */
const MAX_IN_FLIGHT = 2_000;

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
      const inFlight = new Set<Promise<void>>();
      for (let sent = 0; sent < seconds * rate;) {
        const due = Math.min(seconds * rate, ((performance.now() - started) / 1_000) * rate);
        for (; sent < due && inFlight.size < MAX_IN_FLIGHT; sent++) {
          const one = meter.measure(send).then(() => void inFlight.delete(one));
          inFlight.add(one);
        }
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      await Promise.all(inFlight);
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

/** Counts requests and keeps the duration of each, which needs little memory. */
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
