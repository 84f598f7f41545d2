import {
  childOf,
  pathOfPointer,
  pointerIn,
  pointerOf,
  type Located,
} from '../../../core/operator/located.ts';
import { suggestion } from '../../../core/suggestion.ts';
import type { OpenApiDocument } from './document.ts';

const CORRECT = 'Ask the operator to correct the document.';

/** A value behind its references, and the pointers of the references that led to it. */
export interface Resolved extends Located {
  readonly by: readonly string[];
}

/**
 * Follows `$ref` until there is none. Nothing is fetched.
 * @param at where the document has the first reference. Default: `$ref` of the value
 * @throws AppError `document_invalid` for a reference to another document, to nothing, or in a circle
 */
export function resolve(located: Located, document: OpenApiDocument, at?: Located['path']): Resolved {
  let here: Located = located;
  const by: string[] = [];
  for (;;) {
    const reference = childOf(here.value, '$ref');
    if (reference === undefined) return { ...here, by };
    const path = by.length === 0 && at ? at : [...here.path, '$ref'];
    const pointer = pointerIn(reference);
    if (pointer === undefined) {
      const todo =
        'Nothing is fetched: ask the operator for the document in one file, or bundle it yourself, and import that.';
      throw document.failure(path, 'the reference leads out of the document', todo);
    }
    if (by.includes(pointer)) throw document.failure(path, 'the references lead in a circle', CORRECT);
    by.push(pointer);
    here = targetOf(pointer, path, document);
  }
}

function targetOf(pointer: string, from: Located['path'], document: OpenApiDocument): Located {
  const path = pathOfPointer(pointer, document.root.value);
  let value: unknown = document.root.value;
  for (const [depth, part] of path.entries()) {
    const inner = childOf(value, part);
    if (inner === undefined) {
      const known = Object.keys(value ?? {}).slice(0, 5_000);
      const end = pointerOf(path.slice(0, depth)) || 'the document';
      const reason = `the reference leads to nothing: ${end} has no such part${suggestion(String(part), known)}`;
      throw document.failure(from, reason, `The document may be cut: fetch it again. ${CORRECT}`);
    }
    value = inner;
  }
  return { value, path };
}
