import type { CommandDeclaration } from '../command.ts';

export const mapSchema = schemaCommand({
  name: 'map schema',
  kind: 'mapping',
  schemaFile: 'map.schema.json',
  schema: async () => (await import('../mapping/language/mapping.ts')).mapJsonSchema(),
});

export const serveSchema = schemaCommand({
  name: 'serve schema',
  kind: 'seed',
  schemaFile: 'seed.schema.json',
  schema: async () => (await import('../../server/start.ts')).seedJsonSchema(),
});

export const contractSchema = schemaCommand({
  name: 'contract schema',
  kind: 'contract',
  schemaFile: 'contract.schema.json',
  schema: async () => (await import('../../core/operator/contract.ts')).contractJsonSchema(),
});

/** A kind of files that a person writes, and its schema. */
interface DescribedFiles {
  readonly name: string;
  /** The word before "file": `seed`. */
  readonly kind: string;
  /** Name that the help gives to the file of the schema. */
  readonly schemaFile: string;
  schema(): Promise<object>;
}

/** A command that prints the JSON Schema of a kind of files. */
function schemaCommand({ name, kind, schemaFile, schema }: DescribedFiles): CommandDeclaration<object> {
  return {
    description: `Prints the JSON Schema (draft 2020-12) of ${kind} files. An editor that knows it completes and checks them: put \`# yaml-language-server: $schema=${schemaFile}\` on the first line of a ${kind} file.`,
    examples: [`dataimport ${name}`],
    settings: [],
    declare: () => undefined,
    run: async () => ({ exit: 'OK', result: { kind: 'schema', schema: await schema() } }),
  };
}
