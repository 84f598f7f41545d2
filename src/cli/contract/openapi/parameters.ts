import { memberOf, membersOf, type Located } from '../../../core/operator/located.ts';
import type { QueryDefaults, QueryFlag } from '../../../core/contract/descriptor.ts';
import type { Where } from '../finding.ts';
import { querySays } from '../request-path.ts';

import type { ReadOperation, Reading } from './reading.ts';
import { resolve } from './references.ts';

/** Headers that a document cannot describe (OpenAPI 3.0.3, "Parameter Object"). */
const OWN_HEADERS = new Set(['accept', 'content-type', 'authorization']);

/**
 * Reads the parameters of a request. An operation has the parameters of its path, but for those that it describes itself.
 * Returns the query parameters that every request has to say, with what a request without them means.
 */
export function readParameters(
  { endpoint, item, operation }: ReadOperation,
  where: Where,
  { document, findings }: Reading,
): QueryDefaults {
  const found = new Map<string, Located>();
  for (const holder of [operation, item])
    for (const each of membersOf(memberOf(holder, 'parameters'))) {
      const parameter = resolve(each, document);
      const name = `${String(memberOf(parameter, 'in')?.value)} ${String(memberOf(parameter, 'name')?.value)}`;
      if (!found.has(name)) found.set(name, parameter);
    }
  const isRequired = (parameter: Located): boolean => memberOf(parameter, 'required')?.value === true;
  const own = Object.entries(endpoint.query ?? {}) as [QueryFlag, boolean][];
  for (const [key, parameter] of found) {
    const [place, name = ''] = key.split(' ');
    const isSent =
      place === 'path' ||
      (place === 'header' && OWN_HEADERS.has(name.toLowerCase())) ||
      (place === 'query' && own.some(([each]) => each === name));
    const says = `the ${place} parameter \`${name}\` of ${endpoint.method} requests is required and cannot be sent`;
    if (!isSent && isRequired(parameter)) findings.addRefusal('not_understood', where, says, parameter.path);
  }
  const said = own.flatMap(([name, expected]) => {
    const parameter = found.get(`query ${name}`);
    if (!parameter) {
      const says = `has no query parameter \`${name}\`, which requests have`;
      findings.add('contradicts', where, says, operation.path);
      return [];
    }
    const schema = memberOf(parameter, 'schema');
    const resolved = schema && resolve(schema, document);
    const type = resolved && memberOf(resolved, 'type')?.value;
    if (type !== undefined && ![type].flat().includes('boolean'))
      findings.add(
        'contradicts',
        where,
        `the query parameter \`${name}\` is not true or false`,
        parameter.path,
      );
    const stated = resolved && memberOf(resolved, 'default')?.value;
    const byDefault = typeof stated === 'boolean' ? stated : expected;
    if (byDefault === expected && !isRequired(parameter)) return [];
    findings.add('tightened', where, querySays(name, byDefault, expected), parameter.path);
    return [[name, byDefault] as const];
  });
  return Object.fromEntries(said);
}
