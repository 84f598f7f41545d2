import { expect } from 'vitest';
import { ACCOUNT, type TestPlatform } from './server-platform.ts';
import { exchange, type Exchange, type ExchangeOptions, type WireAnswer } from './server-bytes.ts';

/** A path of this machine, a stack trace, or the name of one of our files. */
const INSIDE = /\bat \S+ \(|node_modules|\.[cm]?[jt]s\b|\/(?:home|tmp|usr|work)\//;

/** Sends bytes and expects that they did no harm: nothing is stored or revealed, and a good request is answered. */
export async function refusedBytes(
  platform: TestPlatform,
  bytes: string | Uint8Array,
  options: ExchangeOptions = {},
): Promise<Exchange> {
  const result = await exchange(platform.port, bytes, options);
  for (const answer of result.answers) expectRevealsNothing(answer);
  await expectHarmless(platform);
  return result;
}

/** Expects JSON in the shape of the contract that reveals nothing of the inside. */
export function expectRevealsNothing({ status, headers, body }: WireAnswer): void {
  expect(body).not.toMatch(INSIDE);
  expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
  if (status < 400 || body === '') return;
  expect(headers['content-type']).toMatch(/^application\/json/);
  const result = JSON.parse(body) as Record<string, unknown>;
  const isTransaction = result['status'] === 'TRANSACTION_IMPORT_ERROR';
  const isInstruction = 'error_detail' in result;
  if (!isTransaction && !isInstruction)
    expect(result).toMatchObject({ detail: expect.any(String), code: expect.any(String) });
}

/** Expects that nothing is stored, that the server had no failure, and that it answers the next request. */
export async function expectHarmless(platform: TestPlatform): Promise<void> {
  expect(await platform.ledger()).toEqual([]);
  expect(platform.unexpected).toEqual([]);
  const good = await platform.post('createNotes', { ...ACCOUNT, notes: [{ body: 'a good one' }] });
  expect(good.status).toBe(201);
  await platform.request('POST', '/_local/reset', { body: '{}' });
}
