import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import { contractText, importContract } from './import-contract.ts';
import { isTurnedOnByContract } from '../../core/operator/enforcement.ts';
import { nameOf } from '../../core/operator/finding.ts';
import { MOST_BYTES } from './openapi/document.ts';
import { suggestion } from '../../core/suggestion.ts';
import { utf8Text } from '../../core/utf8-text.ts';
import { dateInZone } from '../../core/values/instant.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import { collect } from '../command/flags.ts';
import { shownImportedContract } from './imported-contract.ts';
import { notWritten } from '../command/typed-file.ts';
import { readBinaryFile } from '../../files/text-file.ts';

export interface ContractImportOptions {
  readonly document: string;
  /** `-` for standard output. */
  readonly out: string;
  /** Names of contradictions in which the document is followed. */
  readonly accept: readonly string[];
  /** Codes of rules that are turned off. */
  readonly ruleOff: readonly string[];
  readonly force?: boolean;
}

export const command: CommandDeclaration<ContractImportOptions> = {
  description:
    "Reads an operator's OpenAPI document (3.0 or 3.1, YAML or JSON) and writes a contract: what the operator demands beyond the interface. Says what the document adds and tightens, what contradicts the interface, and what it could not understand. Ends with 6 when every push would fail. Reads local files only and fetches nothing.",
  examples: [
    'dataimport contract import operator.yaml',
    'dataimport contract import operator.json --out contract.json --accept statements.number',
  ],
  settings: [],
  declare: (command) =>
    void command
      .argument('<document>', "the operator's OpenAPI document")
      .option('--out <file>', 'file to write; - for standard output', 'contract.json')
      .option(
        '--accept <name>',
        'follow the document where it contradicts the interface; the report lists the names; may be given again',
        collect,
        [],
      )
      .option(
        '--rule-off <code>',
        'turn off a rule that the document names, in check and serve; may be given again',
        collect,
        [],
      )
      .option('--force', 'overwrite an existing contract'),
  run,
};

async function run(
  { document: file, out, accept, ruleOff, force = false }: ContractImportOptions,
  context: CommandContext,
): Promise<CommandEnd> {
  const { io } = context;
  const bytes = readBinaryFile(resolve(io.cwd, file), file, { mostBytes: MOST_BYTES });
  const imported = importContract(
    { file, text: utf8Text(bytes, file), sha256: createHash('sha256').update(bytes).digest('hex') },
    { accept, off: ruleOff, today: dateInZone(io.timing.nowMs(), 'UTC') },
  );
  const { contract, findings, unused, unknownRules } = imported;
  const unknown = (what: string, flag: string, name: string, known: readonly string[]): AppError =>
    new AppError('contract_choice_unknown', { what, flag, name, suggestion: suggestion(name, known) });
  const [name] = unused;
  if (name !== undefined) {
    const names = findings.filter(({ accepted }) => accepted === false).map(nameOf);
    throw unknown('contradiction', '--accept', name, names);
  }
  const [code] = unknownRules;
  if (code !== undefined) {
    const codes = contract.rules.map((rule) => rule.code).filter(isTurnedOnByContract);
    throw unknown('rule of its own', '--rule-off', code, codes);
  }
  const text = contractText(contract);
  const isWritten = out !== '-';
  if (isWritten) await write(resolve(io.cwd, out), out, text, force);
  return {
    // The contract is written and right, but no migration under it can succeed.
    exit: findings.some(({ failsAll }) => failsAll) ? 'PARTIAL' : 'OK',
    result: shownImportedContract({ contract, findings, out, text: isWritten ? null : text }),
  };
}

/** @throws AppError `file_exists`, `file_not_writable` */
async function write(path: string, name: string, text: string, force: boolean): Promise<void> {
  try {
    await writeFile(path, text, { flag: force ? 'w' : 'wx' });
  } catch (error) {
    throw notWritten(
      name,
      error,
      'Give another name with --out, or --force to replace it; `dataimport contract diff` compares two contracts.',
    );
  }
}
