import { AppError } from '../../../core/app-error.ts';
import type { EndpointName } from '../../../core/contract/endpoints.ts';
import type { CodeRule } from '../../../core/operator/contract.ts';
import { pathOfPointer } from '../../../core/operator/operator-check.ts';
import { below, partAt, pointerIn, type Located, type LocatedObject } from './located.ts';
import { childOf, isJsonObject } from '../../../core/values/plain-json.ts';
import { readYaml, type TextPosition } from '../../../core/yaml/yaml-text.ts';
import type { Note } from '../finding.ts';

/** Largest document that is read, in bytes. Known documents have less than a tenth of it. */
export const MOST_BYTES = 8 * 1024 * 1024;

/** An OpenAPI document of version 3.0 or 3.1. */
export interface OpenApiDocument {
  /** As the document says it: `3.0.3`. */
  readonly version: string;
  readonly title: string;
  /** Version of the operator's interface. */
  readonly release: string;
  readonly root: LocatedObject;
  positionOf(pointer: string): TextPosition;
  /** A failure that ends the reading. `todo`: what to do about it. */
  failure(at: string, reason: string, todo: string): AppError;
}

const ASK = 'Ask the operator for the OpenAPI document (version 3.0 or 3.1) of the data import interface.';

/**
 * Opens the text of a document.
 * @throws AppError `document_invalid`
 */
export function openDocument(file: string, text: string): OpenApiDocument {
  if (text.trim() === '') throw unusable({ file, line: 1, column: 1 }, '', 'the document is empty', ASK);
  const { yaml, problems } = readYaml({ file, text, schema: 'core' });
  if (!yaml) {
    const [{ reason, ...position }] = problems;
    const todo = 'Fetch the document again, because it may be cut, or save it as YAML or JSON in UTF-8.';
    throw unusable(position, '', `the document is not readable YAML or JSON: ${reason}`, todo);
  }
  const { value, positionOf } = yaml;
  const failure = (at: string, reason: string, todo: string): AppError =>
    unusable(positionOf(pathOfPointer(at, value)), at, reason, todo);
  if (!isJsonObject(value)) throw failure('', 'the document is not an object, so it is not OpenAPI', ASK);
  const version = value['openapi'];
  if (version === undefined) throw failure('', 'the document has no `openapi`, so it is not OpenAPI 3', ASK);
  if (typeof version !== 'string' || !/^3\.[01]\.\d+/.test(version)) {
    throw failure('/openapi', 'only the versions 3.0 and 3.1 of OpenAPI are read', ASK);
  }
  const said = (name: string): string => {
    const words = childOf(value['info'], name);
    return typeof words === 'string' || typeof words === 'number' ? `${words}` : `without a ${name}`;
  };
  return {
    version,
    title: said('title'),
    release: said('version'),
    root: { value, at: '' },
    positionOf: (pointer) => positionOf(pathOfPointer(pointer, value)),
    failure,
  };
}

function unusable(position: TextPosition, at: string, reason: string, todo: string): AppError {
  const said = at === '' ? reason : `${reason} (${at})`;
  return new AppError('document_invalid', { kind: 'document', ...position, reason: said, todo });
}

/** A document that is being read, and what was found so far. */
export interface Reading {
  readonly document: OpenApiDocument;
  readonly note: Note;
  readonly rules: Map<string, CodeRule>;
  /** The schemas of requests, at their places in the document. */
  readonly schemas: Record<string, unknown>;
}

/** A request of the interface, as the document has it. */
export interface ReadOperation {
  readonly name: EndpointName;
  readonly path: string;
  readonly item: Located;
  readonly operation: Located;
}

const CORRECT = 'Ask the operator to correct the document.';

/**
 * Follows `$ref` until there is none. Nothing is fetched.
 * @param at where the document has the first reference. Default: `$ref` of the value
 * @throws AppError `document_invalid` for a reference to another document, to nothing, or in a circle
 */
export function resolve(located: Located, document: OpenApiDocument, at?: string): Located {
  let here: Located = located;
  const by: string[] = [];
  for (;;) {
    const reference = childOf(here.value, '$ref');
    if (reference === undefined) return here;
    const place = by.length === 0 && at ? at : below(here.at, '$ref');
    const pointer = pointerIn(reference);
    if (pointer === undefined) {
      const todo =
        'Nothing is fetched: ask the operator for the document in one file, or bundle it yourself, and import that.';
      throw document.failure(place, 'the reference leads out of the document', todo);
    }
    if (by.includes(pointer)) throw document.failure(place, 'the references lead in a circle', CORRECT);
    by.push(pointer);
    here = partAt(pointer, document.root.value);
    if (here.value === undefined) {
      const reason = `the reference leads to nothing: ${pointer}`;
      throw document.failure(place, reason, `The document may be cut: fetch it again. ${CORRECT}`);
    }
  }
}
