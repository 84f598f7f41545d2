import { setTimeout as wait } from 'node:timers/promises';
import type { Socket } from 'node:net';

/** Waits so many milliseconds; an abort ends the wait and is no error. */
export type Sleep = (waitMs: number, signal: AbortSignal) => Promise<void>;

/** What faults keep waiting: it ends with the server. */
export interface Held {
  /** Keeps a connection open that will never be answered. */
  hold(socket: Socket): void;
  /** Resolves with false when the server ends before the time is over. */
  wait(waitMs: number): Promise<boolean>;
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
    wait: async (waitMs) => {
      await sleep(waitMs, ending.signal);
      return !ending.signal.aborted;
    },
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
