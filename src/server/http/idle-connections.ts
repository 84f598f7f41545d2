import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpLimits } from '../options/http-limits.ts';
import { isLoopback } from './hosts.ts';

/** How long a connection may wait for its next request, in milliseconds. Clients and proxies in use wait less. */
const KEEP_ALIVE_MS = 72_000;

/** The same in a crowded server. */
const CROWDED_KEEP_ALIVE_MS = 5_000;

/** The shares of the connections from which on a server is crowded, and from which on it closes idle ones. */
const CROWDED = 0.5;
const FULL = 0.75;

/**
 * Keeps connections without a request from shutting others out. An address of another machine may have some of them. In a full server
 * each new connection closes the one that has been idle for longest, so that idle ones never take the last place. A program on
 * this machine could do worse than keep connections open, so its address has no limit.
 */
export function limitIdleConnections(
  server: Pick<Server, 'on' | 'keepAliveTimeout'>,
  { maxConnections, maxIdlePerAddress }: HttpLimits,
): void {
  /** The connection that has been idle for longest comes first. */
  const idle = new Set<Socket>();
  const requests = new WeakMap<Socket, number>();
  let open = 0;
  const ofAddress = (address: string | undefined) =>
    [...idle].filter(({ remoteAddress }) => remoteAddress === address);
  const addIdle = (socket: Socket) => {
    idle.add(socket);
    const { remoteAddress } = socket;
    if (isLoopback(remoteAddress) || idle.size <= maxIdlePerAddress) return;
    const [oldest, ...others] = ofAddress(remoteAddress);
    if (others.length >= maxIdlePerAddress) oldest!.destroy();
  };
  const count = (change: 1 | -1) => {
    open += change;
    server.keepAliveTimeout = open > CROWDED * maxConnections ? CROWDED_KEEP_ALIVE_MS : KEEP_ALIVE_MS;
    if (open > FULL * maxConnections && change === 1) idle.values().next().value?.destroy();
  };
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.on('connection', (socket) => {
    count(1);
    addIdle(socket);
    socket.once('close', () => {
      idle.delete(socket);
      count(-1);
    });
  });
  server.on('request', ({ socket }, response) => {
    idle.delete(socket);
    requests.set(socket, (requests.get(socket) ?? 0) + 1);
    response.once('close', () => {
      const left = requests.get(socket)! - 1;
      requests.set(socket, left);
      if (left === 0 && !socket.destroyed) addIdle(socket);
    });
  });
}
