import type { Call, Endpoint, Method, Route } from '../route.ts';

/** A route for programs on this machine, such as `GET /_local/health`. It answers 200. `bodyFor` may throw a Refusal. */
export function adminRoute(
  endpoint: `${Method} /_local/${string}`,
  bodyFor: (call: Call) => unknown,
  rest: Pick<Endpoint, 'takesSqlite'> = {},
): Route {
  const [method, path] = endpoint.split(' ') as [Method, string];
  return {
    ...rest,
    method,
    path,
    access: 'loopback',
    answer: (call) => ({ status: 200, body: bodyFor(call) }),
  };
}
