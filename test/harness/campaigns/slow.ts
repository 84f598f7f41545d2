import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { servedPlatform } from '../served-platform.ts';
import { besideCrowd, type Crowd } from './beside.ts';
import type { CampaignResult } from './campaign-result.ts';

/** The interval at which a slow client sends one byte of a header without end, in milliseconds. */
const BYTE_EVERY_MS = 5_000;

/** The clients connect one after the other in this share of a measurement, because many at once would be a burst. */
const ARRIVAL = 1 / 3;

interface SlowOptions {
  readonly slow: number;
  readonly silent: number;
  /** Length of each of the three measurements. */
  readonly seconds: number;
  readonly open?: typeof servedPlatform;
}

/** Sends valid requests beside slow and silent clients, which reconnect when the server closes their connections. */
export async function slowCampaign({
  slow,
  silent,
  seconds,
  open = servedPlatform,
}: SlowOptions): Promise<CampaignResult> {
  const platform = await open();
  try {
    const startCrowd = async (): Promise<Crowd> => {
      const crowd = crowdAt(platform.port, { slow, silent, overMs: seconds * 1_000 * ARRIVAL });
      await crowd.isConnected;
      return {
        stop: async () => {
          const counts = {
            'slow sockets': slow,
            'silent sockets': silent,
            'closed by the server': crowd.closed(),
          };
          crowd.stop();
          return { counts, violations: [] };
        },
      };
    };
    return await besideCrowd({ campaign: 'slow', platform, seconds, startCrowd });
  } finally {
    await platform.stop();
  }
}

/** Opens sockets that keep a connection open and send no request. */
function crowdAt(
  port: number,
  { slow, silent, overMs }: { readonly slow: number; readonly silent: number; readonly overMs: number },
) {
  let isOver = false;
  let closed = 0;
  const sockets = new Set<{ destroy(): void }>();
  const connectOne = (isSlow: boolean): Promise<void> =>
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
        void connectOne(isSlow);
      });
    });
  const count = slow + silent;
  const all = Array.from({ length: count }, async (_, index) => {
    await pause((overMs * index) / count);
    await connectOne(index % 3 === 0 && index < 3 * slow);
  });
  return {
    isConnected: Promise.all(all),
    closed: () => closed,
    stop: () => {
      isOver = true;
      for (const socket of sockets) socket.destroy();
    },
  };
}
