import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { runDocument } from '../support/json-documents.ts';
import { runCli, fakeIo } from '../support/cli-io.ts';
import { documentBlocks } from '../support/document-blocks.ts';
import { projectRoot } from '../support/source-tree.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { addsUp } from '../../src/cli/push/ports/report.ts';

const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'examples/README.md',
  ...readdirSync(join(projectRoot, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

describe('every document', () => {
  test.each(documents)('%s links to files that exist', (document) => {
    const text = readFileSync(join(projectRoot, document), 'utf8');
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)].map((match) => match[1]!);
    for (const link of links)
      expect(() => readdirOrRead(join(projectRoot, document, '..', link)), link).not.toThrow();
  });

  test.each(documents)('%s names commands and flags that exist', async (document) => {
    const surface = readFileSync(join(projectRoot, 'test/cli/surface.txt'), 'utf8');
    const text = readFileSync(join(projectRoot, document), 'utf8');
    const flags = [...text.matchAll(/`(--[a-z][a-z-]*)/g)]
      .map((match) => match[1]!)
      .filter((flag) => !FOREIGN_FLAGS.has(flag));
    for (const flag of flags) expect(surface, flag).toContain(flag);
    const commands = [...text.matchAll(/`dataimport ([a-z]+)/g)].map((match) => match[1]!);
    for (const command of commands) expect(surface, command).toMatch(new RegExp(`dataimport ${command}\\b`));
  });
});

/** Flags of the bench and of other programs, as CONTRIBUTING.md, recipes.md, runs.md and the examples name them. */
const FOREIGN_FLAGS = new Set(
  '--version --csv --array --nodelist --rows --pairs --short --from --write-page'.split(' '),
);

describe('docs/README.md', () => {
  const [, guides, reference] = readFileSync(join(projectRoot, 'docs/README.md'), 'utf8').split('\n## ');
  const pagesOf = (part: string) => [...part.matchAll(/^- \[[^\]]+\]\(([^)]+)\)/gm)].map(([, page]) => page!);

  test('lists every page once', () => {
    const listed = [...pagesOf(guides!), ...pagesOf(reference!)];
    const pages = readdirSync(join(projectRoot, 'docs')).filter((name) => name.endsWith('.md'));
    expect(listed.toSorted()).toEqual(
      [...pages.filter((name) => name !== 'README.md'), 'spec/README.md'].toSorted(),
    );
  });

  test.each([
    ...pagesOf(guides!).map((page) => [page, '**Guide.** '] as const),
    ...pagesOf(reference!).map((page) => [page, '**Reference.** '] as const),
  ])('%s says in its first line that it is: %s', (page, mark) => {
    const text = readFileSync(join(projectRoot, 'docs', page), 'utf8').replace(/^<!--.*-->\n\n/, '');
    expect(text.split('\n')[2]).toContain(mark);
  });

  test('the guides and the README have about 6,000 words', () => {
    const texts = ['../README.md', ...pagesOf(guides!)].map((page) =>
      readFileSync(join(projectRoot, 'docs', page), 'utf8'),
    );
    expect(texts.join('\n').split(/\s+/).length).toBeLessThan(6_500);
  });
});

describe.each(['security.md', 'promise.md', 'windows.md'])('docs/%s', (name) => {
  const page = readFileSync(join(projectRoot, 'docs', name), 'utf8');
  const rows = [...page.matchAll(/^\| (.+?) +\| `(test\/[^`]+)`: (.+?) +\|$/gm)];

  test('has a test for every row of its table', () => {
    const tables = page.split('\n\n').filter((part) => /^\|.* \| test +\|$/m.test(part.split('\n')[0]!));
    const expected = tables.flatMap((table) => table.trimEnd().split('\n').slice(2));
    expect(expected.length).toBeGreaterThan(2);
    expect(rows.length).toBe(expected.length);
  });

  test.each(rows.map(([, row, file, title]) => [row, file!, title!]))(
    '%s is kept by a test that is there',
    (_, file, title) => {
      const titles = readFileSync(join(projectRoot, file), 'utf8').matchAll(
        /\b(?:test|describe)\b[^\n]*?\(\s*(['"`])(.+?)\1/g,
      );
      expect([...titles].some(([, , found]) => found!.includes(title))).toBe(true);
    },
  );
});

describe('docs/csv.md', () => {
  const examples = documentBlocks('docs/csv.md', 'csv');

  test.each(examples)('its example of $title is read without a problem', async ({ title, text }) => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'example.csv'), text);
    const io = fakeIo({ cwd, nowMs: Date.UTC(2026, 10, 21) });
    const { exitCode, json } = await runCli(['check', title, join(cwd, 'example.csv'), '--json'], io);
    expect({ exitCode, problems: json()['problems'] }).toEqual({ exitCode: 0, problems: [] });
  });
});

describe('docs/mapping-recipes.md', () => {
  const blocks = documentBlocks('docs/mapping-recipes.md', 'yaml');

  test.each(blocks.filter(({ title }) => !title.includes('.')))(
    'its example of $title is a mapping without a fault',
    async ({ text }) => {
      const cwd = temporaryFolder();
      for (const { title, text: part } of blocks)
        if (title.includes('.')) writeFileSync(join(cwd, title), part);
      // The tables of the example with a query.
      writeFileSync(
        join(cwd, 'register.csv'),
        'doc,revision,account_id,gross,tax,day\nD1,1,a1,9.00,1.20,2026-01-05\nTOTAL,1\n',
      );
      writeFileSync(join(cwd, 'accounts.jsonl'), '{"id":"a1","number":"001"}\n');
      writeFileSync(join(cwd, 'example.map.yaml'), text);
      const { exitCode, stdout } = await runCli(
        ['check', '--map', 'example.map.yaml', '--supplier', 'ACME'],
        fakeIo({ cwd }),
      );
      expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 });
    },
  );
});

describe('docs/replay.md', () => {
  test('shows what the fixture expects, but for the content of the ledger', () => {
    const [block] = documentBlocks('docs/replay.md', 'yaml');
    const path = join(projectRoot, 'fixtures/debit-credit/expected.yaml');
    const expected = readFileSync(path, 'utf8').replaceAll(/, content: \w+/g, '');
    expect(parse(block!.text)).toEqual(parse(expected));
  });
});

describe('docs/exit-codes.md', () => {
  test('shows a document that fits the schema and whose rows add up', () => {
    const [block] = documentBlocks('docs/exit-codes.md', 'json');
    expect(addsUp(runDocument.parse(JSON.parse(block!.text)).rows)).toBe(true);
  });
});

function readdirOrRead(path: string): unknown {
  try {
    return readFileSync(path);
  } catch {
    return readdirSync(path);
  }
}
