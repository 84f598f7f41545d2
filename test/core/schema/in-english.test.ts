import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { IN_ENGLISH } from '../../../src/core/schema/in-english.ts';

const account = z.strictObject({
  supplier: z.string(),
  state: z.literal('staged', 'must be `staged`'),
});

test('a schema says in English what it objects to, and what it brings words for in those', () => {
  const { error } = account.safeParse({ supplier: 5, state: 'closed', vendor: 'V' }, IN_ENGLISH);
  expect(error?.issues.map(({ message }) => message)).toEqual([
    'Invalid input: expected string, received number',
    'must be `staged`',
    'Unrecognized key: "vendor"',
  ]);
});

test('without it a person would be told nothing', () => {
  const { error } = account.safeParse({ supplier: 5, state: 'staged' });
  expect(error?.issues.map(({ message }) => message)).toEqual(['Invalid input']);
});
