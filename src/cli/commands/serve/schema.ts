import type { CommandContext, CommandDeclaration } from '../../command.ts';
import type { ExitName } from '../../exit-codes.ts';
import { exitDocument, jsonText, type JsonDocument } from '../../render/json-output.ts';

export const serveSchema: CommandDeclaration<object> = {
  name: 'serve schema',
  group: 'Rehearse',
  summary: 'Print the JSON Schema of seed files, for editors',
  description:
    'Prints the JSON Schema (draft 2020-12) of seed files. An editor that knows it completes and checks them:\nput `# yaml-language-server: $schema=seed.schema.json` on the first line of a seed file.',
  examples: ['dataimport serve schema'],
  settings: [],
  declare: () => undefined,
  run,
};

interface SchemaDocument extends JsonDocument {
  readonly schema: object;
}

async function run(_options: object, context: CommandContext): Promise<ExitName> {
  const { seedJsonSchema } = await import('../../../server/start.ts');
  const schema = seedJsonSchema();
  context.document({ version: 1, exit: exitDocument('OK'), schema } satisfies SchemaDocument);
  if (!context.globals.json) context.io.stdout.write(`${jsonText(schema, 2)}\n`);
  return 'OK';
}
