import type { CommandContext, CommandDeclaration } from '../command.ts';
import type { ExitName } from '../exit-codes.ts';
import { exitDocument, jsonText, type JsonDocument } from '../render/json-output.ts';

/** A kind of file that a person writes, and its schema. */
interface DescribedFiles extends Pick<CommandDeclaration<object>, 'name' | 'group'> {
  /** Stands before "file": `seed`. */
  readonly kind: string;
  /** Name that the help gives to the file of the schema. */
  readonly schemaFile: string;
  /** Loads what makes the schema no sooner than it is asked for. */
  schema(): Promise<object>;
}

interface SchemaDocument extends JsonDocument {
  readonly schema: object;
}

/** A command that prints the JSON Schema of a kind of files. */
export function schemaCommand({
  name,
  group,
  kind,
  schemaFile,
  schema,
}: DescribedFiles): CommandDeclaration<object> {
  return {
    name,
    group,
    summary: `Print the JSON Schema of ${kind} files, for editors`,
    description: `Prints the JSON Schema (draft 2020-12) of ${kind} files. An editor that knows it completes and checks them: put \`# yaml-language-server: $schema=${schemaFile}\` on the first line of a ${kind} file.`,
    examples: [`dataimport ${name}`],
    settings: [],
    declare: () => undefined,
    run: async (_options, context) => print(await schema(), context),
  };
}

function print(schema: object, context: CommandContext): ExitName {
  context.document({ version: 1, exit: exitDocument('OK'), schema } satisfies SchemaDocument);
  if (!context.globals.json) context.io.stdout.write(`${jsonText(schema, 2)}\n`);
  return 'OK';
}
