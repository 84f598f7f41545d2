import { DESCRIPTORS, RESOURCES, type Resource } from '../contract/resources.ts';
import type { OperatorContract, RequestRules, Statement } from './contract.ts';
import { listed } from './words.ts';

/** What a contract says about the answers of success to a request. */
export type AnswerRules = Pick<RequestRules, 'success' | 'results' | 'statuses'>;

/** Why no answer of success to requests of a resource can be read. Empty where answers are as in the interface, or the document says nothing. */
export function unreadableAnswer(
  resource: Resource,
  { success, results, statuses }: AnswerRules,
): readonly string[] {
  const { answer: expected, endpoint } = DESCRIPTORS[resource];
  const known = Object.keys(expected.statuses ?? {});
  const missing = known.filter((status) => !statuses?.includes(status) && !status.endsWith('ERROR'));
  const foreign = known.length > 0 ? (statuses ?? []).filter((status) => !known.includes(status)) : [];
  const placeOf = (list: string | null): string =>
    list === null ? 'nowhere' : list === '' ? 'by themselves' : `as \`${list}\``;
  const list = expected.list ?? '';
  return [
    ...(success === undefined
      ? []
      : [`success is answered with ${success}, and with ${endpoint.success.join(' or ')} in the interface`]),
    ...(results === undefined || results === list
      ? []
      : [`the answer has its results ${placeOf(results)}, and ${placeOf(list)} in the interface`]),
    ...(known.length > 0 && statuses?.length === 0
      ? [`results have no \`status\`, and ${listed(missing)} in the interface`]
      : []),
    ...(missing.length > 0 && foreign.length > 0
      ? [`results have the status ${listed(foreign)}, and ${listed(missing)} in the interface`]
      : []),
  ].map((says) => `${says}, so no answer of success can be read`);
}

/** Why a push under a contract would fail for a resource, because of its answers. */
export function unreadableAnswers(
  { requests }: OperatorContract,
  resources: readonly Resource[] = RESOURCES,
): readonly Statement[] {
  return resources.flatMap((resource) => {
    const { name: own } = DESCRIPTORS[resource].endpoint;
    const [, rules] = Object.entries(requests ?? {}).find(([name]) => name === own) ?? [];
    return rules
      ? unreadableAnswer(resource, rules).map((says) => ({ resource, says, from: rules.from }))
      : [];
  });
}
