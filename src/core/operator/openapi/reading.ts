import type { CodeRule, Digits, WireForm } from '../contract.ts';
import type { Findings } from '../finding.ts';
import type { OpenApiDocument } from './document.ts';

/** A document that is being read, and what was found so far. */
export interface Reading {
  readonly document: OpenApiDocument;
  readonly findings: Findings;
  /** Rules by their codes. */
  readonly rules: Map<string, CodeRule>;
}

/** The kind of a value in JSON. `json`: the document does not say. */
export type ReadKind = 'text' | 'date' | 'datetime' | 'number' | 'boolean' | 'object' | 'list' | 'json';

/** A schema of the document, with everything that it refers to. */
export interface ReadValue {
  /** JSON pointer. */
  readonly from: string;
  readonly kind: ReadKind;
  readonly isNullable: boolean;
  /** A text that is a decimal by its format. */
  readonly isDecimal?: boolean;
  readonly values?: readonly string[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly patterns: readonly string[];
  readonly digits?: Digits;
  readonly minimum?: string;
  readonly maximum?: string;
  readonly above?: string;
  readonly below?: string;
  readonly wire?: WireForm;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly item?: ReadValue | undefined;
  readonly members?: ReadMembers;
  readonly types?: ReadTypes;
  readonly deprecated?: { readonly instead?: string };
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
export interface ReadTypes {
  readonly by: string;
  readonly of: ReadonlyMap<string, ReadValue>;
}
