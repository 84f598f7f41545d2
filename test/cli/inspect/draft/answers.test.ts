import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { RESOURCES, type Resource } from '../../../../src/core/contract/resources.ts';
import { draftsAnswered } from '../../../support/draft-answers.ts';
import { drafted, loadedDraft } from '../../../support/drafted.ts';
import { projectRoot } from '../../../support/source-tree.ts';

const FOLDER = join(projectRoot, 'fixtures');
const FILES = globSync('*/*.map.yaml', { cwd: FOLDER }).map((path) => path.replace('.map.yaml', ''));

/** Files that decide little of a draft. */
const STRANGERS: readonly (readonly [string, Buffer | string])[] = [
  ['no header that is known', 'Aa;Bb;Cc\nx;1,50;31.12.2024\ny;2,50;30.12.2024\n'],
  ['rows that are no records', 'Aa;Bb\nx;1\n;\nTotal;\ny;2\nz;3\n'],
  ['no header', '4711;Hansen;12,50\n4712;Petersen;13,50\n'],
  ['suffixes', 'Account;Txn Id;Amount\n1;a;5.50 CR\n2;b;6.50 DR\n'],
  ['fixed places', '4711   100.50 A\n4712    20.00 B\n4713  3000.25 C\n'],
  ['columns under dashes', 'Konto [1]  Betrag\n--------- ------\n4711        1,50\n4712       12,50\n'],
  ['a delimiter that is open', 'a;b,c;d\ne;f,g;h\ni;j,k;l\n'],
  ['an encoding that is open', Buffer.from('Account;Name\n1;Do\xF0an\n2;\xDEahin\n3;I\xFE\xFDk\n', 'latin1')],
  ['a control record', 'Konto;Betrag\n1;1,50\n2;2,50\nSUMME;4,00\n'],
  ['dates in two columns', 'Account,Note,Created,Time\n1,a,31/12/2024,10:00\n2,b,30/12/2024,11:00\n'],
];

function contentOf(path: string): Buffer {
  const name = join(FOLDER, path);
  return existsSync(name) ? readFileSync(name) : gunzipSync(readFileSync(`${name}.gz`));
}

/** The resource that the mapping of a fixture is for. */
function resourceOf(path: string): Resource {
  const text = readFileSync(join(FOLDER, `${path}.map.yaml`), 'utf8');
  return RESOURCES.find((resource) => text.includes(`\nresource: ${resource}\n`))!;
}

describe('every answer of a draft is YAML as soon as its mark is removed', () => {
  test.each([
    ...STRANGERS.map(([name, content]) => [name, content, RESOURCES] as const),
    ...FILES.map((path) => [path, contentOf(path), [resourceOf(path)]] as const),
  ])('%s', async (_, content, resources) => {
    for (const resource of resources) {
      const { text } = await drafted(resource, content, true);
      const answered = draftsAnswered(text);
      expect(answered.length).toBeGreaterThan(0);
      for (const each of answered) {
        const { errors } = parseDocument(each);
        expect(errors.map(({ message }) => message)).toEqual([]);
        expect(each).not.toBe(text);
      }
    }
  });

  test('a key without a value is not yet an object', () => {
    const errors = (text: string) => draftsAnswered(text).flatMap((each) => parseDocument(each).errors);
    expect(errors('fields:\n  # body: Text\n')).toHaveLength(0);
    expect(errors('fields:\n  {}\n  # body: Text\n').length).toBeGreaterThan(0);
  });
});

test('a draft that decides nothing is refused for its missing fields, not for its shape', async () => {
  const { text, decided } = await drafted('transactions', 'Aa;Bb\nx;1\ny;2\n');
  expect(decided).toEqual([]);
  const { problems } = await loadedDraft(text);
  expect(problems.map(({ problem }) => problem.code)).toEqual(['mapping_fields_missing']);
});
