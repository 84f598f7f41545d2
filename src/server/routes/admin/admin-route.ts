import type { Call, Method, Route } from '../route.ts';

/** A route for programs on this machine, such as `GET /_local/health`. It answers 200. `bodyFor` may throw a Refusal. */
export function adminRoute(endpoint: `${Method} /_local/${string}`, bodyFor: (call: Call) => unknown): Route {
  const [method, path] = endpoint.split(' ') as [Method, string];
  return {
    method,
    path,
    access: 'loopback',
    answer: (call) => ({ status: 200, body: bodyFor(call) }),
  };
}
