import { childOf, pathOfPointer, type Located, pointerOf } from '../../../core/operator/located.ts';

import { suggestion } from '../../../core/suggestion.ts';
import { isJsonObject } from '../../../core/values/plain-json.ts';
import { type OpenApiDocument } from './document.ts';

/** A value behind its references, and the pointers of the references that led to it. */
export interface Resolved extends Located {
  readonly by: readonly string[];
}

/**
 * Follows `$ref` until there is none. Nothing is fetched.
 * @param at where the document has the first reference. Default: `$ref` of the value
 * @throws AppError `operator_document_invalid` for a reference to another document, to nothing, or in a circle
 */
export function resolve(located: Located, document: OpenApiDocument, at?: Located['path']): Resolved {
  let here: Located = located;
  const by: string[] = [];
  for (;;) {
    const reference = isJsonObject(here.value) ? childOf(here.value, '$ref') : undefined;
    if (reference === undefined) return { ...here, by };
    const path = by.length === 0 && at ? at : [...here.path, '$ref'];
    if (typeof reference !== 'string')
      throw document.failure(
        path,
        'the reference is not a text',
        'Ask the operator to correct the document.',
      );
    if (!reference.startsWith('#')) {
      const todo =
        'Nothing is fetched: ask the operator for the document in one file, or bundle it yourself, and import that.';
      throw document.failure(path, 'the reference leads out of the document', todo);
    }
    const pointer = decoded(reference.slice(1));
    if (by.includes(pointer))
      throw document.failure(
        path,
        'the references lead in a circle',
        'Ask the operator to correct the document.',
      );
    by.push(pointer);
    here = targetOf(pointer, path, document);
  }
}

function targetOf(pointer: string, from: Located['path'], document: OpenApiDocument): Located {
  const { root } = document;
  const path = pathOfPointer(pointer, root.value);
  let value: unknown = root.value;
  for (const [depth, part] of path.entries()) {
    const inner = childOf(value, part);
    if (inner === undefined) {
      const known = typeof value === 'object' && value !== null ? Object.keys(value) : [];
      const hint = suggestion(String(part), known.length > 5_000 ? [] : known);
      const end = pointerOf(path.slice(0, depth)) || 'the document';
      const reason = `the reference leads to nothing: ${end} has no such part${hint}`;
      throw document.failure(
        from,
        reason,
        'The document may be cut: fetch it again, or ask the operator to correct it.',
      );
    }
    value = inner;
  }
  return { value, path };
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
