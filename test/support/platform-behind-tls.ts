import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer, type ServerOptions } from 'node:https';
import { connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

const CERTIFICATES = join(import.meta.dirname, 'certificates');

/** The certificates of the tests. certificates/make.sh makes them. */
export type CertificateName = 'platform' | 'other-host' | 'expired' | 'self-signed' | 'loopback';

/** File of the authority that signed them, except the self-signed one. */
export const AUTHORITY_FILE = join(CERTIFICATES, 'authority.pem');

/** The certificate of a server on the loopback address, which is its own authority. */
export const LOOPBACK_FILE = join(CERTIFICATES, 'loopback.pem');

/** Starts a TLS server with one of the certificates. Resolves with its port. */
export async function tlsServer(
  certificate: CertificateName,
  answer: RequestListener,
  options: ServerOptions = {},
): Promise<number> {
  const cert = readFileSync(join(CERTIFICATES, `${certificate}.pem`));
  const server = createServer(
    { cert, key: readFileSync(join(CERTIFICATES, 'server.key')), ...options },
    answer,
  );
  // The client reports its errors about the certificate itself.
  server.on('tlsClientError', () => undefined);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return listening(server);
}

/** A proxy whose tunnels all lead to one port, and the requests that it got. */
export interface TestProxy {
  readonly port: number;
  /** `CONNECT host:port` of each tunnel, and any other request. */
  readonly asked: readonly string[];
  /** The Proxy-Authorization header of each tunnel. */
  readonly credentials: readonly (string | undefined)[];
}

/** Answers a CONNECT instead of opening the tunnel. */
export type InPlaceOfTunnel = (client: Socket) => void;

/** Starts a proxy whose tunnels end at the port, unless `instead` answers. */
export async function tunnelProxy(leadsTo: number, instead?: InPlaceOfTunnel): Promise<TestProxy> {
  const asked: string[] = [];
  const credentials: (string | undefined)[] = [];
  const sockets = new Set<Socket>();
  const proxy = createHttpServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(502).end();
  });
  proxy.on('connect', (request, client: Socket, head) => {
    asked.push(`CONNECT ${request.url}`);
    credentials.push(request.headers['proxy-authorization']);
    sockets.add(client.on('error', () => undefined));
    if (instead) return instead(client);
    const upstream = connect(leadsTo, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      upstream.write(head);
      upstream.pipe(client).pipe(upstream);
    });
    sockets.add(upstream.on('error', () => client.destroy()));
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    proxy.closeAllConnections();
    proxy.close();
  });
  return { port: await listening(proxy), asked, credentials };
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}
