import type { Descriptors, Resource } from '../../core/contract/resources.ts';
import type { Path } from '../../core/problem.ts';
import { nearestByWords, nearestName } from '../../core/suggestion.ts';

/** What a request with records was sent to. */
export type SentTo = Descriptors[Resource];

/**
 * What the author of a client does about a field or a query parameter that the endpoint does not have. Undefined when nothing is
 * known but that it has to go.
 */
export function adviceForUnlisted(
  path: Path,
  { endpoint, list, account, schema }: SentTo,
): string | undefined {
  const name = String(path.at(-1));
  const isInRecord = path.length > 1;
  const record = Object.keys(schema.shape);
  const top = [...Object.keys(account), ...(list === null ? record : [list])];
  const parameters = Object.keys(endpoint.query ?? {});
  if (parameters.includes(name))
    return `Move it into the query, because it is no field: \`POST ${endpoint.path}?${name}=…\`.`;
  if (isInRecord && top.includes(name))
    return `Move it out of the record, beside \`${list}\`: all records of a request are of one account.`;
  if (!isInRecord && list !== null && record.includes(name))
    return `Move it into each record of \`${list}\`.`;
  const known = [...(isInRecord ? record : top), ...parameters];
  const meant = nearestByWords(name, known) ?? nearestName(name, known);
  return meant && `Did you mean \`${meant}\`?`;
}
