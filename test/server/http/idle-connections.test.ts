import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { limitIdleConnections } from '../../../src/server/http/limited-server.ts';
import { HTTP_LIMITS } from '../../../src/server/options/http-limits.ts';

/** A server without sockets. */
function serverWith(limits: Partial<typeof HTTP_LIMITS>) {
  const server = Object.assign(new EventEmitter(), { keepAliveTimeout: 0 });
  limitIdleConnections(server as unknown as Server, { ...HTTP_LIMITS, ...limits });
  const connect = (remoteAddress: string) => {
    const socket = Object.assign(new EventEmitter(), {
      remoteAddress,
      destroyed: false,
      destroy: () => {
        socket.destroyed = true;
        socket.emit('close');
      },
    });
    server.emit('connection', socket as unknown as Socket);
    return {
      isOpen: () => !socket.destroyed,
      close: () => socket.destroy(),
      /** Begins a request. The returned function ends it. */
      request: () => {
        const response = new EventEmitter();
        server.emit('request', { socket }, response);
        return () => void response.emit('close');
      },
    };
  };
  return { server, connect };
}

const STRANGER = '192.0.2.7';

describe('a crowded server', () => {
  const addresses = Array.from({ length: 100 }, (_, index) => `192.0.2.${index}`);

  test('closes the connection that has been idle for longest, so that a new one finds a place', () => {
    const { connect } = serverWith({ maxConnections: 40 });
    const idle = addresses.map(connect);
    expect(idle.map(({ isOpen }) => isOpen())).toEqual(idle.map((_, index) => index >= 70));
    const busy = connect(STRANGER);
    busy.request();
    for (const address of addresses) connect(address);
    expect(busy.isOpen()).toBe(true);
  });
});
