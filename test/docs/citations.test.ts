import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  citedPage,
  commentsOf,
  fileCitations,
  idsInTitles,
  pageCitations,
  unresolved,
  withoutFences,
  type Citation,
  type CitedTree,
} from '../support/citations.ts';
import { projectRoot, sourceFiles } from '../support/source-tree.ts';

const REGISTER = 'docs/spec/bad-inputs.md';

const EXAMPLE: CitedTree = {
  pages: new Map(
    Object.entries({
      'docs/spec/interface.md':
        '# The interface\n## 4. Endpoints\n### 4.2 POST notes/create\n1. A body.\n2. A time.\n### 4.3 POST\nSent as a\nnumber.\n## 5. Tokens\n1. One.\n',
      'docs/spec/bad-inputs.md': '# Bad inputs\n## General pass rule\n| H12 | x |\n| C001  | y |\n',
      'docs/serve.md':
        '# The platform\n```yaml\n# Not a heading\n```\n## What `serve` refuses\n[up](#the-platform)\n',
      'README.md': '# Read me\n',
    }).map(([path, text]) => [path, citedPage(text)]),
  ),
  files: new Set([
    'README.md',
    'docs/serve.md',
    'docs/spec/bad-inputs.md',
    'docs/spec/interface.md',
    'fixtures/small/seed.yaml',
    'src/server/start.ts',
    'test/docs/citations.test.ts',
  ]),
};

describe('a citation of a page', () => {
  const written = ({ text, parts }: Citation): readonly string[] => [
    text,
    ...parts.map(({ kind, section, name }) => [kind, section, name].filter(Boolean).join(' ')),
  ];

  test.each([
    ['(interface.md 4.3)', 'interface.md 4.3', 'section 4.3'],
    ['interface.md 4.3: an amount', 'interface.md 4.3', 'section 4.3'],
    ['interface.md 4.2 and 4.3 say', 'interface.md 4.2 and 4.3', 'section 4.2', 'section 4.3'],
    ['interface.md 4.2, 4.3, 404', 'interface.md 4.2, 4.3', 'section 4.2', 'section 4.3'],
    ['interface.md 4.2 to 4.3', 'interface.md 4.2 to 4.3', 'section 4.2', 'section 4.3'],
    ['interface.md 4.2, rule 1.', 'interface.md 4.2, rule 1', 'section 4.2', 'rule 4.2 1'],
    [
      'interface.md 4.2, rules 1 and 2',
      'interface.md 4.2, rules 1 and 2',
      'section 4.2',
      'rule 4.2 1',
      'rule 4.2 2',
    ],
    ['interface.md 5, 1', 'interface.md 5, 1', 'section 5', 'rule 5 1'],
    [
      'interface.md 4.3, "as a number"',
      'interface.md 4.3, "as a number"',
      'section 4.3',
      'words 4.3 as a number',
    ],
    ['the docs/serve.md 4 times', 'docs/serve.md'],
    ['serve.md, "A" and "B", say', 'serve.md, "A" and "B"', 'title A', 'title B'],
    ['\'serve.md, \\"A\\"\'', 'serve.md, \\"A\\"', 'title A'],
    ['[x](../serve.md#a-b)', '../serve.md#a-b', 'anchor a-b'],
    ['[x](#a-b)', '#a-b', 'anchor a-b'],
    ['bad-inputs.md H12, C001', 'bad-inputs.md H12, C001', 'id H12', 'id C001'],
    ['bad-inputs.md J; bad-inputs', 'bad-inputs.md J', 'id J'],
    ['/** As serve.md,\n * "A" says */', 'serve.md, "A"', 'title A'],
    ['// As interface.md\n  // 4.3 says', 'interface.md 4.3', 'section 4.3'],
  ])('is found in: %s', (text, ...expected) => {
    expect(pageCitations(text).map(written)).toEqual([expected]);
  });

  test.each(['/tmp/x/serve.md', '~/serve.md', 'serve.mdx', '`summary.md`', 'example@serve.md'])(
    'is not found in: %s',
    (text) => {
      expect(pageCitations(text)).toEqual([]);
    },
  );

  test.each([
    'interface.md 4.2, rules 1 and 2; interface.md 5, rule 1; interface.md 4.2 to 4.3',
    'interface.md 4.3, "Sent as a number"',
    'bad-inputs.md, "General pass rule"; bad-inputs.md H12, C001; bad-inputs.md H',
    'serve.md, "What `serve` refuses"; docs/serve.md#what-serve-refuses',
    '../../README.md',
    'README.md, "Read me"',
  ])('resolves: %s', (text) => {
    expect(unresolved(pageCitations(text), 'docs/spec/interface.md', EXAMPLE)).toEqual([]);
  });

  test.each([
    'interface.md 4.4',
    'interface.md 4.2 to 4.9',
    'interface.md 4.2, rule 3',
    'interface.md 4, rule 1',
    'interface.md 5, 2',
    'interface.md 4.2, "Sent as a number"',
    'serve.md, "Not a heading"',
    'serve.md#faults',
    'bad-inputs.md H13',
    'bad-inputs.md S',
    'gone.md',
    'src/serve.md',
    '#tokens',
  ])('does not resolve: %s', (text) => {
    const line = text.startsWith('#') ? `[x](${text})` : text;
    expect(unresolved(pageCitations(line), 'docs/spec/bad-inputs.md', EXAMPLE)).toEqual([text]);
  });

  test('resolves on its own page', () => {
    expect(unresolved(pageCitations('[up](#the-platform)'), 'docs/serve.md', EXAMPLE)).toEqual([]);
  });
});

