import { shownAs } from './formats/result-formats.ts';
import { exitDocument, jsonText } from './json.ts';

export type SchemaResult = { readonly schema: object };

export const shownSchema = shownAs<SchemaResult>({
  document: ({ schema }, exit) => ({ version: 1, exit: exitDocument(exit), schema }),
  text: ({ schema }) => `${jsonText(schema, 2)}\n`,
});
