import { DESCRIPTORS, type Resource } from '../../../core/contract/resources.ts';
import { attrOfPath, pathOfAttr, type Path } from '../../../core/problem.ts';
import type { LoggedProblem } from '../../http/logged-request.ts';
import type { Platform } from '../../platform/platform.ts';
import { candidatesFor } from './candidate-values.ts';
import { valueAt } from '../../../core/rules/schema-problems.ts';
import { exactJson } from '../../../core/values/exact-json.ts';
import { withValueAt } from './request-json.ts';

/** How the platform judges a body. */
export type Judged = { readonly status: number; readonly problems: readonly LoggedProblem[] };

/** A change at one place that the platform takes there, and the answer to the whole request with it. */
interface Passing {
  /** JSON text of the value; null when the field is left out. */
  readonly json: string | null;
  readonly result: Judged;
}

/** Both are null when nothing that was tried passes at the place. */
interface Found {
  readonly example: Passing | null;
  /** The request without the field. */
  readonly left_out: Passing | null;
}

/** Most values that are tried. Each try validates the whole request. */
const MOST_TRIES = 80;

/** Finds a value that passes at a path, by trying: every example was validated within its request. */
export function passingValue(
  { resource, body, attr }: { resource: Resource; body: string; attr: string },
  judge: (body: string) => Judged,
  platform: Platform,
): Found {
  const path = pathOfAttr(attr);
  const parsed = exactJson(body);
  if (path.length === 0 || parsed === undefined) return { example: null, left_out: null };
  const passing = (value: unknown): Passing | null => {
    const changed = withValueAt(parsed, path, value);
    // A request is refused at its first wrong record, so its answer need not say anything about this one. It also takes longer.
    if (!isPassedAlone(changed)) return null;
    const result = judge(JSON.stringify(changed));
    if (!isPassed(result, attr)) return null;
    return { json: value === undefined ? null : JSON.stringify(value), result };
  };
  const isPassedAlone = (changed: unknown): boolean => {
    const alone = onlyRecord(resource, changed, path);
    if (alone === undefined) return true;
    const answer = judge(JSON.stringify(alone.body));
    // A problem of the account hides those of its records.
    const isAboutRecord = answer.problems.every(({ attr: named }) => named.startsWith(alone.record));
    return isAboutRecord && isPassed(answer, attrOfPath(alone.path));
  };
  const tried = new Set<string | undefined>([JSON.stringify(valueAt(parsed, path))]);
  let example: Passing | null = null;
  for (const candidate of candidatesFor({ resource, path, body: parsed }, platform)) {
    const text = JSON.stringify(candidate);
    if (tried.has(text)) continue;
    if (tried.size > MOST_TRIES) break;
    tried.add(text);
    example = passing(candidate);
    if (example) break;
  }
  const isThere = valueAt(parsed, path) !== undefined && typeof path.at(-1) === 'string';
  return { example, left_out: isThere ? passing(undefined) : null };
}

/** Whether a refusal is about other places than the value and what is inside it. */
function isPassed({ status, problems }: Judged, attr: string): boolean {
  if (status < 400) return true;
  return (
    status === 400 &&
    problems.every(({ attr: named, field = named }) =>
      [named, field].every((place) => place !== '' && place !== attr && !place.startsWith(`${attr}.`)),
    )
  );
}

/** The request with one record only, and the paths in it; undefined for a path outside the records. */
function onlyRecord(resource: Resource, body: unknown, [first, index, ...below]: Path) {
  const { list } = DESCRIPTORS[resource];
  if (list === null || first !== list || typeof index !== 'number' || below.length === 0) return undefined;
  const record = valueAt(body, [list, index]);
  return { body: withValueAt(body, [list], [record]), record: `${list}.0`, path: [list, 0, ...below] };
}
