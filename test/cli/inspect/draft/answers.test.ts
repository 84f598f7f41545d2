import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { RESOURCES, type Resource } from '../../../../src/core/contract/resources.ts';
import { draftMapping } from '../../../../src/cli/inspect/draft/draft-mapping.ts';
import { isMissingKey } from '../../../../src/cli/mapping/language/schemas.ts';
import { drafted, loadedDraft } from '../../../support/drafted.ts';
import { inspected } from '../../../support/inspected.ts';
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
  ['zones', 'Account,Note,Created,Zone\n1,a,31/12/2024 10:00,CET\n2,b,30/06/2024 11:00,CEST\n'],
  ['typographic signs', 'Konto;Beleg;Betrag\n1;a;\u22121,50\n2;b;+2,50\n3;c;- 3,50\n4;d;4,50 -\n'],
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

/** Whether an answer has to be completed by hand: a table of values. */
const isIncomplete = (lines: readonly string[]): boolean => /VALUE|WORD/.test(lines.join());

/** The draft with an answer below the key of a question, as a person removes its marks; without one the key is removed. */
function answered(draft: string, number: number, key: string, answer: readonly string[] | undefined): string {
  const lines = draft.split('\n');
  const question = lines.findIndex((line) => line.includes(`# QUESTION ${number}:`));
  const at = lines.findIndex((line, place) => place > question && line.trim() === `${key}:`);
  if (answer === undefined) return lines.toSpliced(at, 1).join('\n');
  const indent = ' '.repeat(lines[at]!.search(/\S/) + 2);
  const first = lines.indexOf(`${indent}# ${answer[0]}`, at);
  expect(first).toBeGreaterThan(at);
  return lines.toSpliced(first, answer.length, ...answer.map((line) => indent + line)).join('\n');
}

test.each([
  ...STRANGERS.map(([name, content]) => [name, content, RESOURCES] as const),
  ...FILES.map((path) => [path, contentOf(path), [resourceOf(path)]] as const),
])('every answer of a draft loads, and no draft with a question does: %s', async (_, content, resources) => {
  for (const resource of resources) {
    const { content: profile } = await inspected(content);
    const request = { resource, file: 'export.csv', showValues: false, again: () => '' };
    const { questions, text } = draftMapping(profile!, request);
    const open = (await loadedDraft(text)).problems.map(({ problem }) => problem);
    const asked = open.filter(({ code }) => code === 'mapping_question_open');
    expect(asked.map(({ facts }) => /answer question (\d+)/.exec(String(facts['reason']))?.[1])).toEqual(
      questions.map((__, at) => `${at + 1}`),
    );
    const most = Math.max(1, ...questions.map(({ answers }) => answers.length));
    for (let at = 0; at < most; at++) {
      const typed = questions.reduce((draft, { key, answers, isOptional }, number) => {
        const answer = answers.filter((each) => !isIncomplete(each)).at(at % Math.max(answers.length, 1));
        return answer || isOptional ? answered(draft, number + 1, key, answer) : draft;
      }, text);
      const { problems } = await loadedDraft(typed);
      const wrong = problems.filter(
        ({ problem }) => problem.code !== 'mapping_question_open' && !isMissingKey(problem),
      );
      expect(wrong.map(({ problem }) => problem)).toEqual([]);
    }
  }
});

test('a draft that decides nothing is refused for its questions, not for its shape', async () => {
  const { text, decided, questions } = await drafted('transactions', 'Aa;Bb\nx;1\ny;2\n');
  expect(decided).toEqual([]);
  const { problems } = await loadedDraft(text);
  expect(new Set(problems.map(({ problem }) => problem.code))).toEqual(new Set(['mapping_question_open']));
  expect(problems).toHaveLength(questions.length);
});
