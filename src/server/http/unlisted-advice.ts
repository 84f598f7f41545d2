import * as z from 'zod/mini';
import { schemaBelow } from '../../core/contract/field.ts';
import { DESCRIPTORS, RESOURCES, type Descriptors, type Resource } from '../../core/contract/resources.ts';
import type { Path } from '../../core/problem.ts';
import { nearestByWords, nearestName } from '../../core/suggestion.ts';

/** What a request with records was sent to. */
export interface SentTo {
  readonly descriptor: Descriptors[Resource];
  readonly query: Readonly<Record<string, unknown>>;
}

/**
 * What the author of a client does about a field or a query parameter that the endpoint does not have. Undefined when nothing is
 * known but that it has to go.
 * @param value the value in the body; undefined when the body does not have the field
 */
export function adviceForUnlisted(
  path: Path,
  value: unknown,
  { descriptor, query }: SentTo,
): string | undefined {
  const { endpoint, list, account, schema } = descriptor;
  const name = String(path.at(-1));
  const isInRecord = path.length > 1;
  const defaults: Readonly<Record<string, boolean>> = endpoint.query ?? {};
  const parameters = Object.keys(defaults);
  const parameter = nearest(name, parameters);
  if (!isInRecord && value === undefined && Object.hasOwn(query, name)) {
    if (parameter !== undefined) return `Did you mean the query parameter \`${parameter}\`?`;
    return 'Leave it out: this endpoint has no such query parameter.';
  }
  const record = Object.keys(schema.shape);
  const top = [...Object.keys(account), ...(list === null ? record : [list])];
  if (isInRecord && top.includes(name))
    return `Move it out of the record, beside \`${list}\`: all records of a request are of one account.`;
  if (!isInRecord && list !== null && record.includes(name))
    return `Move it into each record of \`${list}\`.`;
  const level = isInRecord ? fieldsOf(path.slice(2, -1).reduce(schemaBelow, schema)) : top;
  const elsewhere = isInRecord ? undefined : adviceForOtherList([name]);
  if (elsewhere !== undefined) return elsewhere;
  const meant = nearest(name, level);
  if (meant !== undefined) return `Did you mean \`${meant}\`?`;
  if (parameter !== undefined) {
    const sent = typeof value === 'boolean' ? value : defaults[parameter];
    return `Move it into the query, because it is no field: \`POST ${endpoint.path}?${parameter}=${sent}\`.`;
  }
  if (list === null && typeof value === 'object' && value !== null)
    return `Send one record in a request, with its fields beside \`${top[0]}\`.`;
  return undefined;
}

/** Where records belong whose list is among the names. Undefined when none is. */
export function adviceForOtherList(names: readonly string[]): string | undefined {
  const other = RESOURCES.find((resource) => names.some((name) => name === DESCRIPTORS[resource].list));
  if (other === undefined) return undefined;
  const { list, endpoint } = DESCRIPTORS[other];
  return `Send \`${list}\` to POST ${endpoint.path}, because each path takes records of one kind.`;
}

const nearest = (name: string, names: readonly string[]): string | undefined =>
  nearestByWords(name, names) ?? nearestName(name, names);

function fieldsOf(schema: z.ZodMiniType | undefined): readonly string[] {
  return schema instanceof z.ZodMiniObject ? Object.keys(schema.shape) : [];
}
