import type { CommandContext, CommandDeclaration } from '../command.ts';
import type { ExitName } from '../exit-codes.ts';
import { exitDocument, jsonText, type JsonDocument } from '../render/json-output.ts';

export const mapSchema: CommandDeclaration<object> = {
  name: 'map schema',
  group: 'Migrate',
  summary: 'Print the JSON Schema of mapping files, for editors',
  description:
    'Prints the JSON Schema (draft 2020-12) of mapping files. An editor that knows it completes and checks them:\nput `# yaml-language-server: $schema=map.schema.json` on the first line of a mapping file.',
  examples: ['dataimport map schema'],
  settings: [],
  declare: () => undefined,
  run,
};

interface SchemaDocument extends JsonDocument {
  readonly schema: object;
}

async function run(_options: object, context: CommandContext): Promise<ExitName> {
  const { mapJsonSchema } = await import('../mapping/mapping-file/mapping-schema.ts');
  const schema = mapJsonSchema();
  context.document({ version: 1, exit: exitDocument('OK'), schema } satisfies SchemaDocument);
  if (!context.globals.json) context.io.stdout.write(`${jsonText(schema, 2)}\n`);
  return 'OK';
}
