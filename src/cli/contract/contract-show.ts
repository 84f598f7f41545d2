import { Option } from 'commander';
import { RESOURCES, type Resource } from '../../core/contract/resources.ts';
import { listingOf, type ListedType } from '../../core/operator/listing.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import { loadContract } from '../sources/contract-file.ts';
import { ACCOUNT_ANSWERS, type OperatorContract } from '../../core/operator/contract.ts';
import { enforcementOf, enforcementPhrase } from '../../core/operator/enforcement.ts';
import { shownAs } from '../output/formats/result-formats.ts';
import { exitDocument } from '../output/json.ts';
import { escapedLines } from '../output/text/text.ts';

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
  const rules = contract.rules.filter(
    ({ resources }) => resource === undefined || (resources?.includes(resource) ?? true),
  );
  const shown = { ...contract, rules };
  return { exit: 'OK', result: shownContractListing({ file: name, contract: shown, sha256, types }) };
}

/** A contract, with every field of every type under it. */
interface ContractListingResult {
  readonly file: string;
  readonly contract: OperatorContract;
  readonly sha256: string;
  readonly types: readonly ListedType[];
}

const shownContractListing = shownAs<ContractListingResult>({
  document: ({ file, contract, sha256, types }, exit) => ({
    version: 1,
    exit: exitDocument(exit),
    contract: file,
    sha256,
    document: contract.document,
    account_number: contract.account_number,
    types: types.map(({ resource, type, fields }) => ({
      resource,
      type,
      max_records: contract.resources[resource]?.max_records ?? null,
      dry_run: contract.resources[resource]?.dry_run !== undefined,
      fields: fields.map(({ field, isRequired, says, from, rules }) => ({
        field,
        required: isRequired,
        says,
        from,
        rules,
      })),
    })),
    rules: contract.rules.map((rule) => ({ ...rule, enforced: enforcementOf(rule, contract) })),
  }),
  text: ({ contract, types }) => {
    const { title, version, openapi, file, imported } = contract.document;
    const answers = ACCOUNT_ANSWERS.flatMap((answer) => {
      const named = contract.account_number[answer];
      return named ? [`  ${answer}: ${named.name} [${named.from}]`] : [];
    });
    return escapedLines([
      `${title} ${version} (OpenAPI ${openapi}), imported from ${file} on ${imported}`,
      ...types.flatMap((listed) => ['', headingOf(listed, contract), ...fieldLines(listed)]),
      ...(answers.length > 0 ? ['', 'account number of the platform in answers', ...answers] : []),
      ...(contract.rules.length > 0 ? ['', 'rules'] : []),
      ...contract.rules.map(
        (rule) =>
          `  ${rule.code}: ${rule.title === '' ? '' : `${rule.title} `}(${enforcementPhrase(rule, contract)}) [${rule.from}]`,
      ),
      ...(contract.accepted.length > 0
        ? ['', `accepted although the interface differs: ${contract.accepted.join(', ')}`]
        : []),
    ]);
  },
});

function headingOf({ resource, type }: ListedType, { resources }: OperatorContract): string {
  const { max_records: most, dry_run: dryRun } = resources[resource] ?? {};
  return [
    type === null ? resource : `${resource} ${type}`,
    ...(most === undefined ? [] : [`at most ${most} records in a request`]),
    ...(dryRun ? [dryRun.required ? 'every push says dry_run: false' : 'takes dry_run'] : []),
  ].join(', ');
}

function fieldLines({ fields }: ListedType): readonly string[] {
  const width = Math.min(Math.max(...fields.map(({ field }) => field.length)), 44);
  return fields.map(
    ({ field, says, from }) =>
      `  ${field.padEnd(width)}  ${says}${from === null ? '' : ` [${from === '' ? '/' : from}]`}`,
  );
}
