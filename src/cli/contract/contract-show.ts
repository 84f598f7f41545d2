import { Option } from 'commander';
import { RESOURCES, type Resource } from '../../core/contract/resources.ts';
import type { Statement } from '../../core/operator/contract.ts';
import { demandsOf, statementsOf } from './difference.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import { loadContract } from '../sources/contract-file.ts';
import { enforcementOf } from '../../core/operator/rules-by-code.ts';
import { isUnenforced, lineOf, merged, nameOf } from './finding.ts';
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
  const all = [...merged(demandsOf(contract)), ...statementsOf(contract)];
  const shown = all.filter((each) => isShown(each.resource));
  const demands = shown.filter(({ kind }) => /^(?:added|tightened|changed|contradicts)$/.test(kind));
  const unenforced = shown.filter(isUnenforced);
  const rules = contract.rules.filter(({ resources }) => resources?.some(isShown) ?? true);
  const sections: readonly (readonly [title: string, found: readonly Statement[]])[] = [
    ...RESOURCES.map((each) => [each, demands.filter((demand) => demand.resource === each)] as const),
    ['account number of the platform in answers', all.filter(({ kind }) => kind === 'names')],
    ['rules', all.filter(({ kind, field }) => kind === 'rules' && rules.some(({ code }) => code === field))],
    ['NOT ENFORCED by check and serve', unenforced],
  ];
  const { document, account_number } = contract;
  const result: Result = {
    fields: {
      contract: name,
      sha256,
      document,
      account_number,
      demands: demands.map((each) => ({ name: nameOf(each), ...each })),
      rules: rules.map((rule) => ({ ...rule, enforced: enforcementOf(rule) })),
      not_enforced: unenforced,
    },
    text: () => [
      `${document.title} ${document.version} (OpenAPI ${document.openapi}), imported from ${document.file} on ${document.imported}`,
      ...sections.flatMap(([title, found]) =>
        found.length === 0 ? [] : ['', title, ...found.map((each) => `  ${lineOf(each, each.from)}`)],
      ),
    ],
  };
  return { exit: 'OK', result };
}
