import { DEFAULT_ACCOUNT_NUMBER_FIELD } from '../../../core/contract/account-number.ts';
import { ENDPOINTS } from '../../../core/contract/endpoints.ts';
import type { AccountAnswer } from '../../../core/operator/contract.ts';
import { eachField, fieldOfSchemas } from './fields.ts';
import { memberOf, membersOf, type Located } from './located.ts';
import type { Where } from '../finding.ts';
import { type ReadOperation, type Reading, resolve } from './document.ts';

/**
 * Reads the answers to a request, and returns the name of the account number of the platform in them. They are hints: guides and the
 * interface are the authority, because documents that programs generate describe answers wrongly.
 */
export function readAnswers(
  { name: request, operation }: ReadOperation,
  number: AccountAnswer | undefined,
  where: Where,
  { document, note }: Reading,
): string | undefined {
  const responses = membersOf(memberOf(operation, 'responses'));
  const about = (field: string): Where => ({ resource: null, types: [], field });
  for (const { key, at } of responses) note('says', about(request), `answers with ${key}`, at);
  const success =
    responses.find(({ key }) => ENDPOINTS[request].success.map(String).includes(key)) ??
    responses.find(({ key }) => /^2(?:\d\d|XX)$/i.test(key));
  const content = success && jsonIn(resolve(success, document));
  const schema = content && memberOf(content, 'schema');
  if (!schema) return undefined;
  const answer = fieldOfSchemas([schema], document.root.value);
  const [expected, words] = LISTS.test(request) ? ['list', 'a list'] : ['object', 'an object'];
  if (answer.kind !== expected && answer.kind !== 'json') {
    const found = { list: 'a list', object: 'one object' }[answer.kind as string] ?? 'a single value';
    const says = `the document describes the answer as ${found}, and the interface has ${words}: the first answer decides`;
    note('contradicts', where, says, schema.at);
  }
  if (!number) return undefined;
  // Published answers are nested twice in places, and have a deprecated name beside the new one.
  const numbers = eachField(answer.fields).flatMap(([path, { from }]) => {
    const [, name = ''] = /^[[\].]*(\w*account_number)$/.exec(path) ?? [];
    return name === '' || name === 'external_account_number' ? [] : [{ name, from }];
  });
  const found = numbers.find(({ name }) => name !== 'account_number') ?? numbers[0];
  if (!found) {
    const says =
      'the answer has no field that looks like the account number of the platform: accountNumberField is a setting';
    note('not_understood', where, says, schema.at);
  } else if (found.name !== DEFAULT_ACCOUNT_NUMBER_FIELD)
    note('names', about(number), `the account number is \`${found.name}\``, found.from);
  return found?.name;
}

/** The requests that the interface answers with a list: of the results of notes, and of accounts. */
const LISTS = /^(?:createNotes|\w+AccountImportProcesses)$/;

/** The schema of the body of a request. */
export function bodySchema(
  operation: Located,
  where: Where,
  { document, note }: Reading,
): Located | undefined {
  const body = memberOf(operation, 'requestBody') ?? { value: undefined, at: operation.at };
  const holder = resolve(body, document);
  const json = jsonIn(holder);
  const contents = membersOf(memberOf(holder, 'content'));
  if (contents.length > 0 && (!json || json.key.includes('+'))) {
    const taken = json ? [json] : contents;
    const says = `the body is sent as \`application/json\`, and the document takes ${taken.map(({ key }) => `\`${key}\``).join(', ')} only`;
    note('contradicts', where, says, (json ?? holder).at, true);
    if (!json) return undefined;
  }
  const schema = json && memberOf(json, 'schema');
  if (!schema) note('not_understood', where, 'the request has no schema of a JSON body', operation.at);
  return schema;
}

/** The JSON content of a body. Of several, plain `application/json` comes first. */
function jsonIn(holder: Located): (Located & { key: string }) | undefined {
  const kinds = [/^application\/json\b/i, /^application\/[\w.+-]+\+json\b/i, /^(?:application|\*)\/\*$/];
  const contents = membersOf(memberOf(holder, 'content'));
  return kinds.flatMap((kind) => contents.filter(({ key }) => kind.test(key)))[0];
}
