import type { ValueKind } from '../../../core/operator/contract.ts';
import { pointerOf, type Where } from '../../../core/operator/finding.ts';
import type { LocatedObject } from './document.ts';
import { keyword } from './facets.ts';
import type { Reading } from './reading.ts';

/** Keywords that are read here or in the files beside this one. */
const READ = new Set(
  (
    '$ref type properties required items allOf oneOf anyOf discriminator enum const nullable format pattern minLength ' +
    'maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems additionalProperties ' +
    'unevaluatedProperties deprecated readOnly'
  ).split(' '),
);

/** Keywords for people and tools. Examples are never believed. */
const ANNOTATIONS = new Set(
  (
    'title summary description example examples default externalDocs xml writeOnly $comment $defs definitions $id $schema ' +
    '$anchor'
  ).split(' '),
);

/** Keywords that restrict values whose kind the document does not say. */
const OF_A_KIND =
  'minLength maxLength pattern format minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems required';

/** Lists the keywords that nothing checks. */
export function noteUncheckedKeywords(
  facets: readonly LocatedObject[],
  kind: ValueKind,
  where: Where,
  { findings }: Reading,
): void {
  for (const { value, path } of facets)
    for (const name of Object.keys(value))
      if (!READ.has(name) && !ANNOTATIONS.has(name) && !name.startsWith('x-'))
        findings.add('not_understood', where, `\`${name}\` is not checked`, pointerOf([...path, name]));
  const unchecked =
    kind === 'json'
      ? `${OF_A_KIND} enum const`
      : ['boolean', 'object', 'list'].includes(kind)
        ? 'enum const'
        : '';
  for (const name of unchecked.split(' '))
    for (const { path } of keyword(facets, name))
      findings.add('not_understood', where, `\`${name}\` of this value is not checked`, path);
}
