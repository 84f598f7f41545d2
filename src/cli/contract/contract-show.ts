import { RESOURCES, type Resource } from '../../core/contract/resources.ts';
import { listingOf } from '../../core/operator/listing.ts';
import { Option } from 'commander';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import { loadContract } from '../sources/contract-file.ts';
import { shownContractListing } from './contract-listing.ts';

export interface ContractShowOptions {
  /** The setting `contract` when left out, or contract.json. */
  readonly file?: string;
  readonly resource?: Resource;
}

export const command: CommandDeclaration<ContractShowOptions> = {
  description:
    "Shows every field of a contract by resource and type: whether it is required, its values, digits and form. If the operator decides, the JSON pointer into the operator's document is shown.",
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
  const types = listingOf(contract).filter((each) => resource === undefined || each.resource === resource);
  return { exit: 'OK', result: shownContractListing({ file: name, contract, sha256, types }) };
}
