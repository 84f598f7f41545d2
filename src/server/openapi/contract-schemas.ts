import * as z from 'zod/mini';
import { accountFields } from '../../core/contract/account.ts';
import { IMPORT_STATUSES } from '../../core/contract/account-import.ts';
import { datetime, flag } from '../../core/contract/field.ts';
import { note } from '../../core/contract/note.ts';
import { DESCRIPTORS, RESOURCES, type Descriptors, type Resource } from '../../core/contract/resources.ts';
import { statement } from '../../core/contract/statement.ts';
import {
  lineItem,
  taxItem,
  TRANSACTION_TYPES,
  transactionOfType,
  type TransactionType,
} from '../../core/contract/transaction.ts';
import { descriptionFieldOf } from '../../core/rules/statement-period.ts';
import { described } from '../../core/schema.ts';
import type { AccountAnswer, OperatorContract } from '../../core/operator/contract.ts';
import { withOwnName } from './account-number.ts';
import fields from './fields.json' with { type: 'json' };
import { jsonSchemasOf, type JsonSchema } from './json-schema.ts';

/** The path of the schemas in the document. */
export const SCHEMA_POINTER = '#/components/schemas/';

/** The platform that the document is about: of the interface alone, or of an operator. */
export interface Served {
  readonly contract: OperatorContract | undefined;
  readonly descriptors: Descriptors;
}

/** The parts of the document about a resource that its descriptor does not have. */
interface PublishedResource {
  readonly named: Readonly<Record<string, z.ZodMiniType>>;
  /** One record of a request. Default: the schema of the resource. */
  readonly record?: z.ZodMiniType;
  /**
   * The answer of this platform, to the letter. The schema with which the client reads answers (core/contract) is wider,
   * because the interface may grow. A test checks that it accepts this answer.
   */
  readonly answer: (served: Served) => z.ZodMiniType;
  /** Further schemas of its failures, by status. */
  readonly refusals?: Readonly<Record<number, readonly string[]>>;
}

const TRANSACTIONS = Object.fromEntries(
  TRANSACTION_TYPES.map((type) => [
    typeName(type),
    z.extend(transactionOfType[type], { type: z.literal(type) }),
  ]),
);

export const PUBLISHED: Readonly<Record<Resource, PublishedResource>> = {
  notes: {
    named: { Note: note },
    answer: () =>
      z.array(z.strictObject({ created_at: datetime(), body: z.string(), status: statusOf('notes') })),
  },
  transactions: {
    named: { LineItem: lineItem, TaxItem: taxItem, ...TRANSACTIONS },
    record: z.union(Object.values(TRANSACTIONS)),
    answer: (served) =>
      z.strictObject({
        results: z.array(
          z.strictObject({
            status: statusOf('transactions'),
            transaction_data: z.union(TRANSACTION_TYPES.map((type) => answeredTransaction(type, served))),
          }),
        ),
      }),
    refusals: { 400: ['TransactionError'] },
  },
  statements: {
    named: { Statement: statement },
    answer: ({ descriptors: { statements } }) =>
      z.strictObject({
        ...statements.account.shape,
        statements: z.array(statements.schema).check(z.minLength(1)),
      }),
  },
  'payment-instructions': {
    named: {},
    answer: (served) =>
      answerWithNumber('payment-instructions', served, {
        platform_account_number: z.string().check(z.minLength(1)),
        reference: served.descriptors['payment-instructions'].schema.shape['reference'] as z.ZodMiniType,
      }),
    refusals: { 400: ['PaymentInstructionError'], 500: ['PaymentInstructionError'] },
  },
};

/** `NotesRequest` for notes. */
export function requestName(resource: Resource): string {
  return `${DESCRIPTORS[resource].endpoint.name.replace(/^create/, '')}Request`;
}

/** `NotesAnswer` for notes. */
export function answerName(resource: Resource): string {
  return `${DESCRIPTORS[resource].endpoint.name.replace(/^create/, '')}Answer`;
}

/** The schemas of all bodies with data, by name. They are made from the schemas of the contract. */
export function contractSchemas(served: Served): Readonly<Record<string, JsonSchema>> {
  const { descriptors } = served;
  const ofResources = RESOURCES.map((resource) => {
    const { named, answer } = PUBLISHED[resource];
    const narrowed = descriptors === DESCRIPTORS ? undefined : narrowedRecords(resource, descriptors);
    return {
      ...named,
      ...narrowed?.named,
      [requestName(resource)]: requestSchema(resource, descriptors, narrowed?.record),
      [answerName(resource)]: answer(served),
    };
  });
  const schemas = withMeanings(
    jsonSchemasOf<string>(
      Object.assign({ ...importAnswers(served) }, ...ofResources) as Readonly<Record<string, z.ZodMiniType>>,
      (name) => SCHEMA_POINTER + name,
    ),
  );
  return {
    ...schemas,
    Note: {
      ...schemas['Note'],
      anyOf: [
        { required: ['body'], properties: { body: { type: 'string', minLength: 1 } } },
        { required: ['document_paths'], properties: { document_paths: { type: 'array', minItems: 1 } } },
      ],
    },
  };
}

