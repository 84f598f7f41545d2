import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { keptRequest } from '../../../src/server/http/request-log.ts';
import type { LoggedRequest } from '../../../src/server/http/logged-request.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** The memory that is in use, in bytes. */
function used(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const [BODIES, BODY_BYTES] = [20, 2_000_000];
/** The beginning of a body. Nothing else needs the body. */
const partOfBody = (units: number): string => Buffer.alloc(BODY_BYTES, 'x').toString().slice(0, units);

test.each([
  ['a part of a body', 20],
  ['a text that is cut', BODY_BYTES],
])('%s keeps no body in memory', async (_, units) => {
  const request = { external_account_number: partOfBody(1), codes: [] } as unknown as LoggedRequest;
  const before = used();
  const kept = Array.from({ length: BODIES }, () =>
    keptRequest({ ...request, external_account_number: partOfBody(units), codes: [partOfBody(units)] }),
  );
  // Node frees the memory of buffers some time after they are garbage.
  await expect.poll(() => used() - before).toBeLessThan((BODIES / 2) * BODY_BYTES);
  expect(kept.every(({ bytes }) => bytes < 20_000)).toBe(true);
});
