import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stagePages } from '../../scripts/site/pages.ts';
import { ERROR_CODES } from '../../src/core/error-codes/table.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

function staged() {
  const folder = temporaryFolder();
  const { pages } = stagePages(folder);
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  );
  const texts = new Map(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
  return { folder, pages, texts };
}

test('each code has a page of its own, and the table of all codes leads to it', () => {
  const { pages, texts } = staged();
  const codes = Object.keys(ERROR_CODES);
  expect(pages).toBe(texts.size);
  expect(pages).toBeGreaterThan(codes.length);
  const table = texts.get('codes.md')!;
  for (const code of codes) {
    expect(texts.get(`codes/${code}.md`)).toMatch(new RegExp(`^# ${code}\n[^]*^## Next step$`, 'm'));
    expect(table).toContain(`](/codes/${code})`);
  }
});

test('each link inside of the site leads to a page that it has', () => {
  const { folder, texts } = staged();
  const isThere = (path: string): boolean =>
    [path, join(path, 'index')]
      .map((each) => `${each}.md`)
      .concat(path)
      .some((name) => existsSync(join(folder, name)));
  const dead = [...texts].flatMap(([name, text]) =>
    [...text.matchAll(/\]\(\/([^)#]*)(?:#[^)]*)?\)/g)]
      .map(([, path]) => path!)
      .filter((path) => !/\.(?:svg|png)$/.test(path) && !isThere(path === '' ? 'index' : path))
      .map((path) => `${name}: ${path}`),
  );
  expect(dead).toEqual([]);
});

test('each page of docs is in the list at the side', () => {
  const { folder, texts } = staged();
  const sidebar = JSON.parse(readFileSync(join(folder, 'sidebar.json'), 'utf8')) as readonly {
    readonly items: readonly { readonly link: string }[];
  }[];
  const listed = sidebar.flatMap(({ items }) => items.map(({ link }) => link));
  const own = [...texts.keys()].filter(
    (name) => !/^codes\/|^index\.md$|^pages\.md$|^serve\/|^spec\//.test(name),
  );
  expect(listed).toEqual(expect.arrayContaining(own.map((name) => `/${name.replace(/\.md$/, '')}`)));
});
