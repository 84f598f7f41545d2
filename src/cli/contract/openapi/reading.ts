import type { CodeRule, FieldRules } from '../../../core/operator/contract.ts';
import type { Findings } from '../../../core/operator/finding.ts';
import type { Located, OpenApiDocument } from './document.ts';

/** A document that is being read, and what was found so far. */
export interface Reading {
  readonly document: OpenApiDocument;
  readonly findings: Findings;
  readonly rules: Map<string, CodeRule>;
  /** Schemas, parameters and bodies that belong to requests, so that the others can be listed. */
  readonly read: Set<unknown>;
  /** The same of answers, of which only results and account numbers matter. */
  readonly ofAnswers: Set<unknown>;
  /** Schemas for other schemas, beside the components. */
  readonly definitions: Located[];
}

/** The kind of a value in JSON. `json`: the document does not say. */
export type ReadKind = 'text' | 'date' | 'datetime' | 'number' | 'boolean' | 'object' | 'list' | 'json';

export const KIND_WORDS: Readonly<Record<ReadKind, string>> = {
  text: 'a text',
  date: 'a date',
  datetime: 'a date-time',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  list: 'a list',
  json: 'anything',
};

/** A schema of the document, with everything that it refers to. */
export interface ReadValue extends Pick<
  FieldRules,
  'from' | 'values' | 'digits' | 'minimum' | 'maximum' | 'above' | 'below' | 'wire' | 'deprecated'
> {
  readonly kind: ReadKind;
  readonly isNullable: boolean;
  /** A text that is a decimal by its format. */
  readonly isDecimal?: boolean;
  /** Whether a request without the value means true. */
  readonly isTrueByDefault?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly patterns: readonly string[];
  /** A number that may be sent as a text, too. */
  readonly orText?: boolean;
  /** The text that a number may be, where the document restricts it. */
  readonly text?: ReadValue | undefined;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly item?: ReadValue | undefined;
  readonly members?: ReadMembers;
  readonly types?: ReadTypes;
}

/** The fields of an object. */
export interface ReadMembers {
  readonly fields: ReadonlyMap<string, ReadMember>;
  /** What else the object may contain. `unsaid`: the document does not say. */
  readonly others: 'unsaid' | 'none' | 'any' | ReadValue;
}

export interface ReadMember {
  readonly isRequired: boolean;
  /** Undefined when the schema was not understood. */
  readonly value: ReadValue | undefined;
  readonly from: string;
}

/** Objects of several types. Each has all of its fields. */
export type ReadTypes = { readonly by: string; readonly of: ReadonlyMap<string, ReadValue> };
