import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { described } from '../../../src/core/schema/described.ts';

test('a description is published with the JSON Schema', () => {
  const account = z.strictObject({ supplier: described(z.optional(z.string()), 'Who sends.') });
  expect(z.toJSONSchema(account).properties).toEqual({
    supplier: { type: 'string', description: 'Who sends.' },
  });
});

test('a schema that stands in two places has one description, unless the second place describes a clone', () => {
  const supplier = described(z.string(), 'Who sends.');
  const both = z.strictObject({ supplier, vendor: described(z.clone(supplier), 'Who is paid.') });
  expect(z.toJSONSchema(both).properties).toEqual({
    supplier: { type: 'string', description: 'Who sends.' },
    vendor: { type: 'string', description: 'Who is paid.' },
  });
  described(supplier, 'Who is paid.');
  expect(z.toJSONSchema(both).properties).toMatchObject({ supplier: { description: 'Who is paid.' } });
});
