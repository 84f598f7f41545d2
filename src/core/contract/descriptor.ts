import type * as z from 'zod/mini';
import type { ErrorCode } from '../error-codes/table.ts';
import type { RecordRule } from '../rules/rule.ts';
import type { account } from './account.ts';
import type { NamedDocument } from './document-paths.ts';

/** Everything that sets one resource apart, for both ends of the wire. Only descriptors know a resource by its name. */
export interface ResourceDescriptor<R> {
  /** The name of one record in the ledger. */
  readonly kind: string;
  readonly endpoint: CreateEndpoint;
  /** The array of the payload; null when a request carries one record beside its account (interface.md 2.6). */
  readonly list: string | null;
  /** The title of the contract of an operator that narrows the fields. Default: those of the interface. */
  readonly contract?: string;
  /** Whether the operator removes the blanks at both ends of texts. */
  readonly trims?: true;
  /** Most records in one request, by the contract of an operator. */
  readonly maxRecords?: number;
  /** Whether a request may, or has to, say by `dry_run` whether anything is stored, by the contract of an operator. */
  readonly dryRun?: 'optional' | 'required';

  /** How a request names its account. */
  readonly account: typeof account;
  /** All fields of the resource. */
  readonly schema: z.ZodMiniType<R> & { readonly shape: z.core.$ZodShape };
  /** The schema of one record, where the fields depend on its type. Default: `schema`. */
  readonly schemaFor?: (candidate: unknown) => z.ZodMiniType<R>;
  readonly rules: readonly RecordRule<R>[];
  readonly identity: (record: R) => RecordIdentity;
  /** The documents that a record names. Default: the resource has none. */
  readonly documents?: (record: R) => readonly NamedDocument[];

  /** The field by which answers name a record; null for notes, which have none (interface.md 4.2). */
  readonly idField: FieldOf<R> | null;
  /** The field that splits control totals; null when the resource has no types. */
  readonly typeField: FieldOf<R> | null;
  /** The field that control totals add up, in major or minor units; null when records have no amount. */
  readonly amount: Readonly<{ field: FieldOf<R>; unit: 'major' | 'minor' }> | null;
  readonly dates: readonly DatedField<FieldOf<R>>[];
  /** A list of items with dates of their own, which suppliers often give as numbered columns. */
  readonly items: Readonly<{ list: FieldOf<R>; dates: readonly DatedField[] }> | null;

  /** Fields that the platform fills in when a record leaves them out. Default: none. */
  readonly filled?: readonly FieldOf<R>[];
  /** A record needs one of these fields. The first one is asked for where no column is any of them. */
  readonly oneOf?: readonly FieldOf<R>[];
  readonly answer: AnswerForm<R>;
  readonly refusal: RefusalMeaning<R>;
  readonly lostAnswer: LostAnswer;
  readonly repetition: Repetition<R>;

  /** A warning for a date that lies before another date. */
  readonly datesInOrder?: Readonly<{ field: FieldOf<R>; notBefore: FieldOf<R>; code: ErrorCode }>;
  /** Dates that are seldom years after another date, which is then a warning. Default: none. */
  readonly datesTogether?: readonly Readonly<{ field: FieldOf<R>; after: FieldOf<R> }>[];
  /** Headers that suppliers use for a field, in English, German, Japanese, Dutch, French, Spanish, Italian and Polish, separated by `, `. */
  readonly headerTerms: Readonly<Partial<Record<FieldOf<R> | AmountSide, string>>>;
}

type FieldOf<R> = keyof R & string;

/** Records with the same identity on one account are the same. `variant` separates records of one `key` that may both exist. */
export type RecordIdentity = Readonly<{ key: string; variant: string | undefined }>;

/** One endpoint of the interface (interface.md 4.1). */
export interface Endpoint {
  readonly method: 'GET' | 'POST';
  /** Relative to the base URL, with `:name` for a path segment and the trailing slash that the platform insists on. */
  readonly path: string;
  /** The envelope of the request; null for a request without a body. `checkRecord` checks the records in it. */
  readonly request: z.ZodMiniType | null;
  readonly response: z.ZodMiniType;
  /** Statuses that may mean success; the body decides. */
  readonly success: readonly number[];
  /** Boolean query parameters with their defaults. */
  readonly query?: QueryDefaults;
}

