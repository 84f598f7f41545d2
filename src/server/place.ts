import { endpointOfPath } from './faults/endpoint.ts';
import type { FaultEndpoint } from './faults/rule.ts';
import type { Route } from './routes/route.ts';

/** A path and what it has for each method. */
export interface Place {
  readonly path: string;
  readonly access: Route['access'];
  /** Undefined for the admin API: it has no faults. */
  readonly endpoint: FaultEndpoint | undefined;
  readonly allowed: readonly string[];
  routeFor(method: string): Route | undefined;
}

/** The routes by their paths; HEAD comes with GET. */
export function placesOf(routes: readonly Route[]): readonly Place[] {
  return [...Map.groupBy(routes, ({ path }) => path)].map(([path, ofPath]) => {
    const byMethod = new Map<string, Route>(ofPath.map((route) => [route.method, route]));
    const get = byMethod.get('GET');
    if (get) byMethod.set('HEAD', get);
    return {
      path,
      access: ofPath[0]!.access,
      endpoint: endpointOfPath(path),
      allowed: [...byMethod.keys()].toSorted(),
      routeFor: (method) => byMethod.get(method),
    };
  });
}
