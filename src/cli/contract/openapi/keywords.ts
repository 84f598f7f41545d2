import { pointerOf, type Where } from '../../../core/operator/finding.ts';
import { memberOf, type Located, type LocatedObject } from './document.ts';
import { keyword } from './facets.ts';
import { KIND_WORDS, type ReadKind, type Reading } from './reading.ts';
import { noteOthers } from './unread-parts.ts';

/** Formats that say no more than the type, or that are read. */
const READ_FORMATS: ReadonlySet<unknown> = new Set([
  'date',
  'date-time',
  'decimal',
  'uuid',
  'int32',
  'int64',
  'float',
  'double',
  'password',
]);

export function noteFormats(formats: readonly Located[], where: Where, { findings }: Reading): void {
  for (const { value, path } of formats) {
    if (!READ_FORMATS.has(value))
      findings.add('not_understood', where, `the format \`${String(value)}\` is not checked`, path);
  }
}

/** Keywords that are read here or in the files beside this one. */
const READ = new Set(
  (
    '$ref type properties required items allOf oneOf anyOf discriminator enum const nullable format pattern minLength ' +
    'maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems additionalProperties ' +
    'unevaluatedProperties deprecated readOnly x-use-instead x-validators'
  ).split(' '),
);

/** Keywords that have an effect on values of some kinds only. */
const EFFECTIVE: readonly (readonly [readonly string[], readonly ReadKind[]])[] = [
  [
    ['minLength', 'maxLength'],
    ['text', 'date', 'datetime'],
  ],
  // Decimals are texts with digits and limits in several documents.
  [
    ['pattern', 'format'],
    ['text', 'date', 'datetime', 'number'],
  ],
  [
    ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
    ['number', 'text'],
  ],
  [['items', 'minItems', 'maxItems'], ['list']],
  [['properties', 'required', 'additionalProperties', 'unevaluatedProperties', 'discriminator'], ['object']],
];

/** Lists keywords that are not for values of the kind, and closed lists of values that are no text and no number. */
export function noteKeywordsOfOthers(
  facets: readonly LocatedObject[],
  kind: ReadKind,
  orText: boolean,
  where: Where,
  { findings }: Reading,
): void {
  for (const [names, kinds] of EFFECTIVE) {
    if (kinds.includes(kind) || (orText && kinds.includes('text'))) continue;
    for (const name of names)
      for (const { path } of keyword(facets, name)) {
        if (kind === 'json')
          findings.add(
            'not_understood',
            where,
            `\`${name}\` of a schema without \`type\` is not checked`,
            path,
          );
        else findings.add('ignored', where, `\`${name}\` has no effect on ${KIND_WORDS[kind]}`, path);
      }
  }
  if (['text', 'date', 'datetime', 'number'].includes(kind)) return;
  for (const name of ['enum', 'const'])
    for (const { path } of keyword(facets, name)) {
      findings.add('not_understood', where, `\`${name}\` of ${KIND_WORDS[kind]} is not checked`, path);
    }
}

/** Keywords for people and tools. Examples are never believed. */
const ANNOTATIONS = new Set(
  (
    'title summary description example examples default externalDocs xml writeOnly $comment $defs definitions $id $schema ' +
    '$anchor'
  ).split(' '),
);

/** Lists keywords that nothing reads. */
export function noteOtherKeywords(facet: LocatedObject, where: Where, reading: Reading): void {
  const { findings, definitions } = reading;
  const discriminator = memberOf(facet, 'discriminator');
  if (discriminator) noteOthers(discriminator, ['propertyName', 'mapping'], where, reading);
  for (const name of ['$defs', 'definitions'])
    definitions.push(...[memberOf(facet, name)].filter((found) => found !== undefined));
  for (const name of Object.keys(facet.value)) {
    if (READ.has(name) || ANNOTATIONS.has(name)) continue;
    const from = pointerOf([...facet.path, name]);
    if (name.startsWith('x-')) findings.add('ignored', where, `the extension \`${name}\` is not read`, from);
    else findings.add('not_understood', where, `\`${name}\` is not checked`, from);
  }
  const use = memberOf(facet, 'x-use-instead');
  if (use && typeof use.value !== 'string')
    findings.add('not_understood', where, '`x-use-instead` is not a text', use.path);
}
