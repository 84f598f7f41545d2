import type { Endpoint } from '../../../core/contract/descriptor.ts';
import type { CodeRule, FieldRules, ValueKind } from '../../../core/operator/contract.ts';
import type { Findings } from '../../../core/operator/finding.ts';
import type { Located, OpenApiDocument } from './document.ts';

/** A document that is being read, and what was found so far. */
export interface Reading {
  readonly document: OpenApiDocument;
  readonly findings: Findings;
  readonly rules: Map<string, CodeRule>;
  /** The list with the records of the body that is being read; null where a body has one record, and in answers. */
  readonly list: string | null;
  /** How many schemas may still be read, so that references to references have an end. */
  readonly budget: { left: number };
}

/** A request of the interface, as the document has it. */
export interface ReadOperation {
  readonly endpoint: Endpoint;
  /** The path in the document. */
  readonly path: string;
  /** The path item around it. */
  readonly item: Located;
  readonly operation: Located;
}

/** The pointers of the properties that are required. What a value has to be may be said elsewhere. */
export const REQUIRED_AT = new WeakMap<ReadValue, string>();

/** A schema of the document with everything that it refers to, in the words of a contract. A schema that was not understood is any JSON. */
export interface ReadValue extends Omit<FieldRules, 'fields' | 'item'> {
  readonly adds: ValueKind;
  readonly fields?: Readonly<Record<string, ReadValue>> | undefined;
  readonly item?: ReadValue | undefined;
  /** Records of several types. Each has all of its fields. */
  readonly records?: { readonly by: string; readonly of: ReadonlyMap<string, ReadValue> };
}
