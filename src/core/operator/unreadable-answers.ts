import { DESCRIPTORS, RESOURCES, type Resource } from '../contract/resources.ts';
import type { OperatorContract, RequestRules } from './contract.ts';
import { listed } from './words.ts';

/** Why no answer of success to requests of a resource can be read. Empty where answers are as in the interface, or the document says nothing. */
export function unreadableAnswer(
  resource: Resource,
  { results, statuses }: Pick<RequestRules, 'results' | 'statuses'>,
): readonly string[] {
  const expected = DESCRIPTORS[resource].answer;
  const known = Object.keys(expected.statuses ?? {});
  const missing = known.filter((status) => !statuses?.includes(status) && !status.endsWith('ERROR'));
  const foreign = known.length > 0 ? (statuses ?? []).filter((status) => !known.includes(status)) : [];
  return [
    ...(results !== undefined && results !== expected.list
      ? [`the answer has its results as \`${results}\`, and as \`${expected.list}\` in the interface`]
      : []),
    ...(missing.length > 0 && foreign.length > 0
      ? [`results have the status ${listed(foreign)}, and ${listed(missing)} in the interface`]
      : []),
  ].map((says) => `${says}, so no answer of success can be read`);
}

type Refusal = NonNullable<OperatorContract['refusals']>[number];

/** Why a push under a contract would fail for a resource, because of its answers. */
export function unreadableAnswers(
  { requests }: OperatorContract,
  resources: readonly Resource[] = RESOURCES,
): readonly Refusal[] {
  return resources.flatMap((resource) => {
    const { name: own } = DESCRIPTORS[resource].endpoint;
    const [, rules] = Object.entries(requests ?? {}).find(([name]) => name === own) ?? [];
    return rules
      ? unreadableAnswer(resource, rules).map((says) => ({ resource, says, from: rules.from }))
      : [];
  });
}
