import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { servedPlatform } from '../served-platform.ts';
import { besideCrowd, type Crowd } from './beside.ts';
import type { CampaignResult } from './campaign-result.ts';

/** How often a slow sender sends one byte of a header that never ends, in milliseconds. */
const BYTE_EVERY_MS = 5_000;

/** They come one after the other for a third of a measurement, because who comes at once is a burst and not slow. */
const ARRIVAL = 1 / 3;

interface SlowAsked {
  readonly slow: number;
  readonly silent: number;
  /** Of each of the three measurements. */
  readonly seconds: number;
}

/** Good requests beside senders that are slow or say nothing and come back when they are closed. */
export async function slowCampaign({ slow, silent, seconds }: SlowAsked): Promise<CampaignResult> {
  const platform = await servedPlatform();
  try {
    const comes = async (): Promise<Crowd> => {
      const crowd = crowdAt(platform.port, { slow, silent, overMs: seconds * 1_000 * ARRIVAL });
      await crowd.isThere;
      return {
        leave: async () => {
          const counts = {
            'slow sockets': slow,
            'silent sockets': silent,
            'closed by the server': crowd.closed(),
          };
          crowd.leave();
          return { counts, violations: [] };
        },
      };
    };
    return await besideCrowd({ campaign: 'slow', platform, seconds, comes });
  } finally {
    await platform.stop();
  }
}

/** Sockets that hold a connection and ask for nothing. */
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
