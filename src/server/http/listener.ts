import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AppError } from '../../core/app-error.ts';
import { bracketed } from './hosts.ts';

/** Starts to listen and returns the port. */
export async function listen(
  server: Server,
  { host, port }: { host: string; port: number },
): Promise<number> {
  try {
    server.listen({ host, port });
    await once(server, 'listening');
    return portOf(server)!;
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    const { reason, remedy } = obstacleOf(code);
    throw new AppError('address_unavailable', { host, port, reason, remedy }, error);
  }
}

/** Linux and macOS keep the ports below 1024 for root. Windows keeps ranges for itself. */
const obstacleOf = (code: string) =>
  code === 'EADDRINUSE'
    ? { reason: 'another program has it', remedy: TAKEN }
    : code === 'EACCES'
      ? { reason: `this user may not use this port (${code})`, remedy: 'Give --port a number from 1024 on' }
      : { reason: `the system says ${code}`, remedy: 'Leave --host out to listen on 127.0.0.1' };

const TAKEN =
  'Stop the program that listens there, or serve a second platform with `--port 0 --db second.sqlite`: each has a database of its own';

/** The port that a server listens on; undefined while it does not listen. */
export function portOf(server: Server): number | undefined {
  return (server.address() as AddressInfo | null)?.port;
}

/** The base URL. A server that listens on all addresses is reached by the loopback address. */
export function urlOf(host: string, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${bracketed(reachable)}:${port}`;
}
