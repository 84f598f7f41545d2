import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { violation } from '../invariants/violation.ts';
import { senderTo } from '../steady-load.ts';
import { servedPlatform } from '../served-platform.ts';
import type { CampaignResult, FoundViolation } from './campaign-result.ts';

/** Good requests a second. */
const RATE = 100;

/** How often a slow sender sends one byte of a header that never ends, in milliseconds. */
const BYTE_EVERY_MS = 5_000;

/** They come one after the other for a third of a measurement, because who comes at once is a burst and not slow. */
const ARRIVAL = 1 / 3;

interface SlowAsked {
  readonly slow: number;
  readonly silent: number;
  /** For each of the two measurements. */
  readonly seconds: number;
}

/** Good requests, first alone and then beside senders that are slow or say nothing and come back when they are closed. */
export async function slowCampaign({ slow, silent, seconds }: SlowAsked): Promise<CampaignResult> {
  const started = performance.now();
  const platform = await servedPlatform();
  const sender = senderTo(platform);
  const violations: FoundViolation[] = [];
  try {
    await sender.steady({ seconds: seconds / 4, rate: RATE });
    const alone = await sender.steady({ seconds, rate: RATE });
    const crowd = crowdAt(platform.port, { slow, silent, overMs: seconds * 1_000 * ARRIVAL });
    await crowd.isThere;
    const beside = await sender.steady({ seconds, rate: RATE });
    const memoryMb = await platform.residentMb();
    crowd.leave();
    if (beside.errors > 0)
      violations.push({ ...violation('I14', `${beside.errors} good requests failed`), scenario: 'slow' });
    const counts = {
      'slow sockets': slow,
      'silent sockets': silent,
      'closed by the server': crowd.closed(),
      'good requests alone': alone.requests,
      'good requests beside them': beside.requests,
      errors: alone.errors + beside.errors,
      'p99 alone, in µs': Math.round(alone.p99Ms * 1_000),
      'p99 beside them, in µs': Math.round(beside.p99Ms * 1_000),
      'p99 beside them, in hundredths of alone': Math.round((100 * beside.p99Ms) / alone.p99Ms),
      'MB beside them': Math.round(memoryMb),
    };
    return {
      campaign: 'slow',
      counts,
      happened: {},
      violations,
      seconds: (performance.now() - started) / 1000,
    };
  } finally {
    await sender.close();
    await platform.stop();
  }
}

/** Senders that are no use to anybody. */
function crowdAt(
  port: number,
  { slow, silent, overMs }: { readonly slow: number; readonly silent: number; readonly overMs: number },
) {
  let isOver = false;
  let closed = 0;
  const sockets = new Set<{ destroy(): void }>();
  const come = (isSlow: boolean): Promise<void> =>
    new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        if (isSlow) socket.write('GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ');
        resolve();
      });
      const bytes = isSlow ? setInterval(() => socket.write('x'), BYTE_EVERY_MS) : undefined;
      sockets.add(socket);
      socket.resume();
      socket.on('error', () => undefined);
      socket.on('close', () => {
        clearInterval(bytes);
        sockets.delete(socket);
        resolve();
        if (isOver) return;
        closed++;
        void come(isSlow);
      });
    });
  const count = slow + silent;
  const all = Array.from({ length: count }, async (_, index) => {
    await pause((overMs * index) / count);
    await come(index % 3 === 0 && index < 3 * slow);
  });
  return {
    isThere: Promise.all(all),
    closed: () => closed,
    leave: () => {
      isOver = true;
      for (const socket of sockets) socket.destroy();
    },
  };
}
