import type { IncomingMessage } from 'node:http';
import { Refusal, refusal, unreadableBody } from './answer.ts';

/**
 * The bytes of a body.
 * @throws Refusal 413 as soon as there are more than `limit`; 400 when its sender goes away
 */
export function readBody(request: IncomingMessage, limit: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const take = (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) return void chunks.push(chunk);
      // What still comes is thrown away.
      request.off('data', take);
      chunks.length = 0;
      reject(new Refusal(refusal('payload_too_large', { limit })));
    };
    request.on('data', take);
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.once('error', () => reject(new Refusal(unreadableBody('it ends too early'))));
  });
}
