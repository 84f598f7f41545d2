import { DESCRIPTORS, RESOURCES, type Descriptors, type Resource } from '../../core/contract/resources.ts';
import type { AccountAnswer, CodeRule } from '../../core/operator/contract.ts';
import type { loadContract } from './contract-file.ts';
import type { LostAnswer, QueryFlag } from '../../core/contract/descriptor.ts';
import type { OutputPort } from '../output/output.ts';
import type { RunContract } from '../push/ports/run.ts';
import type { Settings } from '../settings/settings.ts';

/** The contract of the settings, with the descriptors that it narrows. */
export type AppliedContract = ReturnType<typeof loadContract> & { readonly descriptors: Descriptors };

/**
 * Undefined without the setting `contract`. Loaded only then, so that a command without a contract starts as fast as before.
 * @param output says why the operator would refuse every request of some resources, as the import has said it
 */
export async function appliedContract(
  settings: Settings,
  cwd: string,
  output?: OutputPort,
  resources: readonly Resource[] = RESOURCES,
): Promise<AppliedContract | undefined> {
  const file = settings.get('contract');
  if (file === undefined) return undefined;
  const [loading, { narrowedDescriptors }] = await Promise.all([
    import('./contract-file.ts'),
    import('../../core/operator/narrow.ts'),
  ]);
  const loaded = loading.loadContract(file, cwd);
  for (const { resource, says, refuses_all } of loaded.contract.statements)
    if (refuses_all && (resource === null || resources.includes(resource)))
      output?.emit({ kind: 'notice', text: `${file}: ${resource ?? 'all resources'}: ${says}` });
  return { ...loaded, descriptors: narrowedDescriptors(loaded.contract, 'file') };
}

export function runContractOf(
  { name, sha256, fileSha256, descriptors, contract: { trims, resources, rules } }: AppliedContract,
  resource: Resource,
): RunContract {
  const saysDryRun = descriptors[resource].dryRun === 'required';
  const saysQuery = Object.keys(resources[resource]?.query ?? {}) as QueryFlag[];
  return {
    name,
    sha256,
    fileSha256,
    saysDryRun,
    ...(saysQuery.length > 0 && { saysQuery }),
    ...(trims && { trims }),
    ...(keepsSecond(rules, resource) && { keepsSecond: true as const }),
  };
}

/** Whether an operator names rules of a resource, and none of them refuses a record that exists. Without rules nobody knows. */
function keepsSecond(rules: readonly CodeRule[], resource: Resource): boolean {
  const { present, isUpToOperator }: LostAnswer = DESCRIPTORS[resource].lostAnswer;
  const known = rules.filter(({ resources }) => resources?.includes(resource));
  return (
    isUpToOperator === true &&
    known.length > 0 &&
    !known.some(({ code, off }) => code === present?.code && !off)
  );
}

/** The field of an answer with the account number: the setting, where somebody gave it, else the contract's own name. */
export function accountNumberField(
  answer: AccountAnswer,
  settings: Settings,
  applied: AppliedContract | undefined,
): string {
  const { value, source } = settings.resolved('accountNumberField')!;
  if (source.kind !== 'default') return value;
  return applied?.contract.account_number[answer] ?? value;
}

/** The word before a token by the contract, where nobody gave the setting. */
export function authSchemeOf(settings: Settings, applied: AppliedContract | undefined): string | undefined {
  const [word, ...others] = applied?.contract.authorization ?? [];
  const isOne = others.length === 0 && /^(?!basic$)\w+$/i.test(word ?? '');
  return settings.resolved('authScheme')!.source.kind === 'default' && isOne ? word : undefined;
}

/** The statuses of accounts that exist although the platform does not call them completed: the setting, else those of the contract. */
export const existingStatuses = (
  settings: Settings,
  applied: AppliedContract | undefined,
): readonly string[] => settings.get('existingStatuses') ?? applied?.contract.existing_statuses ?? [];
