import { setTimeout as wait } from 'node:timers/promises';
import type { Socket } from 'node:net';
import type { ServerOptions } from '../options/server-options.ts';

export type Sleep = NonNullable<ServerOptions['sleep']>;

/** What faults keep waiting: it ends with the server. */
export interface Held {
  /** Keeps a connection open that will never be answered. */
  hold(socket: Socket): void;
  /** Resolves when the time is over; early when the server ends, so that the request is finished like any other. */
  wait(waitMs: number): Promise<void>;
  /** Lets go of everything; a second call does nothing. */
  release(): void;
}

export function heldBy(sleep: Sleep = realSleep): Held {
  const sockets = new Set<Socket>();
  const ending = new AbortController();
  return {
    hold: (socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      if (ending.signal.aborted) socket.destroy();
    },
    wait: (waitMs) => sleep(waitMs, ending.signal),
    release: () => {
      ending.abort();
      for (const socket of sockets) socket.destroy();
    },
  };
}

async function realSleep(waitMs: number, signal: AbortSignal): Promise<void> {
  try {
    await wait(waitMs, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
