import * as z from 'zod/mini';
import { RESOURCES } from '../contract/resources.ts';
import { described } from '../schema.ts';
import { isCalendarDate } from '../values/calendar-date.ts';
import { Decimal } from '../values/decimal.ts';
import { isQuickPattern } from './pattern-work.ts';

/** The version of the format of contract.json that this program reads and writes. */
export const CONTRACT_VERSION = 1;

/** Kinds of values that an operator may add. `json`: any JSON value. */
export const VALUE_KINDS = [
  'text',
  'decimal',
  'boolean',
  'date',
  'datetime',
  'object',
  'list',
  'json',
] as const;
export type ValueKind = (typeof VALUE_KINDS)[number];

/** How a decimal travels in JSON. */
export const WIRE_FORMS = ['number', 'string'] as const;
export type WireForm = (typeof WIRE_FORMS)[number];

/** Digits before and after the decimal point; a missing one has no limit. */
export type Digits = { readonly whole?: number | undefined; readonly places?: number | undefined };

/** What an operator says about one field, beyond the interface. */
export interface FieldRules {
  /** JSON pointer into the operator's document. */
  readonly from: string;
  /** The kind of a field that the interface does not have, or has with another kind that was accepted. */
  readonly adds?: ValueKind | undefined;
  readonly required?: true | undefined;
  /** A field of the interface that the operator does not have here. */
  readonly absent?: true | undefined;
  /** Whether null passes. Default: as in the interface; never for added fields. */
  readonly null?: boolean | undefined;
  /** A closed list of values. */
  readonly values?: readonly string[] | undefined;
  /** Length of a text, in characters. */
  readonly min_length?: number | undefined;
  readonly max_length?: number | undefined;
  /** Regular expressions (ECMA-262, flag u) that a text, or the text of a decimal, has to match. */
  readonly patterns?: readonly string[] | undefined;
  readonly digits?: Digits | undefined;
  /** Bounds of a decimal, as decimal text. `above` and `below` are exclusive. */
  readonly minimum?: string | undefined;
  readonly maximum?: string | undefined;
  readonly above?: string | undefined;
  readonly below?: string | undefined;
  readonly wire?: WireForm | undefined;
  readonly min_items?: number | undefined;
  readonly max_items?: number | undefined;
  /** The items of a list. */
  readonly item?: FieldRules | undefined;
  /** The fields of an object. */
  readonly fields?: Fields | undefined;
  readonly types?: TypeRules | undefined;
  /** What else an added object may contain: anything, or values of one kind. Default: nothing. */
  readonly others?: 'any' | FieldRules | undefined;
  readonly deprecated?: { readonly instead?: string | undefined } | undefined;
}

export type Fields = Readonly<Record<string, FieldRules>>;

/** Fields that depend on the value of another field. */
export interface TypeRules {
  /** The field whose value decides. */
  readonly by: string;
  readonly of: Readonly<Record<string, ObjectRules>>;
}

/** What an operator says about the fields of an object. */
export interface ObjectRules {
  readonly from: string;
  /** For every type. */
  readonly fields?: Fields | undefined;
  readonly types?: TypeRules | undefined;
}

/** What an operator says about the requests of one resource. */
export interface ResourceRules extends ObjectRules {
  /** The supplier and the account number, beside the records. */
  readonly account?: Fields | undefined;
  /** Most records in one request. */
  readonly max_records?: number | undefined;
  /** The field `dry_run` beside the records, which asks for a validation that stores nothing. */
  readonly dry_run?: { readonly from: string; readonly required?: true | undefined } | undefined;
}

/** A rule of the operator that is known by its code. */
export interface CodeRule {
  readonly code: string;
  /** The document's own words for it; empty when it has none. */
  readonly title: string;
  readonly from: string;
}

/** The answers that contain the account number of the platform. */
export const ACCOUNT_ANSWERS = [
  'account-transfer-status',
  'account-import-processes',
  'payment-instructions',
] as const;
export type AccountAnswer = (typeof ACCOUNT_ANSWERS)[number];

const text = z.string();
const count = z.int().check(z.nonnegative());
const pointer = described(
  z.string().check(z.regex(/^(\/.*)?$/s)),
  'JSON pointer (RFC 6901) into the document of the operator.',
);
const decimalText = z.string().check(z.refine((value) => Decimal.parse(value) !== undefined));
/** Names that no object of JavaScript has by itself, so that a field is never mistaken for one. */
export const FIELD_NAME =
  /^(?!(?:__proto__|constructor|prototype|toString|valueOf|hasOwnProperty)$)[A-Za-z][\w-]{0,127}$/;
const fieldName = z.string().check(z.regex(FIELD_NAME));
const pattern = z.string().check(
  z.refine((value) => isPattern(value)),
  z.refine((value) => isQuickPattern(value), 'the pattern may take too long on some texts'),
);

