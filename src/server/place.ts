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
  /** Whether a body may be one JSON document a line. */
  readonly takesLines: boolean;
  /** Undefined: that of the server. */
  readonly bodyLimitBytes: number | undefined;
  routeFor(method: string): Route | undefined;
}

/** The place that a request target leads to, if it is well-formed; for methods that have no route of their own. */
export function placeAt(target: string, places: Iterable<Place>): Place | undefined {
  const [path = ''] = target.split('?');
  for (const place of places) {
    const pattern = place.path.replaceAll(/:\w+/g, '[^/]+').replaceAll('.', '\\.');
    if (new RegExp(`^${pattern}$`).test(path)) return place;
  }
  return undefined;
}

/** The routes by their paths; HEAD comes with GET. */
export function placesOf(routes: readonly Route[]): readonly Place[] {
  return [...Map.groupBy(routes, ({ path }) => path)].map(([path, ofPath]) => {
    const byMethod = new Map<string, Route>(ofPath.map((route) => [route.method, route]));
    const get = byMethod.get('GET');
    if (get) byMethod.set('HEAD', get);
    const bodyLimitBytes = ofPath.find((route) => route.linesUpToBytes !== undefined)?.linesUpToBytes;
    return {
      path,
      access: ofPath[0]!.access,
      endpoint: endpointOfPath(path),
      allowed: [...byMethod.keys()].toSorted(),
      takesLines: bodyLimitBytes !== undefined,
      bodyLimitBytes,
      routeFor: (method) => byMethod.get(method),
    };
  });
}
