import type { ToleratedForm } from '../../core/rules/tolerated-forms.ts';
import type { Instant } from '../../core/values/instant.ts';

/** The account and records that a request names, as far as it could be read. */
export interface RequestSubject {
  readonly import_supplier: string | null;
  readonly external_account_number: string | null;
  /** How many records it carries; null for a request that carries none. */
  readonly records: number | null;
}

/** A problem that the answer reports: a code, and the path of the value as in interface.md 7.1. */
export interface LoggedProblem {
  readonly code: string;
  readonly attr: string;
  /** The path of the field to look at first, when `attr` is the object around it. */
  readonly field?: string;
  /** The sentence of the code with its facts, which never contain the value. */
  readonly detail: string;
  /** The next step with its facts; undefined when it needs others. */
  readonly next?: string;
}

/** Records of a request that the platform had already. Each was left as it was. */
export interface Repetitions {
  readonly existing: number;
  /** The first records among them that came with other content. */
  readonly conflicts: readonly Conflict[];
}

/** How many values of accepted records came in each form that the interface does not show. */
export type ToleratedCounts = Readonly<Partial<Record<ToleratedForm, number>>>;

export interface Conflict {
  /** Position in the request, from 0. */
  readonly index: number;
  /** The identifier that the client gave the record. */
  readonly id: string;
  readonly fields: readonly string[];
}

/** A fault rule that took a request. */
export interface LoggedFault {
  /** As `--fault` takes it. */
  readonly rule: string;
  /** The key of its effect, such as `reset` or `delay`; `answer` for an answer with a status. */
  readonly effect: string;
}

/** One request of the interface with its answer. Headers are not kept, so no secret is. */
export interface LoggedRequest extends RequestSubject {
  /** Counts from 1 since the start or the last reset. */
  readonly seq: number;
  /** When the request arrived, by the real clock. */
  readonly at: Instant;
  readonly method: string;
  /** Without its query. */
  readonly path: string;
  /** As fault rules name it; null for a path that the interface does not have. */
  readonly endpoint: string | null;
  /** Without the question mark, and without the values of parameters that the interface does not know. */
  readonly query: string;
  /** Null when the connection ended without a whole answer. */
  readonly status: number | null;
  readonly codes: readonly string[];
  readonly problems?: readonly LoggedProblem[];
  /** How many records it added. Missing for a refusal, a dry run and an answer of a fault. */
  readonly created?: number;
  /** Missing when every record was new. */
  readonly repetitions?: Repetitions;
  /** Missing when every value had a form of the interface. */
  readonly tolerated?: ToleratedCounts;
  /** The faults that took the request, in their order. Missing when none did. */
  readonly faults?: readonly LoggedFault[];
  readonly duration_ms: number;
  readonly request_bytes: number;
  /** Null when unknown, such as for an aborted answer. */
  readonly response_bytes: number | null;
  /** The beginnings of both bodies, as long as the log has room. Missing for a request for a token, whose bodies are secrets. */
  readonly request_body?: string;
  readonly response_body?: string;
  /** The fields of which only the beginning is kept. Missing when all are whole. */
  readonly cut?: readonly string[];
}
