import { memberOf, membersOf, type Located } from '../../../core/operator/located.ts';
import type { Where } from '../finding.ts';
import type { Reading } from './reading.ts';
import { resolve } from './references.ts';

/** The schema of the body of a request. */
export function bodySchema(
  operation: Located,
  where: Where,
  { document, findings }: Reading,
): Located | undefined {
  const body = memberOf(operation, 'requestBody');
  const holder = body && resolve(body, document);
  const json = holder && jsonIn(holder);
  const contents = holder ? membersOf(memberOf(holder, 'content')) : [];
  if (contents.length > 0 && (!json || json.key.includes('+'))) {
    const taken = json ? [json] : contents;
    const says = `the body is sent as \`application/json\`, and the document takes ${taken.map(({ key }) => `\`${key}\``).join(', ')} only`;
    findings.addRefusal('contradicts', where, says, (json ?? holder!).path);
    if (!json) return undefined;
  }
  const schema = json && memberOf(json, 'schema');
  if (!schema)
    findings.add('not_understood', where, 'the request has no schema of a JSON body', operation.path);
  return schema;
}

/** The JSON content of a body. Of several, plain `application/json` comes first. */
function jsonIn(holder: Located): (Located & { key: string }) | undefined {
  const kinds = [/^application\/json\b/i, /^application\/[\w.+-]+\+json\b/i, /^(?:application|\*)\/\*$/];
  const contents = membersOf(memberOf(holder, 'content'));
  return kinds.flatMap((kind) => contents.filter(({ key }) => kind.test(key)))[0];
}

export function jsonSchemaIn(holder: Located): Located | undefined {
  const json = jsonIn(holder);
  return json && memberOf(json, 'schema');
}
