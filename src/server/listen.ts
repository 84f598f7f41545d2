import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../core/app-error.ts';
import { bracketed } from './allowed-hosts.ts';

/**
 * Starts to listen and says on which port.
 * @throws AppError `port_taken`, `address_unavailable`
 */
export async function listen(
  app: FastifyInstance,
  { host, port }: { host: string; port: number },
): Promise<number> {
  try {
    await app.listen({ host, port });
    return portOf(app)!;
  } catch (error) {
    await app.close();
    const { code = String(error) } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') throw new AppError('port_taken', { host, port }, error);
    throw new AppError('address_unavailable', { host, reason: code }, error);
  }
}

/** The port that the app listens on; undefined while it does not. */
export function portOf(app: FastifyInstance): number | undefined {
  return (app.server.address() as AddressInfo | null)?.port;
}

/** The base URL; an address that stands for all of a machine is reached from it by its loopback address. */
export function urlOf(host: string, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${bracketed(reachable)}:${port}`;
}
