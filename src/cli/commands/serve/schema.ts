import { schemaCommand } from '../schema-command.ts';

export const serveSchema = schemaCommand({
  name: 'serve schema',
  group: 'Rehearse',
  kind: 'seed',
  schemaFile: 'seed.schema.json',
  schema: async () => (await import('../../../server/start.ts')).seedJsonSchema(),
});
