import type { Where } from '../../../core/operator/finding.ts';
import { memberOf, membersOf, type Located } from './document.ts';
import type { Reading } from './reading.ts';
import { resolve, usedAt } from './references.ts';
import { noteOthers } from './unread-parts.ts';

/** The schema of the body of a request. Everything else that the document says of the body is a finding. */
export function bodySchema(operation: Located, where: Where, reading: Reading): Located | undefined {
  const { findings } = reading;
  const body = memberOf(operation, 'requestBody');
  const holder = body && usedAt(body, reading);
  const [json, ...others] = holder ? mediaTypes(holder) : [];
  const contents = holder ? membersOf(memberOf(holder, 'content')) : [];
  if (holder) noteOthers(holder, ['content', 'required', 'description'], where, reading);
  if (!json && contents.length > 0) {
    const types = contents.map(({ key }) => `\`${key}\``).join(', ');
    const says = `the body is sent as JSON, and the document takes ${types} only`;
    findings.addRefusal('contradicts', where, says, holder!.path);
    return undefined;
  }
  if (json?.key.includes('+')) {
    const says = `the body is sent as \`application/json\`, and the document takes \`${json.key}\` only`;
    findings.addRefusal('contradicts', where, says, json.path);
  }
  for (const { key, path } of contents.filter((each) => each.key !== json?.key)) {
    const says = others.some((each) => each.key === key)
      ? `the body is sent as \`${json!.key}\`, so its form as \`${key}\` is not read`
      : `the body is sent as JSON, so its form as \`${key}\` is not read`;
    findings.add('ignored', where, says, path);
  }
  if (json) noteOthers(json, ['schema', 'example', 'examples'], where, reading);
  const schema = json && memberOf(json, 'schema');
  if (schema) return objectAmong(schema, where, reading);
  findings.add('not_understood', where, 'the request has no schema of a JSON body', operation.path);
  return undefined;
}

/** The contents of a body that are JSON, the plainest first. */
function mediaTypes(holder: Located): readonly (Located & { key: string })[] {
  const rankOf = (type: string): number =>
    [
      /^application\/json$/i,
      /^application\/json\b/i,
      /^application\/[\w.+-]+\+json\b/i,
      /^application\/\*$/,
      /^\*\/\*$/,
    ].findIndex((pattern) => pattern.test(type));
  return membersOf(memberOf(holder, 'content'))
    .filter(({ key }) => rankOf(key) >= 0)
    .toSorted((a, b) => rankOf(a.key) - rankOf(b.key));
}

/** A body that may be an object or a list is sent as the object. */
function objectAmong(schema: Located, where: Where, reading: Reading): Located {
  const { document, findings } = reading;
  const holder = resolve(schema, document);
  const name = ['oneOf', 'anyOf'].find((each) => memberOf(holder, each));
  const branches = name === undefined ? [] : membersOf(memberOf(holder, name));
  const lists = branches.filter((branch) => memberOf(resolve(branch, document), 'type')?.value === 'array');
  const [object, ...more] = branches.filter((branch) => !lists.includes(branch));
  if (!object || lists.length === 0 || more.length > 0) return schema;
  usedAt(schema, reading);
  noteOthers(holder, ['title', 'description', 'example', 'examples', name!], where, reading);
  for (const { path } of lists)
    findings.add('ignored', where, 'the body is sent as an object, so its form as a list is not read', path);
  return object;
}

export function jsonSchemaIn(holder: Located): Located | undefined {
  const [json] = mediaTypes(holder);
  return json && memberOf(json, 'schema');
}
