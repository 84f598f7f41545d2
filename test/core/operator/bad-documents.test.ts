import { describe, expect, test } from 'vitest';
import { AppError } from '../../../src/core/app-error.ts';
import { nextStepOf } from '../../../src/core/error-codes/sentence.ts';
import { importContract } from '../../../src/cli/contract/import-contract.ts';
import { operatorDocument, type DocumentParts } from '../../support/operator-document.ts';

/** The sentence with file and line, and the next step. */
function refusal(text: string): string {
  try {
    importContract({ file: 'o.yaml', text, sha256: '' }, '2026-11-22');
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { file, line } = error.facts;
    return `${file}:${line} ${error.message.replace('the document cannot be used: ', '')} → ${nextStepOf(error.code, error.facts)}`;
  }
  throw new Error('the document was accepted');
}

const withParts = (parts: DocumentParts): string => JSON.stringify(operatorDocument(parts), undefined, 1);

describe('a document that cannot be read ends the import with a sentence, its place and what to do', () => {
  test.each(
    Object.entries({
      'o.yaml:1 the document is empty → Ask the operator': '',
      'the document is not an object, so it is not OpenAPI → Ask': '- a',
      'the document has no `openapi`, so it is not OpenAPI 3 → Ask': 'info: {}\nswagger: "2.0"\npaths: {}',
      'o.yaml:1 only the versions 3.0 and 3.1 of OpenAPI are read (/openapi) → Ask':
        'openapi: 4.0.0\npaths: {}',
      'describes no request of the data import interface (/paths) → Check that it is':
        'openapi: 3.0.3\npaths: { /pets: {} }',
      'the document is not readable YAML or JSON': '{"openapi": "3.0.3", "paths": {"/a',
      'aliases (`*…`) repeat too much': `openapi: 3.0.3\na: &a [1,1,1,1,1,1,1,1,1,1]\n${Array.from('bcdefgh')
        .map((name, at) => `${name}: &${name} [${Array(10).fill(`*${'abcdefg'[at]}`).join(',')}]`)
        .join('\n')}\npaths: {}`,
    }),
  )('%s', (says, text) => {
    expect(refusal(text)).toContain(says);
  });

  test.each(
    Object.entries<DocumentParts>({
      'the reference leads to nothing: /components/schemas/Nope': {
        note: { x: { $ref: '#/components/schemas/Nope' } },
        schemas: { Note: {} },
      },
      'the reference leads out of the document': { note: { x: { $ref: 'other.yaml#/X' } } },
      'Nothing is fetched: ask the operator': { note: { x: { $ref: 'https://x.example/y.yaml' } } },
      'the references lead in a circle': {
        note: { x: { $ref: '#/components/schemas/A' } },
        schemas: { A: { $ref: '#/components/schemas/B' }, B: { $ref: '#/components/schemas/A' } },
      },
      'the references of `allOf` lead in a circle': {
        note: { x: { $ref: '#/components/schemas/A' } },
        schemas: { A: { allOf: [{ $ref: '#/components/schemas/A' }] } },
      },
      'the reference leads to nothing: /components/schemas/Nope (/paths/~1v1~1data-import~1transactions~1create~1/post/requestBody/content/application~1json/schema/properties/transactions/items/discriminator/mapping/CHARGE)':
        {
          transactionSchema: {
            oneOf: [{ type: 'object' }, { type: 'object' }],
            discriminator: { propertyName: 'type', mapping: { CHARGE: 'Nope' } },
          },
        },
      'the references lead to too many schemas (/components/schemas/L': {
        note: { x: { $ref: '#/components/schemas/L0' } },
        schemas: Object.fromEntries(
          Array.from({ length: 26 }, (__, at) => {
            const next = { $ref: `#/components/schemas/L${at + 1}` };
            return [`L${at}`, at === 25 ? {} : { anyOf: [next, next] }];
          }),
        ),
      },
      'the references lead to too many schemas': {
        note: { x: { $ref: '#/components/schemas/L0' } },
        schemas: Object.fromEntries(
          Array.from({ length: 26 }, (__, at) => {
            const next = { $ref: `#/components/schemas/L${(at + 1) % 26}` };
            return [`L${at}`, at === 25 ? {} : { type: 'object', properties: { a: next, b: next } }];
          }),
        ),
      },
    }),
  )('%s', (says, parts) => {
    const said = refusal(withParts(parts));
    expect(said).toContain(says);
    expect(said).toMatch(/^o\.yaml:\d+ .* \(\/.*\) → ./);
  });

  test('nothing is looked up through the prototype of an object', () => {
    expect(refusal(withParts({ note: { x: { $ref: '#/components/constructor/name' } } }))).toContain(
      'leads to nothing',
    );
  });
});
