import type { CommandContext, CommandDeclaration } from '../command/command.ts';
import { appliedContract } from '../sources/applied-contract.ts';
import type { SettingName } from '../settings/schema.ts';
import { shownAs } from '../output/formats/result-formats.ts';
import { exitDocument, jsonText } from '../output/json.ts';

export const mapSchema = schemaCommand({
  name: 'map schema',
  kind: 'mapping',
  schemaFile: 'map.schema.json',
  settings: ['contract'],
  schema: async (context) => {
    const contract = await appliedContract(await context.settings(), context.io.cwd);
    return (await import('../mapping/language/mapping.ts')).mapJsonSchema(contract?.descriptors);
  },
});

export const serveSchema = schemaCommand({
  name: 'serve schema',
  kind: 'seed',
  schemaFile: 'seed.schema.json',
  schema: async () => (await import('../../server/start.ts')).seedJsonSchema(),
});

export const cohortSchema = schemaCommand({
  name: 'migrate schema',
  kind: 'cohort',
  schemaFile: 'cohort.schema.json',
  schema: async () => (await import('../migrate/cohort-file.ts')).cohortJsonSchema(),
});

export const contractSchema = schemaCommand({
  name: 'contract schema',
  kind: 'contract',
  schemaFile: 'contract.schema.json',
  isJson: true,
  schema: async () => (await import('../../core/operator/contract.ts')).contractJsonSchema(),
});

export const reportSchema = documentSchemaCommand('report', async () =>
  (await import('../report/page/migration-report.ts')).migrationReportSchema(),
);

export const verifySchema = documentSchemaCommand('verify', async () =>
  (await import('../verify/verification-schema.ts')).verificationSchema(),
);

/** Nobody writes the documents of `--json`, so their schema is for the programs that read them. */
function documentSchemaCommand(name: string, schema: () => Promise<object>): CommandDeclaration<object> {
  return {
    description: `Prints the JSON Schema (draft 2020-12) of the document of \`${name} --json\`.`,
    examples: [`dataimport ${name} schema`],
    settings: [],
    declare: () => undefined,
    run: async () => ({ exit: 'OK', result: shownSchema({ schema: await schema() }) }),
  };
}

/** A kind of files that a person writes, and its schema. */
interface DescribedFiles {
  readonly name: string;
  /** The word before "file": `seed`. */
  readonly kind: string;
  /** Name that the help gives to the file of the schema. */
  readonly schemaFile: string;
  /** Whether the files are JSON, which has no comments. Default: YAML. */
  readonly isJson?: boolean;
  /** Settings that the schema depends on. Default: none. */
  readonly settings?: readonly SettingName[];
  schema(context: CommandContext): Promise<object>;
}

/** A command that prints the JSON Schema of a kind of files. */
function schemaCommand({
  name,
  kind,
  schemaFile,
  isJson = false,
  settings = [],
  schema,
}: DescribedFiles): CommandDeclaration<object> {
  const advice = isJson
    ? `let a ${kind} file begin with \`{ "$schema": "${schemaFile}",\``
    : `put \`# yaml-language-server: $schema=${schemaFile}\` on the first line of a ${kind} file`;
  return {
    description: `Prints the JSON Schema (draft 2020-12) of ${kind} files. An editor that knows it completes and checks them: ${advice}.`,
    examples: [`dataimport ${name}`],
    settings,
    declare: () => undefined,
    run: async (_options, context) => ({
      exit: 'OK',
      result: shownSchema({ schema: await schema(context) }),
    }),
  };
}

type SchemaResult = { readonly schema: object };

export const shownSchema = shownAs<SchemaResult>({
  document: ({ schema }, exit) => ({ version: 1, exit: exitDocument(exit), schema }),
  text: ({ schema }) => `${jsonText(schema, 2)}\n`,
});
