import { once } from 'node:events';
import type { Server } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { AppError } from '../../core/app-error.ts';
import { clockOfInstant } from '../../core/values/instant.ts';
import { bracketed } from './hosts.ts';

/**
 * Starts to listen and returns the port.
 * @throws AppError `port_taken`, `address_unavailable`
 */
export async function listen(
  server: Server,
  { host, port, nowMs }: { host: string; port: number; nowMs: () => number },
): Promise<number> {
  try {
    server.listen(listenTarget({ host, port }));
    await once(server, 'listening');
    return portOf(server)!;
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') throw await portTaken(host, port, nowMs(), error);
    const { reason, remedy } = obstacleOf(code);
    throw new AppError('address_unavailable', { host, port, reason, remedy }, error);
  }
}

/** Linux and macOS keep the ports below 1024 for root. Windows keeps ranges for itself. */
const obstacleOf = (code: string): { reason: string; remedy: string } =>
  code === 'EACCES'
    ? { reason: `this user may not use this port (${code})`, remedy: 'Give --port a number from 1024 on' }
    : { reason: code, remedy: 'Leave --host out to listen on 127.0.0.1' };

/** Binds an address at once. Node has it from 24 on; our types are those of Node 22, which do not know it. */
const { BoundSocket } = net as { BoundSocket?: new (address: Address) => object };

type Address = { readonly host: string; readonly port: number };

/** Even an IP address is looked up like a name, and for that Node compiles a regular expression: 5 ms of a start. */
function listenTarget(address: Address): object {
  return BoundSocket && net.isIP(address.host) > 0 ? new BoundSocket(address) : address;
}

/** The port that a server listens on; undefined while it does not listen. */
export function portOf(server: Server): number | undefined {
  return (server.address() as AddressInfo | null)?.port;
}

/** The base URL. A server that listens on all addresses is reached by the loopback address. */
export function urlOf(host: string, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${bracketed(reachable)}:${port}`;
}

async function portTaken(host: string, port: number, nowMs: number, cause: unknown): Promise<AppError> {
  const url = urlOf(host, port);
  const holder = await portHolder(url, nowMs);
  if (!holder) return new AppError('port_taken', { host, port }, cause);
  const { instance, database, minutes } = holder;
  const by = ` by another \`dataimport serve\`: instance ${instance}, database ${database}, running for ${minutes} min`;
  const remedy = `Use the one at ${url}, or end it with Ctrl-C where it runs`;
  return new AppError('port_taken', { host, port, by, remedy }, cause);
}

/** How long the holder of a port may take to identify itself, in milliseconds. */
const HOLDER_TIMEOUT_MS = 1_000;

/** Another `dataimport serve` that holds a port. */
interface PortHolder {
  readonly instance: string;
  readonly database: string;
  /** How long it has been running. */
  readonly minutes: number;
}

/** Undefined when another program holds the port, or when the holder does not answer. */
async function portHolder(url: string, nowMs: number): Promise<PortHolder | undefined> {
  try {
    const answer = await fetch(`${url}/_local/health`, {
      redirect: 'error',
      signal: AbortSignal.timeout(HOLDER_TIMEOUT_MS),
    });
    const { instance, database, started_at } = (await answer.json()) as Readonly<Record<string, unknown>>;
    if (![instance, database, started_at].every((fact) => typeof fact === 'string')) return undefined;
    const minutes = Math.max(0, Math.floor((nowMs - clockOfInstant(started_at as string)) / 60_000));
    return { instance: instance as string, database: database as string, minutes };
  } catch {
    return undefined;
  }
}
