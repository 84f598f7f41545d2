import { DESCRIPTORS } from '../../../core/contract/resources.ts';
import type { AccountAnswer } from '../../../core/operator/contract.ts';
import { eachField, fieldOfSchemas } from './fields.ts';
import { memberOf, membersOf, type Located } from './located.ts';
import type { Where } from '../finding.ts';
import { type ReadOperation, type Reading, resolve } from './document.ts';

/** What a document says of the answers to a request. */
export interface ReadAnswers {
  readonly statuses: readonly string[];
  /** The field with the account number of the platform. */
  readonly number?: { readonly name: string; readonly from: string };
}

/**
 * Reads the answers to a request. They are hints: guides and the interface are the authority, because documents that programs
 * generate describe answers wrongly.
 */
export function readAnswers(
  { endpoint, operation }: ReadOperation,
  number: AccountAnswer | undefined,
  where: Where,
  { document, findings }: Reading,
): ReadAnswers {
  const responses = membersOf(memberOf(operation, 'responses'));
  const statuses = responses.map(({ key }) => key);
  const success =
    responses.find(({ key }) => endpoint.success.map(String).includes(key)) ??
    responses.find(({ key }) => /^2(?:\d\d|XX)$/i.test(key));
  const schema = success && jsonSchemaIn(resolve(success, document));
  if (!schema) return { statuses };
  const answer = fieldOfSchemas([schema], document.root.value);
  const [expected, words] = isList(where) ? ['list', 'a list'] : ['object', 'an object'];
  if (answer.kind !== expected && answer.kind !== 'json') {
    const found = { list: 'a list', object: 'one object' }[answer.kind as string] ?? 'a single value';
    const says = `the document describes the answer as ${found}, and the interface has ${words}: the first answer decides`;
    findings.add('contradicts', where, says, schema.at);
  }
  if (!number) return { statuses };
  // Published answers are nested twice in places, and have a deprecated name beside the new one.
  const numbers = eachField(answer.fields).flatMap(([path, { from }]) => {
    const [, name = ''] = /^[[\].]*(\w*account_number)$/.exec(path) ?? [];
    const rank = name === 'account_number' ? 1 : 0;
    return name === '' || name === 'external_account_number' ? [] : [{ name, from, rank }];
  });
  const [found] = numbers.toSorted((a, b) => a.rank - b.rank);
  if (found) return { statuses, number: { name: found.name, from: found.from } };
  const says =
    'the answer has no field that looks like the account number of the platform: accountNumberField is a setting';
  findings.add('not_understood', where, says, schema.at);
  return { statuses };
}

/** Whether the interface answers with a list: of the results of notes, and of accounts. */
function isList({ resource, field }: Where): boolean {
  if (resource === null) return field !== 'accountTransferStatus';
  const { list, answer } = DESCRIPTORS[resource];
  return list !== null && answer.list === null;
}

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
    findings.addRefusal('contradicts', where, says, (json ?? holder!).at);
    if (!json) return undefined;
  }
  const schema = json && memberOf(json, 'schema');
  if (!schema)
    findings.add('not_understood', where, 'the request has no schema of a JSON body', operation.at);
  return schema;
}

/** The JSON content of a body. Of several, plain `application/json` comes first. */
function jsonIn(holder: Located): (Located & { key: string }) | undefined {
  const kinds = [/^application\/json\b/i, /^application\/[\w.+-]+\+json\b/i, /^(?:application|\*)\/\*$/];
  const contents = membersOf(memberOf(holder, 'content'));
  return kinds.flatMap((kind) => contents.filter(({ key }) => kind.test(key)))[0];
}

function jsonSchemaIn(holder: Located): Located | undefined {
  const json = jsonIn(holder);
  return json && memberOf(json, 'schema');
}
