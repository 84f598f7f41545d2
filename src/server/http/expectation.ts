import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/**
 * A client that sends `Expect: 100-continue` waits for a word before it sends the body. Left alone Node would ask for
 * the body first and have the request judged after it. So the request is judged, and `askForBody` comes after the steps.
 */
export function judgeBeforeBody(server: Server): void {
  const judge = (request: IncomingMessage, response: ServerResponse) =>
    void server.emit('request', request, response);
  server.on('checkContinue', judge);
  // Expectations that nobody knows are refused by a step, like everything else.
  server.on('checkExpectation', judge);
}

export function isExpectationKnown({ expect }: IncomingMessage['headers']): boolean {
  return expect === undefined || expect.toLowerCase() === '100-continue';
}

/** Says to a client that waits for it that the body may come. */
export function askForBody({ headers, complete }: IncomingMessage, response: ServerResponse): void {
  if (headers.expect !== undefined && !complete) response.writeContinue();
}