describe('a citation of a file', () => {
  test.each([
    ['see src/server/start.ts, and', ['src/server/start.ts']],
    ['see server/start.ts:12', ['server/start.ts']],
    ['see start.ts.', ['start.ts']],
    ['`start.ts` and ./start.ts', ['start.ts', './start.ts']],
    ['`gone.js`, gone.mjs', ['gone.js', 'gone.mjs']],
    ['the folder src/server, or src/server/, or core/rules', ['src/server', 'core/rules']],
    ['../fixtures/small/seed.yaml', ['fixtures/small/seed.yaml']],
  ])('is found in: %s', (text, paths) => {
    expect(fileCitations(text).map(({ path }) => path)).toEqual(paths);
  });

  test.each([
    '`seed.yaml`, `transactions.csv`, `x.csv.map.yaml`, dataimport.config.yaml, /_local/openapi.json',
    'Node.js, `big.js`, https://platform.example/src/start.ts, ~/start.ts, cli/encoding-….ts, src/cli/*.ts, src/{core,cli}, test/…, server/public.mjs',
  ])('is not found in: %s', (text) => {
    expect(fileCitations(text)).toEqual([]);
  });

  test('resolves by its whole path, by the end of it, or by its name', () => {
    const text =
      'src/server/start.ts, server/start.ts, start.ts, ./citations.test.ts, ../../src/server/start.ts, server/start, src/server';
    expect(unresolved(fileCitations(text), 'test/docs/a.ts', EXAMPLE)).toEqual([]);
  });

  test('does not resolve when there is no such file', () => {
    const text =
      'src/start.ts, server/starts.ts, art.ts, ../server/start.ts, fixtures/seed.yaml, src/serve, server/star';
    expect(unresolved(fileCitations(text), 'test/docs/a.ts', EXAMPLE)).toEqual(text.split(', '));
  });
});

test('a string or a pattern that looks like a comment is none', () => {
  const text = [
    "const a = 'ü // 1'; // 2",
    'const b = `/* ${"// 3"} */`; /** 4 */',
    'const c = /\\/\\*5/; /* 6 */',
    "const d = 'https://x'; // it's 7",
  ].join('\n');
  const comments = ['// 2', '/** 4 */', '/* 6 */', "// it's 7"];
  expect(commentsOf({ path: 'a.ts', text })).toBe(comments.join('\n'));
});

test('ids of bad inputs are found in titles', () => {
  expect(idsInTitles("['[H12] a', 'b [C050, C051]', '[A1]', '[S1]']")).toEqual(['H12', 'C050', 'C051']);
});

test('fenced code of a page is left out, and a drawing is kept', () => {
  expect(withoutFences('a\n```ts\nb.ts\n```\n```\nc.ts\n```\n')).toBe('a\n\n```\nc.ts\n```\n');
});

describe('in the repository', () => {
  const files = filesBelow('.');
  const pages = files.filter((path) => path.endsWith('.md'));
  const read = (path: string): string => readFileSync(join(projectRoot, path), 'utf8');
  const tree: CitedTree = {
    pages: new Map(pages.map((path) => [path, citedPage(read(path))])),
    files: new Set(files),
  };
  const sources = ['bin', 'scripts', 'src', 'test', 'tools']
    .flatMap((folder) => sourceFiles(folder).map(({ path, text }) => ({ path: `${folder}/${path}`, text })))
    // The examples above are citations of pages that do not exist.
    .filter(({ path }) => path !== 'test/docs/citations.test.ts');

  test('every citation of a page, a section or a file resolves', () => {
    const ofPages = pages
      .filter((path) => path !== 'CHANGELOG.md')
      .map((path) => ({
        path,
        citations: [...pageCitations(read(path)), ...fileCitations(withoutFences(read(path)))],
      }));
    const ofSources = sources.map((file) => ({
      path: file.path,
      citations: [...pageCitations(file.text), ...fileCitations(commentsOf(file))],
    }));
    const ofData = files
      .filter((path) => /^(?:fixtures|scripts|src|test)\/.*\.(?:json|ya?ml|sh)$/.test(path))
      .map((path) => ({ path, citations: pageCitations(read(path)) }));
    const found = [...ofPages, ...ofSources, ...ofData]
      .map(
        ({ path, citations }) => [path, [...new Set(unresolved(citations, path, tree))].toSorted()] as const,
      )
      .filter(([, texts]) => texts.length > 0);
    expect(Object.fromEntries(found)).toEqual({});
  });

  test('every bad input of the register has a test that names it, and no test names another', () => {
    const { ids } = tree.pages.get(REGISTER)!;
    const tested = new Set(
      sources.flatMap(({ path, text }) => (path.endsWith('.test.ts') ? idsInTitles(text) : [])),
    );
    expect([...tested].toSorted()).toEqual(ids.toSorted());
  });

  test('the ids of bad inputs have no gap', () => {
    const { ids } = tree.pages.get(REGISTER)!;
    const numbers = Map.groupBy(ids, (id) => id[0]);
    for (const group of numbers.values())
      expect(group.map((id) => id.slice(1))).toEqual(
        group.map((id, index) => String(index + 1).padStart(id.length - 1, '0')),
      );
  });
});

/** Paths of the files of the project, without what is installed or built. */
function filesBelow(folder: string): readonly string[] {
  return readdirSync(join(projectRoot, folder), { withFileTypes: true })
    .filter(({ name }) => !['node_modules', 'dist', 'coverage', '.git', '.dataimport'].includes(name))
    .flatMap((entry) => {
      const path = folder === '.' ? entry.name : `${folder}/${entry.name}`;
      return entry.isDirectory() ? filesBelow(path) : [path];
    });
}
