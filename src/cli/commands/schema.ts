import { Argument } from 'commander';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import { appliedContract } from '../sources/applied-contract.ts';
import { jsonText } from '../output/json.ts';

/** Kinds of files that people write, and documents that programs read, each with its schema. */
const SCHEMAS = {
  mapping: async ({ settings, io }) => {
    const contract = await appliedContract(await settings(), io.cwd);
    return (await import('../mapping/language/mapping.ts')).mapJsonSchema(contract?.descriptors);
  },
  cohort: async () => (await import('../migrate/cohort-file.ts')).cohortJsonSchema(),
  seed: async () => (await import('../../server/start.ts')).seedJsonSchema(),
  contract: async () => (await import('../../core/operator/contract.ts')).contractJsonSchema(),
  verify: async () => (await import('../verify/verification-schema.ts')).verificationSchema(),
} satisfies Readonly<Record<string, (context: CommandContext) => Promise<object>>>;

interface SchemaOptions {
  readonly name: keyof typeof SCHEMAS;
}

export const command: CommandDeclaration<SchemaOptions> = {
  description:
    'Prints the JSON Schema (draft 2020-12) of mapping, cohort, seed and contract files, or of the document of `verify --json`. An editor that knows it completes and checks files: put `# yaml-language-server: $schema=mapping.schema.json` on the first line of a mapping, or let a contract begin with `{ "$schema": "contract.schema.json",`.',
  examples: ['dataimport schema cohort', 'dataimport schema mapping --contract contract.json'],
  settings: ['contract'],
  declare: (command) =>
    void command.addArgument(
      new Argument('<name>', `what the schema describes: ${Object.keys(SCHEMAS).join(', ')}`).choices(
        Object.keys(SCHEMAS),
      ),
    ),
  run,
};

async function run({ name }: SchemaOptions, context: CommandContext): Promise<CommandEnd> {
  const schema = await SCHEMAS[name](context);
  return { exit: 'OK', result: { fields: { schema }, text: () => [{ lines: `${jsonText(schema, 2)}\n` }] } };
}
