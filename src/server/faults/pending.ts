import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** Connections and requests that faults keep pending. A stopping server releases them. */
export type Pending = ReturnType<typeof pendingOf>;

/** @param sleep waits so many milliseconds; an abort ends the wait without an error */
export function pendingOf(sleep = realSleep) {
  const sockets = new Set<Socket>();
  const stopping = new AbortController();
  return {
    keep: (socket: Socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      if (stopping.signal.aborted) socket.destroy();
    },
    /** Resolves after the wait, or when the server stops, so that the request is then finished as usual. */
    wait: (waitMs: number) => sleep(waitMs, stopping.signal),
    /** Destroys the connections and ends the waits. May be called again. */
    release: () => {
      // Without a reason an error is made for each server that stops.
      stopping.abort('the server stops');
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
