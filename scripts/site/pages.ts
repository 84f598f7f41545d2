import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nextStepOf, sentenceOf } from '../../src/core/error-codes/sentence.ts';
import {
  entryOf,
  ERROR_CODES,
  isWarning,
  retryOf,
  type ErrorCode,
} from '../../src/core/error-codes/table.ts';
import { EXITS } from '../../src/cli/output/exit-codes.ts';
import { NO_ENDINGS, otherExit } from '../../src/cli/output/explanation.ts';
import { AUTHORITY_TEXT } from '../reference-pages.ts';

// The pages of the site, made of docs/, the README and the table of codes.

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The folder that VitePress reads. It is inside of tools/site, where the packages of the site are. */
export const STAGE = join(ROOT, 'tools', 'site', 'src');

const CODES = Object.keys(ERROR_CODES).toSorted() as ErrorCode[];

/** How many pages there are, and how many words they have. */
export interface StagedPages {
  readonly pages: number;
  readonly words: number;
}

/** Writes every page of the site, its configuration and the list at its side into a folder, in place of what it has. */
export function stagePages(stage: string): StagedPages {
  rmSync(stage, { recursive: true, force: true });
  mkdirSync(join(stage, '.vitepress'), { recursive: true });
  mkdirSync(join(stage, 'codes'));
  mkdirSync(join(stage, 'public'));
  cpSync(join(ROOT, 'tools', 'site', 'config.mjs'), join(stage, '.vitepress', 'config.mjs'));
  cpSync(join(ROOT, 'tools', 'site', 'theme'), join(stage, '.vitepress', 'theme'), { recursive: true });
  const texts = new Map<string, string>();
  for (const entry of readdirSync(join(ROOT, 'docs'), { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(join(ROOT, 'docs').length + 1);
    if (!entry.isFile()) continue;
    if (name.endsWith('.md')) texts.set(siteName(name), onSite(name, readFileSync(path, 'utf8')));
    else cpSync(path, join(stage, name), { recursive: true });
  }
  texts.set(markdown(FRONT), frontPage());
  for (const code of CODES) texts.set(`codes/${code}.md`, codePage(code));
  texts.set('codes.md', withLinkedCodes(texts.get('codes.md')!));
  for (const [name, text] of texts) {
    mkdirSync(dirname(join(stage, name)), { recursive: true });
    writeFileSync(join(stage, name), text);
  }
  writeFileSync(join(stage, 'sidebar.json'), JSON.stringify(sidebar()));
  const words = [...texts.values()].reduce((sum, text) => sum + text.split(/\s+/).length, 0);
  return { pages: texts.size, words };
}

/** The front page, and the first page of a folder. */
const FRONT = 'index';
const markdown = (page: string): string => `${page}.md`;

/** The list of pages has a name of its own, because the front page is another one. */
const siteName = (name: string): string =>
  name === 'README.md' ? markdown('pages') : name.replace(/README\.md$/, markdown(FRONT));

/** A page of docs/ with links that lead to pages of the site. What the site does not have is named without a link. */
function onSite(name: string, text: string): string {
  const folder = posix.dirname(name);
  return outsideOfCode(text, (part) =>
    part
      .replaceAll(
        /\[([^\]]+)\]\((?!https?:|#|mailto:)([^)#\s]+)(#[^)\s]*)?\)/g,
        (_, label, path, anchor = '') => {
          const target = posix.normalize(posix.join('docs', folder, path));
          if (target === 'README.md') return `[${label}](/${anchor})`;
          if (!target.startsWith('docs/') || !target.endsWith('.md')) return label;
          const page = siteName(target.slice('docs/'.length)).replace(/(?:index)?\.md$/, '');
          return `[${label}](/${page}${anchor})`;
        },
      )
      // The front page alone shows braces as a template.
      .replaceAll('{{', '&#123;&#123;'),
  );
}

/** Changes a text of Markdown, but not its code. */
function outsideOfCode(text: string, change: (part: string) => string): string {
  return text
    .split(/(^```[\s\S]*?^```$|`[^`\n]*`)/m)
    .map((part, index) => (index % 2 === 0 ? change(part) : part))
    .join('');
}

/** The table of all codes, each with a link to its own page. */
function withLinkedCodes(text: string): string {
  return text.replaceAll(/^\| `(\w+)` \|/gm, '| [`$1`](/codes/$1) |');
}

function codePage(code: ErrorCode): string {
  const { authority, status, exit } = entryOf(code);
  const other = otherExit(code);
  const ends = [exit, ...(other === null ? [] : [other])]
    .map((name) => EXITS[name])
    .toSorted((a, b) => a.code - b.code)
    .map(({ code: number, name, meaning }) => `${number} ${name}: ${meaning}`);
  const facts = [
    ['comes from', AUTHORITY_TEXT[authority]],
    ...(status === null ? [] : [['HTTP status', `${status}`]]),
    ['sent again', retryOf(code)],
    ['exit', isWarning(code) ? 'none, a warning' : ends.join('; ')],
  ];
  return [
    `# ${code}`,
    '',
    `${escaped(sentenceOf(code, NO_ENDINGS))}.`,
    '',
    ...facts.map(([name, value]) => `- **${name}**: ${escaped(value!)}`),
    '',
    '## Next step',
    '',
    escaped(nextStepOf(code, NO_ENDINGS)),
    '',
    `\`dataimport explain ${code}\` prints the same. [All codes](/codes)`,
    '',
  ].join('\n');
}

/** VitePress would take `<name>` for HTML, and braces for a template. */
const escaped = (text: string): string =>
  outsideOfCode(text, (part) => part.replaceAll('<', '&lt;').replaceAll('{{', '&#123;&#123;'));

/** The front page: one sentence, the three doors, a real terminal, and the pictures of the page and the report. */
function frontPage(): string {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const section = (title: string): string =>
    onSite(
      '../README.md',
      new RegExp(`^## ${title}\\n[\\s\\S]*?(?=^## |$(?![\\s\\S]))`, 'm').exec(readme)![0],
    );
  const [, says] = /^# dataimport\n\n([\s\S]*?)\n\n/.exec(readme)!;
  return [
    '---',
    'layout: home',
    'hero:',
    '  name: dataimport',
    `  tagline: ${JSON.stringify(says!.replaceAll('\n', ' '))}`,
    '  actions:',
    '    - { theme: brand, text: One file, link: /runs }',
    '    - { theme: alt, text: A cutover night, link: /night }',
    '    - { theme: alt, text: A local platform, link: /serve }',
    '---',
    '',
    '![A terminal: check, push and verify of a file, with their real output](/terminal.svg)',
    '',
    section('Three doors'),
    '![The page of the local platform, with its requests](/page.png)',
    '',
    '![The report of a migration](/report.png)',
    '',
    section('It stopped: what now'),
    section('Proofs').replace(/```sh[\s\S]*/, ''),
  ].join('\n');
}

/** The list of pages, in the groups of docs/README.md. */
function sidebar() {
  const list = readFileSync(join(ROOT, 'docs', 'README.md'), 'utf8');
  const groups = list.split(/^## /m).slice(1);
  return groups.map((group) => ({
    text: group.split('\n')[0],
    items: [...group.matchAll(/^\| \[([^\]]+)\]\(([^)]+\.md)\)/gm)].map(([, text, file]) => ({
      text: basename(text!, '.md'),
      link: `/${siteName(file!).replace(/(?:index)?\.md$/, '')}`,
    })),
  }));
}
