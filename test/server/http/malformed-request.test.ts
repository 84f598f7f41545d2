import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { malformedRequests } from '../../../src/server/http/malformed-request.ts';

test('many wrong packets behind a request that is not answered yet wait for its answer once', () => {
  const socket = new Socket();
  const response = Object.assign(new EventEmitter(), {
    req: { complete: true },
    writableFinished: false,
    destroyed: false,
  });
  const { follow, refuse } = malformedRequests();
  follow({ socket } as never, response as unknown as ServerResponse);
  for (let packet = 0; packet < 20; packet++)
    refuse(Object.assign(new Error('wrong'), { code: 'HPE_INVALID_METHOD' }), socket);
  expect(response.listenerCount('close')).toBe(1);
});