/** Whether a text is a regular expression that this program can use. */
export function isPattern(value: string): boolean {
  try {
    return new RegExp(value, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

const fieldRules: z.ZodMiniType<FieldRules> = z.lazy(() =>
  z.strictObject({
    from: pointer,
    adds: optional(z.enum(VALUE_KINDS), 'Kind of a field that the interface does not have.'),
    required: optional(z.literal(true), 'Every record has the field.'),
    absent: optional(z.literal(true), 'The operator has no such field here, so it must not be sent.'),
    null: optional(z.boolean(), 'Whether null may be sent.'),
    values: optional(z.array(text).check(z.minLength(1)), 'The only values; may contain the empty text.'),
    min_length: optional(count, 'Least characters of a text.'),
    max_length: optional(count, 'Most characters of a text.'),
    patterns: optional(z.array(pattern), 'Regular expressions that the text has to match.'),
    digits: optional(
      z.strictObject({ whole: z.optional(count), places: z.optional(count) }),
      'Most digits before and after the decimal point.',
    ),
    minimum: optional(decimalText, 'Least value.'),
    maximum: optional(decimalText, 'Greatest value.'),
    above: optional(decimalText, 'The value has to be greater than this.'),
    below: optional(decimalText, 'The value has to be less than this.'),
    wire: optional(z.enum(WIRE_FORMS), 'How a decimal is sent.'),
    min_items: optional(count, 'Least items of a list.'),
    max_items: optional(count, 'Most items of a list.'),
    item: optional(fieldRules, 'The items of a list.'),
    fields: optional(fields, 'The fields of an object.'),
    types: optional(typeRules, 'Fields that depend on the value of another field.'),
    others: optional(z.union([z.literal('any'), fieldRules]), 'What else an added object may contain.'),
    deprecated: optional(
      z.strictObject({ instead: z.optional(text) }),
      'The operator asks not to use the field any more; `instead` names another one.',
    ),
  }),
) as unknown as z.ZodMiniType<FieldRules>;

const fields: z.ZodMiniType<Fields> = z.lazy(() =>
  z.record(fieldName, fieldRules),
) as unknown as z.ZodMiniType<Fields>;

const typeRules: z.ZodMiniType<TypeRules> = z.lazy(() =>
  z.strictObject({ by: fieldName, of: z.record(z.string().check(z.regex(/^(?!__proto__$)/)), objectRules) }),
) as unknown as z.ZodMiniType<TypeRules>;

const objectRules: z.ZodMiniType<ObjectRules> = z.lazy(() =>
  z.strictObject({ from: pointer, fields: z.optional(fields), types: z.optional(typeRules) }),
) as unknown as z.ZodMiniType<ObjectRules>;

const resourceRules = z.strictObject({
  from: pointer,
  account: optional(fields, 'The supplier and the account number, beside the records.'),
  max_records: optional(count.check(z.positive()), 'Most records in one request.'),
  dry_run: optional(
    z.strictObject({ from: pointer, required: z.optional(z.literal(true)) }),
    'The field `dry_run` beside the records: validate, answer, store nothing.',
  ),
  fields: optional(fields, 'The fields of a record, for every type.'),
  types: optional(typeRules, 'The fields of a record by its type.'),
});

const named = z.strictObject({ name: fieldName, from: pointer });

/** The content of contract.json. */
export const operatorContract = z.strictObject({
  $schema: optional(text, 'For editors.'),
  version: described(z.literal(CONTRACT_VERSION), 'The version of this format.'),
  document: described(
    z.strictObject({
      title: text,
      version: text,
      openapi: text,
      file: text,
      sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
      imported: z.string().check(z.refine((value) => isCalendarDate(value))),
    }),
    'The document of the operator from which this contract was imported.',
  ),
  accepted: described(
    z.array(text),
    'Contradictions to the interface in which the document of the operator was accepted, by name.',
  ),
  account_number: described(
    z.strictObject(
      Object.fromEntries(ACCOUNT_ANSWERS.map((answer) => [answer, z.optional(named)])) as Record<
        AccountAnswer,
        z.ZodMiniOptional<typeof named>
      >,
    ),
    'The field that has the account number of the platform, by answer.',
  ),
  resources: described(
    z.strictObject(
      Object.fromEntries(RESOURCES.map((resource) => [resource, z.optional(resourceRules)])) as Record<
        (typeof RESOURCES)[number],
        z.ZodMiniOptional<typeof resourceRules>
      >,
    ),
    'What the operator demands of each resource, beyond the interface.',
  ),
  rules: described(
    z.array(z.strictObject({ code: text, title: text, from: pointer })),
    'Rules of the operator, by the codes of their errors.',
  ),
});

export type OperatorContract = z.infer<typeof operatorContract>;

/** The JSON Schema (draft 2020-12) of contract.json, for editors. */
export function contractJsonSchema(): object {
  return {
    title: 'Contract of an operator, as dataimport applies it',
    ...z.toJSONSchema(operatorContract, { io: 'input', unrepresentable: 'any' }),
  };
}

function optional<S extends z.ZodMiniType>(schema: S, description: string): z.ZodMiniOptional<S> {
  return described(z.optional(schema), description);
}