type Meanings = Readonly<Record<string, readonly string[]>>;

/** What the fields of a schema mean and who says so, by the name of the schema. */
const MEANINGS: Readonly<Record<string, Meanings>> = {
  ...fields,
  ...Object.fromEntries(Object.keys(TRANSACTIONS).map((name) => [name, fields.Transaction])),
  ...Object.fromEntries(
    RESOURCES.map(requestName).map((name) => [
      name,
      { ...fields.Account, ...(fields as Readonly<Record<string, Meanings>>)[name] },
    ]),
  ),
};

/** Schemas whose fields have their meaning, and with `x-authority` who says that they exist. A further field is one of the operator. */
function withMeanings(schemas: Readonly<Record<string, JsonSchema>>): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      MEANINGS[name] ? withFieldMeanings(schema, MEANINGS[name]) : schema,
    ]),
  );
}

function withFieldMeanings(schema: JsonSchema, meanings: Meanings): JsonSchema {
  const { properties, items } = schema as Partial<Record<'properties' | 'items', JsonSchema>>;
  if (items) return { ...schema, items: withFieldMeanings(items, meanings) };
  if (!properties) return schema;
  const described = Object.entries(properties as Readonly<Record<string, JsonSchema>>).map(([field, of]) => {
    const [meaning, authority = 'operator'] = meanings[field] ?? [];
    const description = [meaning, of['description']].filter(Boolean).join(' ');
    const inner = withFieldMeanings(of, meanings);
    return [field, { ...inner, ...(description && { description }), 'x-authority': authority }];
  });
  return { ...schema, properties: Object.fromEntries(described) };
}

function requestSchema(
  resource: Resource,
  descriptors: Descriptors,
  record: z.ZodMiniType | undefined,
): z.ZodMiniType {
  const { list, schema, account, dryRun } = descriptors[resource];
  const around = {
    ...account.shape,
    ...(dryRun && { dry_run: dryRun === 'required' ? flag() : z.optional(flag()) }),
  };
  if (list === null) return z.strictObject({ ...around, ...schema.shape });
  return z.strictObject({
    ...around,
    [list]: z.array(record ?? PUBLISHED[resource].record ?? schema).check(z.minLength(1)),
  });
}

/** The records of a resource under the contract of an operator, by the names of the interface. */
function narrowedRecords(
  resource: Resource,
  descriptors: Descriptors,
): { named: Readonly<Record<string, z.ZodMiniType>>; record: z.ZodMiniType } {
  const { schema, schemaFor } = descriptors[resource];
  if (resource === TYPED) {
    const types = TRANSACTION_TYPES.map((type): [string, z.ZodMiniType] => [
      typeName(type),
      z.extend(schemaFor!({ type }) as unknown as z.ZodMiniObject, { type: z.literal(type) }),
    ]);
    return { named: Object.fromEntries(types), record: z.union(types.map(([, each]) => each)) };
  }
  const [name] = Object.keys(PUBLISHED[resource].named);
  return { named: name === undefined ? {} : { [name]: schema }, record: schema };
}

const TYPED: Resource = 'transactions';

function statusOf(resource: Resource): z.ZodMiniType {
  return z.enum(Object.keys(DESCRIPTORS[resource].answer.statuses!));
}

/** The transaction as it was sent, with the amount as text of two decimals (interface.md 2.4). */
function answeredTransaction(type: TransactionType, { contract, descriptors }: Served) {
  const sent = descriptors[TYPED].schemaFor!({ type }) as unknown as z.ZodMiniObject;
  return z.extend(sent, {
    // The description of a move may be longer than the operator allows in a request (interface.md 4.3).
    ...(contract && { [descriptionFieldOf(type)]: z.optional(z.string()) }),
    type: z.literal(type),
    amount: z.string().check(z.regex(/^-?\d+\.\d{2}$/)),
    status: z.optional(z.literal('TRANSACTION_IMPORT_SUCCESS')),
  });
}

/** `SupplyCharge` for `SUPPLY_CHARGE`. */
function typeName(type: TransactionType): string {
  return type.toLowerCase().replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

const importAnswers = (served: Served) => ({
  AccountTransferStatus: answerWithNumber('account-transfer-status', served, {
    status: z.enum(IMPORT_STATUSES),
    platform_account_number: described(z.string(), 'Empty while no account was created.'),
  }),
  AccountImportProcesses: z.array(
    answerWithNumber('account-import-processes', served, {
      external_account_number: accountFields.external_account_number,
      platform_account_number: z.nullable(z.string().check(z.minLength(1))),
      account_created_at: z.nullable(datetime()),
    }),
  ),
});

/** The schema of an answer with the account number, which the answer and its schema name in the same way. */
function answerWithNumber(
  answer: AccountAnswer,
  served: Served,
  shape: Readonly<Record<string, z.ZodMiniType>>,
): z.ZodMiniType {
  return z.strictObject(withOwnName(answer, shape, served) as typeof shape);
}
