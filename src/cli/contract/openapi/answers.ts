import { DESCRIPTORS, type Resource } from '../../../core/contract/resources.ts';
import { pointerOf, Findings, type Where } from '../../../core/operator/finding.ts';
import { type AnswerRules, unreadableAnswer } from '../../../core/operator/unreadable-answers.ts';
import { jsonSchemaIn } from './body-schema.ts';
import { memberOf, membersOf } from './document.ts';
import { readSchema } from './read-value.ts';
import { KIND_WORDS, type ReadMember, type ReadMembers, type Reading, type ReadValue } from './reading.ts';
import { resolve } from './references.ts';
import { isSuccess, type ReadOperation } from './unread-parts.ts';

/** The answer of success to a request. */
export interface ReadAnswer {
  readonly from: string;
  /** The status of success in the document, where requests do not know it. */
  readonly success: string | undefined;
  /** Undefined when the document does not describe the answer, or not so that it was understood. */
  readonly value: ReadValue | undefined;
}

/** Reads the answer of success. What it says beside the parts that matter here is no finding. */
export function readAnswer(
  { endpoint, operation }: ReadOperation,
  where: Where,
  reading: Reading,
): ReadAnswer {
  const responses = membersOf(memberOf(operation, 'responses'));
  const answers = responses.filter(({ key }) => /^2(?:\d\d|XX)$/i.test(key));
  const success = answers.find(({ key }) => isSuccess(endpoint, key)) ?? answers[0];
  const schema = success && jsonSchemaIn(resolve(success, reading.document));
  const silent = {
    ...reading,
    findings: new Findings(),
    rules: new Map(),
    read: reading.ofAnswers,
    definitions: [],
  };
  return {
    from: pointerOf(schema?.path ?? operation.path),
    success: responses.some(({ key }) => isSuccess(endpoint, key)) ? undefined : success?.key,
    value: schema && readSchema(schema, where, silent),
  };
}

/** The field of an answer that has the account number of the platform. */
export function accountNumberIn(
  { value, from }: ReadAnswer,
  where: Where,
  { findings }: Reading,
  isList: boolean,
): { name: string; from: string } | undefined {
  const object = value?.kind === 'list' ? itemOf(value) : value;
  const fields = object?.members?.fields;
  if (value?.kind === 'list' && fields && !fields.has('external_account_number')) {
    const says =
      'the list of accounts has no `external_account_number`, so `accounts` and `migrate` cannot read it';
    findings.addFailure('contradicts', where, says, from);
  }
  if (isList && value && value.kind !== 'list') {
    const says = `the accounts are in ${KIND_WORDS[value.kind]}, and in a list in the interface, so \`accounts\` and \`migrate\` cannot read them`;
    findings.addFailure('contradicts', where, says, from);
    return undefined;
  }
  const names = [...(fields ?? [])].filter(
    ([name]) => name.endsWith('account_number') && name !== 'external_account_number',
  );
  const [found] = names.toSorted(([a, x], [b, y]) => rank(a, x) - rank(b, y));
  if (found) return { name: found[0], from: found[1].from };
  const says =
    'the answer has no field that looks like the account number of the platform: accountNumberField is a setting';
  findings.add('not_understood', where, says, from);
  return undefined;
}

/** Published answers are nested twice in places. */
function itemOf({ item }: ReadValue): ReadValue | undefined {
  return item?.kind === 'list' ? item.item : item;
}

/** A deprecated name, and `account_number` without a word before it, are the second choice. */
function rank(name: string, { value }: ReadMember): number {
  return (value?.deprecated ? 2 : 0) + (name === 'account_number' ? 1 : 0);
}

/** The list of results in an answer and their statuses, where the document has them. Other names than those of the interface are findings. */
export function resultsOf(
  { value, from, success }: ReadAnswer,
  where: Where,
  { findings }: Reading,
): AnswerRules {
  const { resource } = where;
  const { name, result } = listOfResults(value, resource);
  const statuses = result && statusesOf(result, resource);
  const rules = {
    ...(resource !== null && success !== undefined && { success }),
    ...(name !== undefined && { results: name }),
    ...(statuses && { statuses }),
  };
  for (const says of resource === null ? [] : unreadableAnswer(resource, rules))
    findings.addFailure('contradicts', where, says, from);
  return rules;
}

/**
 * A result of an answer, and the `results` of the contract: the name of the list, empty where the answer is the list, null where it has
 * none. No name means that the document does not say it, or that the interface has none either.
 */
function listOfResults(
  value: ReadValue | undefined,
  resource: Resource | null,
): { name?: string | null; result: ReadValue | undefined } {
  const { list, answer } = resource === null ? { list: null, answer: null } : DESCRIPTORS[resource];
  const members = value?.members;
  if (value?.kind === 'list') return { result: itemOf(value), ...(answer?.list && { name: '' }) };
  // One record beside its account is answered by itself.
  if (list === null || !members || members.fields.size === 0) return { result: value };
  const lists = listsIn(members);
  const found = lists.find(([name]) => name === answer!.list) ?? lists[0];
  if (found) return { name: found[0], result: itemOf(found[1]) };
  return { result: undefined, ...(members.others !== 'any' && { name: null }) };
}

/** The statuses of a result; none where its fields are known and `status` is not among them. */
function statusesOf(result: ReadValue, resource: Resource | null): readonly string[] | undefined {
  const { members, types } = result;
  const field = members?.fields.get('status');
  if (field || resource === null || !DESCRIPTORS[resource].answer.statuses) return field?.value?.values;
  return members && members.fields.size > 0 && members.others !== 'any' && !types ? [] : undefined;
}

function listsIn({ fields }: ReadMembers): readonly (readonly [string, ReadValue])[] {
  return [...fields].flatMap(([name, { value }]) => (value?.kind === 'list' ? [[name, value] as const] : []));
}
