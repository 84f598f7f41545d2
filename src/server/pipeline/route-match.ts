import { ENDPOINT_OF_PATH, type FaultEndpoint } from '../faults/fault-rule.ts';
import type { Call, Route } from '../routes/route.ts';
import { ROUTES } from '../routes/routes.ts';

export interface ServedPath {
  readonly path: string;
  readonly access: Route['access'];
  /** Undefined for the admin API, which has no faults. */
  readonly endpoint: FaultEndpoint | undefined;
  /** The methods of the path, sorted. */
  readonly allowed: readonly string[];
  readonly routes: ReadonlyMap<string, Route>;
}

/** The path that a request asks for. */
export interface RouteMatch extends ServedPath {
  /** Undefined when the path does not have the method. */
  readonly route: Route | undefined;
  readonly segments: Call['segments'];
}

export const SERVED_PATHS: readonly ServedPath[] = [...Map.groupBy(ROUTES, ({ path }) => path)].map(
  ([path, ofPath]) => {
    const routes = new Map<string, Route>(ofPath.map((route) => [route.method, route]));
    const get = routes.get('GET');
    if (get) routes.set('HEAD', get);
    return {
      path,
      access: ofPath[0]!.access,
      endpoint: ENDPOINT_OF_PATH.get(path),
      allowed: [...routes.keys()].toSorted(),
      routes,
    };
  },
);

const PATTERNS = SERVED_PATHS.map((served) => ({ served, parts: served.path.split('/') }));

/** Undefined when the server does not have the path, or when the path cannot be decoded. */
export function matchRoute(method: string, path: string): RouteMatch | undefined {
  const given = decoded(path.split('/'));
  for (const { served, parts } of PATTERNS) {
    const segments = given && segmentsBy(parts, given);
    if (segments) return { ...served, route: served.routes.get(method), segments };
  }
  return undefined;
}

function decoded(segments: readonly string[]): readonly string[] | undefined {
  try {
    return segments.map((segment) => decodeURIComponent(segment));
  } catch {
    return undefined;
  }
}

/** In characters. An account number is the longest name in a path. */
const LONGEST_NAME = 128;

/** Undefined when the path does not fit the pattern. */
function segmentsBy(parts: readonly string[], given: readonly string[]): Call['segments'] | undefined {
  if (parts.length !== given.length) return undefined;
  const segments: Record<string, string> = {};
  for (const [index, part] of parts.entries()) {
    const segment = given[index]!;
    const isName = part.startsWith(':') && segment !== '' && segment.length <= LONGEST_NAME;
    if (isName) segments[part.slice(1)] = segment;
    else if (part !== segment) return undefined;
  }
  return segments;
}
