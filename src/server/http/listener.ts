import { once } from 'node:events';
import type { Server } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { AppError } from '../../core/app-error.ts';
import { bracketed } from './hosts.ts';
import { portHolder } from './port-holder.ts';

/**
 * Starts to listen and says on which port.
 * @throws AppError `port_taken`, `port_taken_by_serve`, `address_unavailable`
 */
export async function listen(
  server: Server,
  { host, port, nowMs }: { host: string; port: number; nowMs: () => number },
): Promise<number> {
  try {
    server.listen(whereToListen({ host, port }));
    await once(server, 'listening');
    return portOf(server)!;
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') throw await portTaken(host, port, nowMs(), error);
    throw new AppError('address_unavailable', { host, reason: code }, error);
  }
}

/** Takes an address at once; Node has it from 24 on, and the types of 22, which are ours, do not know it. */
const { BoundSocket } = net as { BoundSocket?: new (address: Address) => object };

interface Address {
  readonly host: string;
  readonly port: number;
}

/** To be told a number, Node looks it up like a name, for which it compiles a regular expression: 5 ms of a start. */
function whereToListen(address: Address): object {
  return BoundSocket && net.isIP(address.host) > 0 ? new BoundSocket(address) : address;
}

async function portTaken(host: string, port: number, nowMs: number, cause: unknown): Promise<AppError> {
  const url = urlOf(host, port);
  const holder = await portHolder(url, nowMs);
  if (!holder) return new AppError('port_taken', { host, port }, cause);
  const { instance, database, minutes } = holder;
  return new AppError('port_taken_by_serve', { host, port, url, instance, database, minutes }, cause);
}

/** The port that a server listens on; undefined while it does not. */
export function portOf(server: Server): number | undefined {
  return (server.address() as AddressInfo | null)?.port;
}

/** The base URL; an address that stands for all of a machine is reached from it by its loopback address. */
export function urlOf(host: string, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${bracketed(reachable)}:${port}`;
}
