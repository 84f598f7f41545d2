import { DESCRIPTORS, type Resource } from '../../../core/contract/resources.ts';
import type { RequestRules } from '../../../core/operator/contract.ts';
import { pointerOf, Findings } from '../../../core/operator/finding.ts';
import { unreadableAnswer } from '../../../core/operator/unreadable-answers.ts';
import { jsonSchemaIn } from './body-schema.ts';
import { memberOf, membersOf, type Located } from './document.ts';
import { readSchema } from './read-value.ts';
import type { ReadMember, ReadMembers, Reading, ReadValue } from './reading.ts';
import { resolve } from './references.ts';

/** The answer of success to a request. */
export interface ReadAnswer {
  readonly from: string;
  /** Undefined when the document does not describe the answer, or not so that it was understood. */
  readonly value: ReadValue | undefined;
}

/** Reads the answer of success. What it says beside the parts that matter here is no finding. */
export function readAnswer(operation: Located, resource: Resource | null, reading: Reading): ReadAnswer {
  const responses = membersOf(memberOf(operation, 'responses'));
  const success = responses.find(({ key }) => /^2(?:\d\d|XX)$/i.test(key));
  const schema = success && jsonSchemaIn(resolve(success, reading.document));
  const silent = {
    ...reading,
    findings: new Findings(),
    rules: new Map(),
    read: new Set<unknown>(),
    definitions: [],
  };
  return {
    from: pointerOf(schema?.path ?? operation.path),
    value: schema && readSchema(schema, { resource, type: null, field: '' }, silent),
  };
}

/** The field of an answer that has the account number of the platform. */
export function accountNumberIn(
  { value, from }: ReadAnswer,
  resource: Resource | null,
  { findings }: Reading,
): { name: string; from: string } | undefined {
  const object = value?.kind === 'list' ? itemOf(value) : value;
  const fields = object?.members?.fields;
  const where = { resource, type: null, field: '' };
  if (value?.kind === 'list' && fields && !fields.has('external_account_number')) {
    const says =
      'the list of accounts has no `external_account_number`, so `accounts` and `migrate` cannot read it';
    findings.addFailure('contradicts', where, says, from);
  }
  const names = [...(fields ?? [])].filter(
    ([name]) => name.endsWith('account_number') && name !== 'external_account_number',
  );
  const [found] = names.toSorted(([a, x], [b, y]) => rank(a, x) - rank(b, y));
  if (found) return { name: found[0], from: found[1].from };
  const says = 'the answer has no field that looks like the account number of the platform';
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
  { value, from }: ReadAnswer,
  resource: Resource | null,
  { findings }: Reading,
): Pick<RequestRules, 'results' | 'statuses'> {
  const expected = resource === null ? null : DESCRIPTORS[resource].answer;
  const lists = value?.members ? listsIn(value.members) : [];
  const [name, list] = lists.find(([each]) => each === expected?.list) ?? lists[0] ?? [];
  const results = expected?.list ? name : undefined;
  const result = value?.kind === 'list' ? itemOf(value) : (list ?? value);
  const statuses = result?.members?.fields.get('status')?.value?.values;
  const rules = { ...(results !== undefined && { results }), ...(statuses && { statuses }) };
  for (const says of resource === null ? [] : unreadableAnswer(resource, rules))
    findings.addFailure('contradicts', { resource, type: null, field: '' }, says, from);
  return rules;
}

function listsIn({ fields }: ReadMembers): readonly (readonly [string, ReadValue | undefined])[] {
  return [...fields].flatMap(([name, { value }]) =>
    value?.kind === 'list' ? [[name, itemOf(value)] as const] : [],
  );
}
