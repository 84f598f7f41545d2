import { schemaCommand } from './schema-command.ts';

export const mapSchema = schemaCommand({
  name: 'map schema',
  group: 'Migrate',
  kind: 'mapping',
  schemaFile: 'map.schema.json',
  schema: async () => (await import('../mapping/language/mapping.ts')).mapJsonSchema(),
});
