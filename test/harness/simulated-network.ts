import { Agent, type Dispatcher } from 'undici';
import type { PlatformAnswer, PlatformRequest } from '../../src/cli/push/ports/platform.ts';

/** Answers the requests of the client in place of a socket. A request that never leaves is answered at once. */
export type Answerer = (
  request: PlatformRequest,
) => Promise<PlatformAnswer> | Extract<PlatformAnswer, { kind: 'not_sent' }>;

/** The platforms without sockets, by their addresses. */
const answerers = new Map<string, Answerer>();
let isInstalled = false;

/** Answers the requests to an address until the returned function is called. Everything above the sockets is that of the product. */
export function answerAt(origin: string, answerer: Answerer): () => void {
  install();
  answerers.set(origin, answerer);
  return () => void answerers.delete(origin);
}

function install(): void {
  if (isInstalled) return;
  isInstalled = true;
  const dispatch = Agent.prototype.dispatch;
  Agent.prototype.dispatch = function (options, handler) {
    const answerer = answerers.get(String(options.origin));
    if (!answerer) return dispatch.call(this, options, handler);
    void exchange(answerer, options, handler);
    return true;
  };
}

async function exchange(
  answerer: Answerer,
  { method, path, body }: Dispatcher.DispatchOptions,
  handler: Dispatcher.DispatchHandler,
): Promise<void> {
  const controller = {
    aborted: false,
    paused: false,
    reason: null,
    rawHeaders: null,
    rawTrailers: null,
    pause: () => undefined,
    resume: () => undefined,
    abort: () => undefined,
  } as unknown as Dispatcher.DispatchController;
  const text = body === null || body === undefined ? null : String(body as Buffer);
  const answering = answerer({ method: method as 'GET' | 'POST', path, body: text });
  if (answering instanceof Promise) handler.onRequestStart?.(controller, {});
  const answer = await answering;
  if (answer.kind !== 'answer') {
    const code = answer.kind === 'lost' ? 'ECONNRESET' : 'ECONNREFUSED';
    handler.onResponseError?.(controller, Object.assign(new Error(answer.reason), { code }));
    return;
  }
  handler.onResponseStart?.(controller, answer.status, { ...answer.headers }, '');
  handler.onResponseData?.(controller, Buffer.from(answer.body));
  handler.onResponseEnd?.(controller, {});
}
