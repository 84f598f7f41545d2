import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importContract, type ImportedContract } from '../../src/cli/contract/import-contract.ts';
import { nameOf } from '../../src/cli/contract/finding.ts';
import type { Resource } from '../../src/core/contract/resources.ts';
import type { Fields, OperatorContract } from '../../src/core/operator/contract.ts';
import { projectRoot } from './source-tree.ts';

type Json = Readonly<Record<string, unknown>>;

const ACCOUNT: Json = {
  import_supplier: { type: 'string' },
  external_account_number: { type: 'string', maxLength: 128 },
};

const NOTE: Json = {
  type: 'object',
  properties: {
    body: { type: 'string' },
    created_at: { type: 'string', format: 'date-time' },
    is_pinned: { type: 'boolean' },
    unpin_at: { type: 'string', format: 'date-time' },
    document_paths: {
      type: 'array',
      items: {
        type: 'object',
        required: ['document_path'],
        properties: { document_path: { type: 'string' } },
      },
    },
  },
};

const TRANSACTION_FIELDS: Json = {
  transaction_id: { type: 'string' },
  transaction_date: { type: 'string', format: 'date' },
  amount: {},
  type: { type: 'string' },
  reason: {},
  display_note: {},
  note: {},
  reference: {},
  payment_type: {},
  product_code: {},
  line_items: {},
  tax_items: {},
};

const REQUIRED = ['transaction_id', 'transaction_date', 'amount', 'type'];

/** A document of an operator that demands nothing beyond the interface, with other parts where a test gives them. */
export interface DocumentParts {
  readonly openapi?: string;
  /** Properties of a note, beside those of the interface. */
  readonly note?: Json;
  /** The whole schema of a note. */
  readonly noteSchema?: Json;
  /** Properties of a transaction, beside those of the interface. */
  readonly transaction?: Json;
  /** The whole schema of a transaction. */
  readonly transactionSchema?: Json;
  /** Properties beside the list of transactions. */
  readonly body?: Json;
  readonly schemas?: Json;
  /** Further paths. */
  readonly paths?: Json;
}

export function operatorDocument(parts: DocumentParts = {}): Json {
  const flag = (name: string): Json => ({ name, in: 'query', schema: { type: 'boolean' } });
  const post = (name: string, items: Json, body: Json = {}): Json => ({
    ...(name === 'transactions' && {
      parameters: [flag('check_previously_added'), flag('force_add_to_current_statement')],
    }),
    post: {
      requestBody: {
        content: {
          'application/json': {
            schema: {
              type: 'object',
              required: ['import_supplier', 'external_account_number', name],
              properties: { ...ACCOUNT, [name]: { type: 'array', items }, ...body },
            },
          },
        },
      },
    },
  });
  return {
    openapi: parts.openapi ?? '3.0.3',
    info: { title: 'Test', version: '1' },
    paths: {
      '/v1/data-import/notes/create/': post(
        'notes',
        parts.noteSchema ?? { ...NOTE, properties: { ...(NOTE['properties'] as Json), ...parts.note } },
      ),
      '/v1/data-import/transactions/create/': post(
        'transactions',
        parts.transactionSchema ?? {
          type: 'object',
          required: REQUIRED,
          properties: { ...TRANSACTION_FIELDS, ...parts.transaction },
        },
        parts.body,
      ),
      ...parts.paths,
    },
    components: { schemas: parts.schemas ?? {} },
  };
}

/** The import of a document that a test describes. */
export function imported(parts: DocumentParts): ImportedContract {
  const text = JSON.stringify(operatorDocument(parts), undefined, 2);
  return importContract({ file: 'operator.json', text, sha256: '0'.repeat(64) }, '2026-11-22');
}

/** The fields of records under a contract. */
export function fieldsUnder(
  { resources }: OperatorContract,
  resource: Resource = 'notes',
  type: string | null = null,
): Fields {
  const { types, fields } = resources[resource]!;
  return types?.[type ?? '']?.fields ?? fields;
}

/** Findings as `kind name: says`, without those that every document of a test has. */
export function findingsOf({ findings }: Pick<ImportedContract, 'findings'>): readonly string[] {
  return findings
    .map((finding) => `${finding.kind} ${nameOf(finding)}: ${finding.says}`)
    .filter((line) => !/the document has no (?:GET|POST) |SUPPLY_CHARGE\.\w+: is optional/.test(line));
}

/** The folder of a made-up operator, its document, and the contract that was imported from it. */
export type OperatorDocumentNames = readonly [
  folder: 'halmere' | 'ostrelle',
  document: string,
  contract: string,
];

export const OPERATOR_DOCUMENTS = [
  ['halmere', 'openapi.yaml', 'contract.json'],
  ['ostrelle', 'openapi.yaml', 'contract.json'],
  ['ostrelle', 'openapi-3.1.yaml', 'contract-3.1.json'],
] as const satisfies readonly OperatorDocumentNames[];

export function operatorFile(folder: string, name: string): string {
  return readFileSync(join(projectRoot, 'fixtures/contracts', folder, name), 'utf8');
}
