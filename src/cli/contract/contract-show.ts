import { Option } from 'commander';
import { RESOURCES, type Resource } from '../../core/contract/resources.ts';
import { demandsOf } from './difference.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import { loadContract } from '../sources/contract-file.ts';
import { enforcementOf, enforcementPhrase } from '../../core/operator/rules-by-code.ts';
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
  const all = [...merged(demandsOf(contract)), ...contract.statements].filter((each) =>
    isShown(each.resource),
  );
  const demands = all.filter(({ kind }) => /^(?:added|tightened|changed|contradicts)$/.test(kind));
  const rules = contract.rules.filter(({ resources }) => resources?.some(isShown) ?? true);
  const unenforced = all.filter(isUnenforced);
  const section = (title: string, lines: readonly string[]): readonly string[] =>
    lines.length > 0 ? ['', title, ...lines.map((line) => `  ${line}`)] : [];
  const { document, account_number: numbers } = contract;
  const shown: Result = {
    fields: {
      contract: name,
      sha256,
      document,
      account_number: numbers,
      demands: demands.map((each) => ({ name: nameOf(each), ...each })),
      rules: rules.map((rule) => ({ ...rule, enforced: enforcementOf(rule) })),
      not_enforced: unenforced,
    },
    text: () => [
      `${document.title} ${document.version} (OpenAPI ${document.openapi}), imported from ${document.file} on ${document.imported}`,
      ...RESOURCES.flatMap((each) => {
        const found = demands.filter((demand) => demand.resource === each);
        return section(
          each,
          found.map((demand) => lineOf(demand, demand.from)),
        );
      }),
      ...section(
        'account number of the platform in answers',
        Object.entries(numbers).map(([answer, { name: field, from }]) => `${answer}: ${field} [${from}]`),
      ),
      ...section(
        'rules',
        rules.map(
          (rule) =>
            `${rule.code}: ${rule.title && `${rule.title} `}(${enforcementPhrase(rule)}) [${rule.from}]`,
        ),
      ),
      ...section(
        'NOT ENFORCED by check and serve',
        unenforced.map((each) => lineOf(each, each.from)),
      ),
    ],
  };
  return { exit: 'OK', result: shown };
}
