import { existsSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { Option } from 'commander';
import { AppError } from '../../core/app-error.ts';
import { commandLine, type FlagWords } from '../../core/command-line.ts';
import { RESOURCES } from '../../core/contract/resources.ts';
import { dataFilesOf, otherExportsOf } from '../../files/data-files.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import { declareFormat } from '../command/flags.ts';
import { readText, writeNewTypedFile } from '../command/typed-file.ts';
import { flowYaml } from '../inspect/draft/draft-text.ts';
import { resourceFlags } from '../migrate/cohort-files.ts';
import { readCohort } from '../migrate/read-cohort.ts';
import { PROJECT_FILE } from '../settings/config-file.ts';
import { typedFlags, type Settings } from '../settings/settings.ts';
import { appliedContract, type AppliedContract } from '../sources/applied-contract.ts';
import { candidatesIn } from '../sources/second-reading.ts';
import { openSources } from '../sources/sources.ts';
import { SEED_FILE, shownInit, type PreparedFile } from './init-result.ts';
import { prepareFile, type InitOptions, type Preparation } from './prepare-file.ts';
import { account as ACCOUNT, type AccountKey } from '../../core/contract/account.ts';
import { matchColumns } from '../inspect/draft/header-match.ts';

export const command: CommandDeclaration<InitOptions> = {
  description:
    'Writes a mapping for each file that needs one. Without a file it looks into every data file of this folder, and writes dataimport.config.yaml and cohort.yaml, too. With a supplier it writes seed.yaml, the accounts of the files for a rehearsal with `dataimport serve`. What a file does not decide is marked QUESTION in its mapping, with the answers to choose from. A file that is there already is kept.',
  examples: ['dataimport init bookings.csv', 'dataimport init extract.txt --resource transactions'],
  settings: ['supplier', 'baseUrl', 'contract'],
  declare(command) {
    command
      .argument('[file...]', 'files of CSV or JSON Lines; none for all of this folder')
      .addOption(
        new Option('--resource <resource>', 'what the rows are, where no file says it').choices(RESOURCES),
      )
      .option('--show-values', 'write values of columns that need a lookup table into the mapping');
    declareFormat(command);
  },
  run,
};

const COHORT_FILE = 'cohort.yaml';
const NO_FILES = 'this folder has no data file (.csv, .tsv, .jsonl, .ndjson)';

async function run(options: InitOptions, context: CommandContext): Promise<CommandEnd> {
  const { cwd } = context.io;
  const settings = await context.settings();
  const contract = await appliedContract(settings, cwd);
  const isFolder = options.file.length === 0;
  // No mapping has the contract, and none has the supplier where no column names it.
  const flags = typedFlags(settings, ['contract', 'supplier']);
  const typed = isFolder ? [] : flags;
  if (options.file.includes('-')) {
    const reason = 'a mapping is written beside a file, so save the rows of standard input in one';
    throw new AppError('usage', { reason, command: 'init' });
  }
  const found = isFolder ? dataFilesOf(cwd) : options.file;
  if (found.length === 0) throw new AppError('usage', { reason: NO_FILES, command: 'init' });
  const prepared: Preparation[] = [];
  const [written, kept]: [string[], string[]] = [[], []];
  const write = (name: string, text: string | undefined): void => {
    const isThere = text === undefined || existsSync(join(cwd, name));
    if (!isThere) writeNewTypedFile(name, text, cwd);
    (isThere ? kept : written).push(name);
  };
  for (const name of found) {
    const file = await prepareFile(name, options, { context, contract, flags });
    if (file.mapping !== null) write(file.mapping, file.mappingText);
    prepared.push(file);
  }
  const known = prepared.filter((file) => file.left_out === null);
  if (isFolder && known.length > 0) {
    write(PROJECT_FILE, configText(settings));
    write(COHORT_FILE, cohortText(known));
  }
  const accounts = new Map<string, AccountKey>();
  const unknown: string[] = [];
  for (const file of known) {
    const found = await accountsOf(file, contract, context).catch(noneIfRefused);
    const valid = found.filter((key) => ACCOUNT.safeParse(key).success);
    if (valid.length === 0) unknown.push(file.file);
    for (const key of valid) accounts.set(JSON.stringify(key), key);
  }
  if (accounts.size > 0) write(SEED_FILE, seedText([...accounts.values()]));
  const isMeant = accounts.size > 0 || settings.get('supplier') !== undefined;
  const isGap = isMeant && unknown.length > 0 && !kept.includes(SEED_FILE);
  const again = `Once each mapping is complete, ${accounts.size > 0 ? `remove ${SEED_FILE} and ` : ''}type \`${commandLine('init', options.file, typed)}\`.`;
  const open = prepared.flatMap(({ questions, mapping }) => (questions > 0 ? mapping! : []));
  return {
    exit: 'OK',
    result: shownInit(
      {
        files: prepared.map(({ mappingText: _text, content: _content, ...file }) => file),
        not_read: isFolder ? otherExportsOf(cwd) : [],
        written,
        kept,
        to_do: [
          ...(open.length > 0 ? [`Answer each QUESTION in ${open.join(', ')}.`] : []),
          ...(existsSync(join(cwd, COHORT_FILE)) ? unlistedText(prepared, cwd) : []),
          ...(isGap ? [`No ${SEED_FILE} has the accounts of ${unknown.join(', ')} yet. ${again}`] : []),
        ],
        next: nextSteps(prepared, typed, isFolder),
      },
      commandLine('serve', [], [['--seed', SEED_FILE], ...typedFlags(settings, ['contract'])]),
    ),
  };
}

/** Files that the cohort file does not name. A cohort file that cannot be read is refused by the dry run. */
function unlistedText(files: readonly PreparedFile[], cwd: string): readonly string[] {
  const listed = new Set(listedFiles(cwd));
  const missing = files.filter(({ file }) => !listed.has(normalize(file)));
  return missing.map(({ file, resource, left_out: reason }) =>
    reason === null
      ? `Add ${file} to ${resource} in ${COHORT_FILE} if its rows are to be migrated with the other files.`
      : `${COHORT_FILE} lacks ${file}: ${reason}.`,
  );
}

function listedFiles(cwd: string): readonly string[] {
  try {
    const cohort = readCohort(COHORT_FILE, readText(COHORT_FILE, cwd));
    return resourceFlags(cohort, cwd).flatMap(({ file }) => file.map((name) => normalize(name)));
  } catch (error) {
    return noneIfRefused(error);
  }
}

/** A file that is refused names nothing. */
function noneIfRefused(error: unknown): [] {
  if (error instanceof AppError) return [];
  throw error;
}

/** Settings of the project. What nobody has said is a comment. */
function configText(settings: Settings): string {
  const [supplier, address] = [settings.get('supplier'), settings.get('baseUrl')];
  const contract = settings.resolved('contract')?.text;
  return [
    '# Settings of this migration. `dataimport config` lists all of them. The API key does not belong here: it is in',
    '# DATAIMPORT_API_KEY, or in a private file that apiKeyFile names.',
    supplier === undefined ? '# supplier: CODE' : `supplier: ${flowYaml(supplier)}`,
    address === undefined ? '# baseUrl: https://platform.example' : `baseUrl: ${flowYaml(address)}`,
    ...(contract === undefined ? [] : [`contract: ${flowYaml(contract)}`]),
    '',
  ].join('\n');
}

function cohortText(files: readonly PreparedFile[]): string {
  const lines = RESOURCES.flatMap((resource) => {
    const names = files.filter((each) => each.resource === resource).map(({ file }) => file);
    return names.length === 0 ? [] : `  ${resource}: { files: ${flowYaml(names)} }`;
  });
  return [
    '# What is migrated together. `dataimport schema cohort` describes every key.',
    'version: 1',
    'resources:',
    ...lines,
    '',
  ].join('\n');
}

/** Questions first, then files that are left out, then the dry run of a folder. `flags`: those that have to be typed again. */
function nextSteps(
  files: readonly PreparedFile[],
  flags: readonly FlagWords[],
  isFolder: boolean,
): readonly string[] {
  const known = files.filter((each) => each.left_out === null);
  const checked = known.filter(({ questions }) => questions > 0 || !isFolder);
  const unknown = files.filter((each) => each.left_out !== null);
  return [
    ...checked.map(({ resource, file }) => commandLine('check', [resource!, file], flags)),
    ...unknown.map(({ file, mapping }) =>
      mapping === null ? commandLine('inspect', [file]) : commandLine('check', [], [['--map', mapping]]),
    ),
    ...(isFolder && known.length > 0 ? [`${commandLine('migrate', [COHORT_FILE])} --dry-run`] : []),
  ];
}

/** The accounts of a file, in its rows as its mapping reads them. While that has questions, the headers may tell the column. */
async function accountsOf(
  { file, resource, content, questions }: Preparation,
  contract: AppliedContract | undefined,
  context: CommandContext,
): Promise<readonly AccountKey[]> {
  const settings = await context.settings();
  if (questions === 0) {
    const { job } = await openSources({ resource: resource!, file: [file] }, settings, context, contract);
    const accounts = new Map<string, AccountKey>();
    for await (const { account } of candidatesIn(job.sources[0]!))
      accounts.set(JSON.stringify(account), account);
    return [...accounts.values()];
  }
  const columns = matchColumns(resource!, content!.columns);
  const [account, ...others] = columns.get('external_account_number') ?? [];
  const [code = settings.get('supplier'), ...more] = columns.get('import_supplier')?.[0].values ?? [];
  if (!account?.values || others.length > 0 || code === undefined || more.length > 0) return [];
  const import_supplier = code.trim();
  return account.values.map((number) => ({ import_supplier, external_account_number: number.trim() }));
}

/** The seed of a local platform that has accounts, so that their files can be rehearsed. */
function seedText(accounts: readonly AccountKey[]): string {
  const codes = [...new Set(accounts.map(({ import_supplier: code }) => code))];
  return [
    '# The accounts of the files, for a rehearsal: `dataimport serve --seed seed.yaml`. docs/serve-reference.md describes every key.',
    'version: 1',
    `api_keys: ${flowYaml([{ key: 'local-key', suppliers: codes }])}`,
    'suppliers:',
    ...codes.map((code) => `  - ${flowYaml({ code, name: code, status: 'Ongoing' })}`),
    'accounts:',
    ...accounts.map((key) => `  - ${flowYaml({ ...key, state: 'imported' })}`),
    '',
  ].join('\n');
}
