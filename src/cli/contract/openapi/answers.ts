import { memberOf, membersOf } from '../../../core/operator/located.ts';
import type { AccountAnswer, RequestRules } from '../../../core/operator/contract.ts';
import { DESCRIPTORS } from '../../../core/contract/resources.ts';
import type { Where } from '../finding.ts';
import { jsonSchemaIn } from './body-schema.ts';

import { fieldOfSchemas, type Field } from '../../../core/operator/fields.ts';
import type { ReadOperation, Reading } from './reading.ts';
import { resolve } from './references.ts';

/** What a document says of the answers to a request. */
export interface ReadAnswers extends Pick<RequestRules, 'statuses'> {
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
  reading: Reading,
): ReadAnswers {
  const responses = membersOf(memberOf(operation, 'responses'));
  const statuses = responses.map(({ key }) => key);
  const success =
    responses.find(({ key }) => endpoint.success.map(String).includes(key)) ??
    responses.find(({ key }) => /^2(?:\d\d|XX)$/i.test(key));
  const schema = success && jsonSchemaIn(resolve(success, reading.document));
  const value = schema && fieldOfSchemas([schema], reading.document.root.value);
  if (!value) return { statuses };
  const { findings } = reading;
  const expected = isList(where) ? 'list' : 'object';
  if (value.kind !== expected && value.kind !== 'json') {
    const says = `the document describes the answer as ${NAMES[value.kind] ?? 'a single value'}, and the interface has ${NAMES[expected]}: the first answer decides`;
    findings.add('contradicts', where, says, schema.path);
  }
  if (!number) return { statuses };
  const [found] = numbersIn(value);
  const says =
    'the answer has no field that looks like the account number of the platform: accountNumberField is a setting';
  if (!found) findings.add('not_understood', where, says, schema.path);
  return { statuses, ...(found && { number: found }) };
}

const NAMES: Readonly<Record<string, string>> = { list: 'a list', object: 'an object' };

/** Whether the interface answers with a list: of the results of notes, and of accounts. */
function isList({ resource, field }: Where): boolean {
  if (resource === null) return field !== 'accountTransferStatus';
  const { list, answer } = DESCRIPTORS[resource];
  return list !== null && answer.list === null;
}

/** The fields of an answer that look like the account number of the platform, the likeliest first. Published answers are nested twice in places. */
function numbersIn({ fields = {} }: Field): readonly { name: string; from: string }[] {
  if (fields['[]']) return numbersIn(fields['[]']);
  const rank = ([name, { deprecated }]: readonly [string, Field]): number =>
    (deprecated === undefined ? 0 : 2) + (name === 'account_number' ? 1 : 0);
  return Object.entries(fields)
    .filter(([name]) => name.endsWith('account_number') && name !== 'external_account_number')
    .toSorted((a, b) => rank(a) - rank(b))
    .map(([name, { from }]) => ({ name, from }));
}
