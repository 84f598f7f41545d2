import type { Endpoint } from '../../../core/contract/descriptor.ts';
import type { CodeRule } from '../../../core/operator/contract.ts';
import type { Findings } from '../finding.ts';
import type { Located } from '../../../core/operator/located.ts';
import type { OpenApiDocument } from './document.ts';

/** A document that is being read, and what was found so far. */
export interface Reading {
  readonly document: OpenApiDocument;
  readonly findings: Findings;
  readonly rules: Map<string, CodeRule>;
  /** The schemas of requests, at their places in the document. */
  readonly schemas: Record<string, unknown>;
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
