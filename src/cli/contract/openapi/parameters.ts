import type { QueryDefaults, QueryFlag } from '../../../core/contract/descriptor.ts';
import { childOf, memberOf, membersOf, type Located } from '../../../core/operator/located.ts';
import type { Where } from '../finding.ts';
import type { ReadOperation, Reading } from './reading.ts';
import { resolve } from './references.ts';

/** Parameters that requests have: those of the path, and headers that a document cannot describe (OpenAPI 3.0.3, "Parameter Object"). */
const SENT = /^(?:path .*|header (?:accept|content-type|authorization))$/i;

/**
 * Reads the parameters of a request. An operation has the parameters of its path, but for those that it describes itself.
 * Returns the query parameters that every request has to say, with what a request without them means.
 */
export function readParameters(
  { endpoint, item, operation }: ReadOperation,
  where: Where,
  { document, findings }: Reading,
): QueryDefaults {
  const all = [item, operation]
    .flatMap((holder) => membersOf(memberOf(holder, 'parameters')))
    .map((each) => resolve(each, document));
  const found = new Map<string, Located>(
    all.map((each) => [['in', 'name'].map((name) => String(childOf(each.value, name))).join(' '), each]),
  );
  const isRequired = ({ value }: Located): boolean => childOf(value, 'required') === true;
  const own = Object.entries(endpoint.query ?? {}) as [QueryFlag, boolean][];
  for (const [key, parameter] of found) {
    if (SENT.test(key) || !isRequired(parameter) || own.some(([name]) => key === `query ${name}`)) continue;
    const [place, name = ''] = key.split(' ');
    const says = `the ${place} parameter \`${name}\` of ${endpoint.method} requests is required and cannot be sent`;
    findings.addRefusal('not_understood', where, says, parameter.path);
  }
  const said = own.flatMap(([name, expected]) => {
    const parameter = found.get(`query ${name}`);
    if (!parameter) {
      const says = `has no query parameter \`${name}\`, which requests have`;
      findings.add('contradicts', where, says, operation.path);
      return [];
    }
    const schema = memberOf(parameter, 'schema');
    const stated = schema && childOf(resolve(schema, document).value, 'default');
    const byDefault = typeof stated === 'boolean' ? stated : expected;
    if (byDefault === expected && !isRequired(parameter)) return [];
    const why =
      byDefault === expected ? 'is required' : `is ${byDefault} by default, and ${expected} in the interface`;
    const says = `the query parameter \`${name}\` ${why}: every push says what it means`;
    findings.add('tightened', where, says, parameter.path);
    return [[name, byDefault] as const];
  });
  return Object.fromEntries(said);
}