/** The query parameters of the interface (interface.md 4.3). */
export type QueryFlag = 'check_previously_added' | 'force_add_to_current_statement';
export type QueryDefaults = Readonly<Partial<Record<QueryFlag, boolean>>>;

/** The endpoint that adds records of a resource. */
export interface CreateEndpoint extends Endpoint {
  /** Its name in the OpenAPI document. */
  readonly name: string;
  readonly method: 'POST';
  readonly request: z.ZodMiniType;
}

/** The two columns that suppliers may give instead of an amount. */
export type AmountSide = 'debit' | 'credit';

/** A field with a day or an instant; `upTo`: how far it may lie in the future. */
export type DatedField<Field extends string = string> = Readonly<{ field: Field; upTo: 'a_year' | 'any' }>;

/** The outcome of one record in an answer of success (interface.md 3.3). */
export type AnsweredOutcome = 'created' | 'existing' | 'rejected';

export interface AnswerForm<R> {
  /** The field of the body with one result for each record; null when the body itself has the results. */
  readonly list: string | null;
  /** The field of a result with the stored record; null when the result itself is that record. */
  readonly record: string | null;
  /** The statuses of results. Null when results have none, because every record in the answer was created. */
  readonly statuses: Readonly<Record<string, AnsweredOutcome>> | null;
  /** Whether a result names the account on the platform, so that it proves nothing without a number (interface.md 4.5). */
  readonly namesAccount?: true;
  /** Whether a result can belong to a record. Results without an id need it, because they follow the order of the request. */
  readonly echoes?: (record: R, result: Readonly<Record<string, unknown>>) => boolean;
  /**
   * Fields that an answer must repeat as they were sent, when it repeats them (interface.md 2.4, 4.4). Ids, and the time of a
   * note, say which record an answer is about, so they are not here. The platform may move the date of a transaction and
   * describe that in its texts (interface.md 4.3), and it may put its own root before a document path (interface.md 2.2).
   */
  readonly echoed: Readonly<Partial<Record<FieldOf<R>, Comparison>>>;
  /** The fields of `echoed` that an existing record must repeat. Default: all. */
  readonly echoedIfExisting?: readonly FieldOf<R>[];
  /** A date that the platform may change, and the warning about it (interface.md 4.3). */
  readonly movableDate?: {
    readonly field: FieldOf<R>;
    readonly code: ErrorCode;
    /** The texts to which the platform adds a description of the move. */
    readonly describedIn: readonly FieldOf<R>[];
  };
}

/** How a field of an answer is compared with the field that was sent. */
export type Comparison = 'amount' | 'text' | 'date' | 'second' | 'flag';

export interface RefusalMeaning<R> {
  /** Whether the platform may have kept the records before the one that it refuses (interface.md 4.3). */
  readonly mayKeepPart: boolean;
  /** The field that a refusal is about when it names none; null for the record as a whole. */
  readonly field: FieldOf<R> | null;
  /**
   * The code about a record that was refused with 400 and must not be sent again in the same form (interface.md 4.5). Null when
   * the next command may send it again.
   */
  readonly final: ErrorCode | null;
}

/** How a request goes on that may have been applied. */
export interface LostAnswer {
  /** Whether the records are sent again one by one, because only then a refusal shows which record exists. */
  readonly oneByOne: boolean;
  /** The refusal of a record that exists. Null when a repeated request is answered with the statuses of its records. */
  readonly present: Readonly<{ code: ErrorCode }> | null;
  /** Whether the interface leaves it to the operator to refuse a record that exists. Default: false. */
  readonly isUpToOperator?: true;
}

/** Records of a file that are the same record for the platform. */
export interface Repetition<R> {
  readonly code: ErrorCode;
  readonly field: FieldOf<R> | 'external_account_number';
  /** Whether records with different ids are always different records. */
  readonly isKeyedById: boolean;
  /** Whether the platform keeps one of several equal records, so that nothing is lost. */
  readonly exactIsHarmless: boolean;
}
