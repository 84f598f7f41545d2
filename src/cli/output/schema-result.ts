import type { ResultFormats } from './formats.ts';
import { exitDocument, jsonText } from './json.ts';

export type SchemaResult = { readonly kind: 'schema'; readonly schema: object };

export const schemaFormats: ResultFormats<SchemaResult> = {
  document: ({ schema }, exit) => ({ version: 1, exit: exitDocument(exit), schema }),
  text: ({ schema }) => `${jsonText(schema, 2)}\n`,
};
