import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import { contractText, importContract } from './import-contract.ts';
import { isTurnedOnByContract } from '../../core/operator/enforcement.ts';
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
  /** Codes of rules that are turned off. */
  readonly ruleOff: readonly string[];
  readonly force?: boolean;
}

export const command: CommandDeclaration<ContractImportOptions> = {
  description:
    "Reads an operator's OpenAPI document (3.0 or 3.1, YAML or JSON) and writes a contract: the schemas of its requests, for check, push and serve. Says what the document adds and tightens, what contradicts the interface, and what it could not understand. Ends with 6 when every push would fail. Reads local files only and fetches nothing.",
  examples: [
    'dataimport contract import operator.yaml',
    'dataimport contract import operator.json --out contract.json',
  ],
  settings: [],
  declare: (command) =>
    void command
      .argument('<document>', "the operator's OpenAPI document")
      .option('--out <file>', 'file to write; - for standard output', 'contract.json')
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
  { document: file, out, ruleOff, force = false }: ContractImportOptions,
  context: CommandContext,
): Promise<CommandEnd> {
  const { io } = context;
  const bytes = readBinaryFile(resolve(io.cwd, file), file, { mostBytes: MOST_BYTES });
  const imported = importContract(
    { file, text: utf8Text(bytes, file), sha256: createHash('sha256').update(bytes).digest('hex') },
    { off: ruleOff, today: dateInZone(io.timing.nowMs(), 'UTC') },
  );
  const { contract, findings, unknownRules } = imported;
  const [name] = unknownRules;
  if (name !== undefined) {
    const codes = contract.rules.map((rule) => rule.code).filter(isTurnedOnByContract);
    throw new AppError('unknown_name', {
      reason: `the document has no rule of its own \`${name}\` for --rule-off${suggestion(name, codes)}`,
      todo: 'Type the command without --rule-off: each is listed with its name.',
    });
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
