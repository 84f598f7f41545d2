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
  const [json] = holder ? mediaTypes(holder) : [];
  const contents = holder ? membersOf(memberOf(holder, 'content')) : [];
  const refuse = (taken: string, path: Located['path']): void => {
    const says = `the body is sent as \`application/json\`, and the document takes ${taken} only`;
    findings.addRefusal('contradicts', where, says, path);
  };
  if (!json && contents.length > 0) {
    refuse(contents.map(({ key }) => `\`${key}\``).join(', '), holder!.path);
    return undefined;
  }
  if (json?.key.includes('+')) refuse(`\`${json.key}\``, json.path);
  const schema = json && memberOf(json, 'schema');
  if (schema) return schema;
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

export function jsonSchemaIn(holder: Located): Located | undefined {
  const [json] = mediaTypes(holder);
  return json && memberOf(json, 'schema');
}
