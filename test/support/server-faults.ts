import { ENDPOINTS } from '../../src/core/contract/endpoints.ts';
import { ACCOUNT, charge, startPlatform, statement, type TestPlatform } from './server-platform.ts';

/** A POST of each resource that succeeds with the test seed, and the number of its records. */
export const POSTS = {
  notes: {
    endpoint: 'createNotes',
    payload: { ...ACCOUNT, notes: [{ body: 'one' }, { body: 'two' }, { body: 'three' }] },
    records: 3,
  },
  transactions: {
    endpoint: 'createTransactions',
    payload: {
      ...ACCOUNT,
      transactions: ['t-1', 't-2', 't-3'].map((transaction_id) => charge({ transaction_id, amount: 10.01 })),
    },
    records: 3,
  },
  statements: {
    endpoint: 'createStatements',
    payload: {
      ...ACCOUNT,
      statements: ['s-1', 's-2', 's-3'].map((statement_id) => statement({ statement_id })),
    },
    records: 3,
  },
  'payment-instructions': {
    endpoint: 'createPaymentInstruction',
    payload: { ...ACCOUNT, vendor: 'STRIPE', type: 'CARD', reference: 'pi_1' },
    records: 1,
  },
} as const;
export type PostName = keyof typeof POSTS;
export const POST_NAMES = Object.keys(POSTS) as readonly PostName[];

/** A platform with these faults. Its waits end at once and are recorded. */
export async function faultyPlatform(
  rules: readonly string[],
  options: Parameters<typeof startPlatform>[0] = {},
): Promise<TestPlatform & { readonly waits: readonly number[] }> {
  const waits: number[] = [];
  const sleep = async (waitMs: number) => void waits.push(waitMs);
  const platform = await startPlatform({ faults: { rules }, sleep, ...options });
  return { ...platform, waits };
}

/** The bytes of a POST of a resource, without the last `cut` bytes. */
export async function postBytes(
  platform: TestPlatform,
  name: PostName,
  { cut = 0 }: { readonly cut?: number } = {},
): Promise<string> {
  const { endpoint, payload } = POSTS[name];
  const body = JSON.stringify(payload);
  const head = [
    `POST ${ENDPOINTS[endpoint].path} HTTP/1.1`,
    `host: 127.0.0.1:${platform.port}`,
    `authorization: Token ${await platform.token()}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
    '',
    '',
  ].join('\r\n');
  return head + body.slice(0, body.length - cut);
}
