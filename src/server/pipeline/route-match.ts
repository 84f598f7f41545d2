import { endpointOfPath } from '../faults/endpoint.ts';
import type { FaultEndpoint } from '../faults/rule.ts';
import type { Call, Route } from '../routes/route.ts';

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

/** No name in a path is longer than an account number, in characters. */
const LONGEST_NAME = 128;

/** A place and what its path names. */
export interface FoundPlace {
  readonly place: Place;
  readonly segments: Call['segments'];
}

/** Finds the place of a path; undefined when there is none, or when the path cannot be decoded. */
export function placeFinder(places: Iterable<Place>): (path: string) => FoundPlace | undefined {
  const patterns = [...places].map((place) => ({ place, parts: place.path.split('/') }));
  return (path) => {
    const given = decoded(path.split('/'));
    for (const { place, parts } of patterns) {
      const segments = given && segmentsBy(parts, given);
      if (segments) return { place, segments };
    }
    return undefined;
  };
}

function decoded(segments: readonly string[]): readonly string[] | undefined {
  try {
    return segments.map((segment) => decodeURIComponent(segment));
  } catch {
    return undefined;
  }
}

/** Undefined when the path is another one. */
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
