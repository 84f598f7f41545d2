import { Option } from 'commander';
import { RESOURCES, type Resource } from '../../core/contract/resources.ts';
import { demandsOf, type Change } from './difference.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import { loadContract } from '../sources/contract-file.ts';
import { ACCOUNT_ANSWERS, type OperatorContract } from '../../core/operator/contract.ts';
import { enforcementOf, enforcementPhrase } from '../../core/operator/enforcement.ts';
import { lineOf, merged, nameOf } from './finding.ts';
import type { Result } from '../output/result.ts';

export interface ContractShowOptions {
  /** The setting `contract` when left out, or contract.json. */
  readonly file?: string;
  readonly resource?: Resource;
}

export const command: CommandDeclaration<ContractShowOptions> = {
  description:
    "Shows what a contract demands beyond the interface, by resource: fields that it adds, what is narrower, rules with codes, and what is not enforced. Each line has the JSON pointer into the operator's document.",
  examples: ['dataimport contract show', 'dataimport contract show contract.json --resource transactions'],
  settings: ['contract'],
  declare: (command) =>
    void command
      .argument('[file]', 'contract (default: the setting `contract`, else contract.json)')
      .addOption(new Option('--resource <resource>', 'show one resource only').choices(RESOURCES)),
  run,
};

async function run({ file, resource }: ContractShowOptions, context: CommandContext): Promise<CommandEnd> {
  const name = file ?? (await context.settings()).get('contract') ?? 'contract.json';
  const { contract, sha256 } = loadContract(name, context.io.cwd);
  const isShown = (each: Resource | null): boolean => resource === undefined || each === resource;
  const rules = contract.rules.filter(({ resources }) => resources?.some(isShown) ?? true);
  const unenforced = contract.not_enforced?.filter((each) => isShown(each.resource)) ?? [];
  const shown = { ...contract, rules, not_enforced: unenforced };
  const demands = merged(demandsOf(contract)).filter((each) => isShown(each.resource));
  return { exit: 'OK', result: shownContract({ file: name, contract: shown, sha256, demands }) };
}

interface ShownContract {
  readonly file: string;
  readonly contract: OperatorContract;
  readonly sha256: string;
  readonly demands: readonly Change[];
}

const shownContract = ({ file: name, contract, sha256, demands }: ShownContract): Result => ({
  fields: {
    contract: name,
    sha256,
    document: contract.document,
    account_number: contract.account_number,
    demands: demands.map((each) => ({ name: nameOf(each), ...each, from: each.from.new })),
    rules: contract.rules.map((rule) => ({ ...rule, enforced: enforcementOf(rule) })),
    not_enforced: contract.not_enforced,
  },
  text: () => {
    const { title, version, openapi, file, imported } = contract.document;
    const answers = ACCOUNT_ANSWERS.flatMap((answer) => {
      const named = contract.account_number[answer];
      return named ? [`  ${answer}: ${named.name} [${named.from}]`] : [];
    });
    const unenforced = (contract.not_enforced ?? []).map(
      ({ types = [], field = '', from, ...told }) => `  ${lineOf({ ...told, types, field }, from)}`,
    );
    return [
      `${title} ${version} (OpenAPI ${openapi}), imported from ${file} on ${imported}`,
      ...RESOURCES.flatMap((resource) => {
        const found = demands.filter((each) => each.resource === resource);
        const lines = found.map((each) => `  ${lineOf(each, each.from.new ?? '')}`);
        return lines.length > 0 ? ['', resource, ...lines] : [];
      }),
      ...(answers.length > 0 ? ['', 'account number of the platform in answers', ...answers] : []),
      ...(contract.rules.length > 0 ? ['', 'rules'] : []),
      ...contract.rules.map(
        (rule) =>
          `  ${rule.code}: ${rule.title === '' ? '' : `${rule.title} `}(${enforcementPhrase(rule)}) [${rule.from}]`,
      ),
      ...(unenforced.length > 0 ? ['', 'NOT ENFORCED by check and serve', ...unenforced] : []),
    ];
  },
});
