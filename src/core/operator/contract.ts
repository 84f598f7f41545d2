import * as z from 'zod/mini';
import type { QueryFlag } from '../contract/descriptor.ts';
import { RESOURCES } from '../contract/resources.ts';
import { described, optionalKey } from '../schema.ts';
import { isCalendarDate } from '../values/calendar-date.ts';

/** The version of the format of contract.json that this program reads and writes. */
export const CONTRACT_VERSION = 7;

/** Kinds of values: those of the interface, and those that an operator may add. */
const VALUE_KINDS = ['text', 'decimal', 'boolean', 'date', 'datetime', 'json', 'object', 'list'] as const;
export type ValueKind = (typeof VALUE_KINDS)[number];

/** The answers that contain the account number of the platform. */
export const ACCOUNT_ANSWERS = [
  'account-transfer-status',
  'account-import-processes',
  'payment-instructions',
] as const;
export type AccountAnswer = (typeof ACCOUNT_ANSWERS)[number];

const text = z.string();
const texts: z.ZodMiniType<readonly string[]> = z.array(text);
const mark = z.optional(z.literal(true));
const pointer = described(
  z.string().check(z.regex(/^(\/.*)?$/s)),
  'JSON pointer (RFC 6901) into the document of the operator.',
);
/** Names that no object of JavaScript has by itself, so that a field is never mistaken for one. */
export const FIELD_NAME =
  /^(?!(?:__proto__|constructor|prototype|toString|valueOf|hasOwnProperty)$)[A-Za-z][\w-]{0,127}$/;

const QUERY_FLAGS: readonly QueryFlag[] = ['check_previously_added', 'force_add_to_current_statement'];

/** What schemas say of a value itself. */
const value = z.strictObject({
  kind: optionalKey(z.enum(VALUE_KINDS), 'Without one, the schemas agree about no value.'),
  from: pointer,
  required: mark,
  null: mark,
  unnamed: optionalKey(
    z.literal(true),
    'The interface has it, and the operator neither names nor forbids it.',
  ),
  contradicts: optionalKey(text, 'Why no value passes, or none with a known meaning.'),
  values: optionalKey(texts, 'The only values; may contain the empty text.'),
  wire: optionalKey(z.enum(['number', 'string']), 'How a number travels; `string` for texts, too.'),
  open: optionalKey(z.literal(true), 'An object that takes any further fields.'),
  limits: optionalKey(z.record(text, z.number()), 'Keywords of JSON Schema with a number.'),
  keywords: optionalKey(texts, 'Further keywords, such as `pattern: ^A`.'),
});

/**
 * A value of a request, as all schemas together have it: those of the interface, and those of the operator. It has the fields of an
 * object, or the items of a list under the name `[]`.
 */
export type Field = Readonly<z.infer<typeof value>> & { readonly fields?: Fields | undefined };
export type Fields = Readonly<Record<string, Field>>;

const fields: z.ZodMiniType<Fields> = z.record(
  text,
  z.lazy(() => z.extend(value, { fields: z.optional(fields) })),
);

const resourceRules = z.strictObject({
  body: described(pointer, 'The schema of a request.'),
  account: described(fields, 'The fields of the account, beside the records.'),
  record: optionalKey(pointer, 'The schema of a record.'),
  fields: described(fields, 'The fields of a record of any type.'),
  types: optionalKey(
    z.record(text, z.strictObject({ record: z.optional(pointer), fields })),
    'The schema that a record of a type has to meet beside `record`, and its fields.',
  ),
  max_records: z.optional(z.int().check(z.positive())),
  dry_run: optionalKey(
    z.enum(['optional', 'required']),
    'The field `dry_run` beside the records. `required`: a request without it is refused, or stores nothing.',
  ),
  query: optionalKey(
    z.partialRecord(z.enum(QUERY_FLAGS), z.boolean()),
    'Query parameters that every request says, with what a request without them means.',
  ),
});

/** What an operator says about the requests of one resource. */
export type ResourceRules = z.infer<typeof resourceRules>;

const resourceNames = z.enum(RESOURCES);

/** Kinds of what a document says, in the order of reports. The last two are only compared with another version. */
export const STATEMENT_KINDS = [
  'added',
  'removed',
  'tightened',
  'loosened',
  'changed',
  'names',
  'rules',
  'contradicts',
  'not_understood',
  'needs',
  'says',
] as const;

const statement = z.strictObject({
  kind: z.enum(STATEMENT_KINDS),
  resource: z.nullable(resourceNames),
  types: described(texts, 'Empty for all of them.'),
  field: described(text, 'Names joined with points, `[]` for the items of a list; empty for the whole.'),
  says: text,
  from: pointer,
  refuses_all: optionalKey(z.literal(true), 'Every push fails because of it.'),
});
/** A sentence about something that a document says. */
export type Statement = z.infer<typeof statement>;

const rule = z.strictObject({
  code: text,
  title: text,
  from: pointer,
  resources: z.optional(z.array(resourceNames)),
  off: optionalKey(z.literal(true), 'Turned off: neither check nor serve enforces the rule.'),
});
/** A rule of the operator that is known by its code. */
export type CodeRule = z.infer<typeof rule>;

/** The content of contract.json. */
export const operatorContract = z.strictObject({
  $schema: z.optional(text),
  version: z.literal(CONTRACT_VERSION),
  document: z.strictObject({
    title: text,
    version: text,
    openapi: text,
    file: text,
    sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
    imported: z.string().check(z.refine((day) => isCalendarDate(day))),
  }),
  account_number: described(
    z.partialRecord(z.enum(ACCOUNT_ANSWERS), text),
    'The field that has the account number of the platform, by answer.',
  ),
  resources: z.partialRecord(resourceNames, resourceRules),
  schemas: described(
    z.record(text, z.unknown()),
    'The schemas of the requests as the operator has them, at their places in the document, in JSON Schema (2020-12).',
  ),
  trims: optionalKey(
    z.literal(true),
    'The operator removes blanks at both ends of texts. No document says so; write it by hand where it is known.',
  ),
  existing_statuses: optionalKey(
    z.array(text),
    'Statuses of an account that exists while its switch of supply is open or refused. No document says so; write them by hand.',
  ),
  authorization: described(texts, 'The words before a token, or the places of keys.'),
  statements: described(
    z.array(statement),
    'What the document says beside its schemas: why every push would fail, what nothing checks, and what is compared with another version.',
  ),
  rules: described(z.array(rule), 'Rules of the operator, by the codes of their errors.'),
});

export type OperatorContract = z.infer<typeof operatorContract>;

/** The JSON Schema (draft 2020-12) of contract.json, for editors. */
export function contractJsonSchema(): object {
  return {
    title: 'Contract of an operator, as dataimport applies it',
    ...z.toJSONSchema(operatorContract, { io: 'input', unrepresentable: 'any' }),
  };
}
