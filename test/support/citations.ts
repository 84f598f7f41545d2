import { posix } from 'node:path';
import { parsed, type SourceFile } from './source-tree.ts';

/** The name of a page or a file in a text, and the parts of the page that the text names. */
export interface Citation {
  /** As written, on one line. */
  readonly text: string;
  /** The page or file without what follows it. */
  readonly path: string;
  readonly parts: readonly CitedPart[];
}

export interface CitedPart {
  readonly kind: 'section' | 'rule' | 'words' | 'title' | 'anchor' | 'id';
  readonly name: string;
  /** Number of the section that has the rule or the words. */
  readonly section?: string;
}

/** The parts of a page that can be cited. */
export interface CitedPage {
  readonly titles: readonly string[];
  readonly anchors: readonly string[];
  /** The text below each numbered heading, up to the next heading, by the number. */
  readonly sections: ReadonlyMap<string, string>;
  /** Ids of bad inputs, in the order of the page. */
  readonly ids: readonly string[];
}

export interface CitedTree {
  /** By the paths of the pages. */
  readonly pages: ReadonlyMap<string, CitedPage>;
  /** Paths of all files. */
  readonly files: ReadonlySet<string>;
}

/** The page whose sections are cited by number, and the page whose rows are cited by id. */
const NUMBERED = 'interface.md';
const REGISTER = 'bad-inputs.md';

const PAGE = /(?<![\w/.@~-])((?:[\w.-]+\/)*[\w-]+\.md)(?!\w)(?:#([\w-]+))?/g;
const OWN_ANCHOR = /\]\((#([\w-]+))\)/g;
const NUMBER = String.raw`\d{1,2}(?:\.\d{1,2})?(?!\.?\d)`;
const NUMBERS = new RegExp(`^ (${NUMBER}(?:(?:, | and | to )${NUMBER})*)`);
const RULES = /^, rules? (\d+(?:(?:, | and | to )\d+)*)/;
const IDS = /^ ([HJSC]\d{0,3}(?:(?:, | and | to )[HJSC]\d{2,3})*)(?!\w)/;
const TITLES = /^,? \\?"([^"\\]+)\\?"(?: and \\?"([^"\\]+)\\?")?/;

const MODULE =
  /(`?)(?<![\w/.@~>*-])((?:\.{1,2}\/)*(?:[\w.-]+\/)*[\w-][\w.-]*\.(?:([cm]?ts|[cm]js)|js))(?![\w/-]|\.\w)(`?)/g;
const ROOTED =
  /(?<![\w/.@~>*-])(?:\.\.\/)*((?:docs|fixtures|scripts|src|test|tools|core|cli|server)\/[\w./-]*\w)(?!\/?[\w*…-])/g;
/** A package, files of the built package below `dist`, a page that GitHub Actions asks for, and examples. */
const NO_FILE = /^(?:big\.js|(?:dist\/)?(?:cli|server)\/\w+\.m?js|summary\.md|(?:\.\/)?\w\.\w+)$/;

/** The citations of pages in a text, such as `interface.md 4.2, rule 3` or `operating.md, "Clock"`. */
export function pageCitations(text: string): readonly Citation[] {
  const line = onOneLine(text);
  const own = [...line.matchAll(OWN_ANCHOR)].map(([, written, name]) => ({
    text: written!,
    path: '',
    parts: [{ kind: 'anchor', name: name! } as const],
  }));
  const others = [...line.matchAll(PAGE)].filter(([, path = '']) => !NO_FILE.test(path));
  return [...others.map((match) => pageCitation(line, match)), ...own];
}

function pageCitation(line: string, match: RegExpExecArray): Citation {
  const [written, path = '', anchor] = match;
  const parts: CitedPart[] = anchor === undefined ? [] : [{ kind: 'anchor', name: anchor }];
  let end = match.index + written.length;
  const next = (pattern: RegExp): readonly string[] => {
    const found = pattern.exec(line.slice(end, end + 200));
    end += found?.[0].length ?? 0;
    return (found ?? []).slice(1).filter((part) => part !== undefined);
  };
  if (path.endsWith(NUMBERED)) {
    for (const number of next(NUMBERS).flatMap(listed)) parts.push(sectionOrRule(number, parts.at(-1)));
    const section = parts.at(-1)?.name ?? '';
    for (const name of next(RULES).flatMap(listed)) parts.push({ kind: 'rule', name, section });
  }
  if (path.endsWith(REGISTER)) for (const name of next(IDS).flatMap(listed)) parts.push({ kind: 'id', name });
  const section = parts.find(({ kind }) => kind === 'section')?.name;
  for (const name of next(TITLES))
    parts.push(section === undefined ? { kind: 'title', name } : { kind: 'words', name, section });
  return { text: line.slice(match.index, end), path, parts };
}

/** `interface.md 5, 2` is rule 2 of section 5; `interface.md 4.3, 3.3` is two sections. */
function sectionOrRule(number: string, before: CitedPart | undefined): CitedPart {
  const section = before?.section ?? before?.name;
  return section === undefined || section.includes('.') || number.includes('.')
    ? { kind: 'section', name: number }
    : { kind: 'rule', name: number, section };
}

/**
 * The files and folders that a comment or a page names: modules, and every path that begins in a folder of the project.
 * The name of another kind of file, such as `seed.yaml`, belongs to a user.
 */
export function fileCitations(text: string): readonly Citation[] {
  const line = onOneLine(text);
  const modules = [...line.matchAll(MODULE)]
    .filter(
      ([, open, path = '', ending, close]) =>
        ending !== undefined || path.includes('/') || (open === '`' && close === '`'),
    )
    .map(([, , path = '']) => path);
  const rooted = [...line.matchAll(ROOTED)]
    .map(([, path = '']) => path)
    .filter((path) => !path.endsWith('.md'));
  return [...new Set([...modules, ...rooted])]
    .filter((path) => !NO_FILE.test(path))
    .map((path) => ({ text: path, path, parts: [] }));
}

/** The ids of bad inputs that titles of tests have, such as `[H12]` or `[C050, C051]`. */
export function idsInTitles(text: string): readonly string[] {
  return [...text.matchAll(/\[([HJSC]\d{2,3}(?:, [HJSC]\d{2,3})*)\]/g)].flatMap(([, ids = '']) =>
    listed(ids),
  );
}

export function citedPage(text: string): CitedPage {
  const prose = withoutFences(text);
  const headings = [...prose.matchAll(/^#+ (.*)\n([^]*?)(?=^#|(?![^]))/gm)].map(
    ([, title = '', below = '']) => ({
      title: title.replaceAll('`', ''),
      below,
    }),
  );
  return {
    titles: headings.map(({ title }) => title),
    anchors: headings.map(({ title }) => anchorOf(title)),
    sections: new Map(
      headings.flatMap(({ title, below }) => {
        const number = /^(\d+(?:\.\d+)?)\.? /.exec(title)?.[1];
        return number === undefined ? [] : [[number, below]];
      }),
    ),
    ids: [...prose.matchAll(/^\| ([HJSC]\d{2,3}) +\|/gm)].map(([, id = '']) => id),
  };
}

/**
 * The citations that do not resolve, as they were written. `citing` is the path of the file that has them. A page resolves
 * beside that file, in the root, in docs and in docs/spec; a file by the end of its path, and a folder likewise.
 */
export function unresolved(
  citations: readonly Citation[],
  citing: string,
  { pages, files }: CitedTree,
): readonly string[] {
  const folders = [posix.dirname(citing), '.', 'docs', 'docs/spec'];
  const nearby = (path: string): string | undefined =>
    path === '' ? citing : folders.map((folder) => posix.join(folder, path)).find((at) => files.has(at));
  const isPage = ({ path, parts }: Citation): boolean => {
    const at = nearby(path);
    const page = pages.get(at ?? '');
    return at !== undefined && parts.every((part) => page !== undefined && isOnPage(part, page));
  };
  const isFile = ({ path }: Citation): boolean => {
    const end = `/${path.replace(/^\.\//, '')}`;
    return nearby(path) !== undefined || ['\n', '/', '.'].some((next) => listOf(files).includes(end + next));
  };
  return citations
    .filter((citation) => !(/\.md$|^$/.test(citation.path) ? isPage(citation) : isFile(citation)))
    .map(({ text }) => text);
}

/** Lists of paths by their sets, each path between a slash and a line break. */
const LISTS = new WeakMap<ReadonlySet<string>, string>();

function listOf(files: ReadonlySet<string>): string {
  const list = LISTS.get(files) ?? [...files].map((file) => `/${file}\n`).join('');
  LISTS.set(files, list);
  return list;
}

function isOnPage({ kind, name, section = '' }: CitedPart, page: CitedPage): boolean {
  const text = page.sections.get(section) ?? '';
  switch (kind) {
    case 'section':
      return page.sections.has(name);
    case 'rule':
      return new RegExp(`^${name}\\. `, 'm').test(text);
    case 'words':
      return onOneLine(text).includes(name);
    case 'title':
      return page.titles.includes(name.replaceAll('`', ''));
    case 'anchor':
      return page.anchors.includes(name);
    case 'id':
      // A letter alone cites a whole group.
      return page.ids.some((id) => id === name || id[0] === name);
  }
}

/** The comments of a source file, one below the other. */
export function commentsOf({ path, text }: SourceFile): string {
  return parsed({ path, text })
    .comments.map(({ start, end }) => text.slice(start, end))
    .join('\n');
}

/** A page without its fenced blocks. A block without a language is a drawing, which stays. */
export function withoutFences(text: string): string {
  return text.replaceAll(/^```\w[^]*?^```$/gm, '');
}

/** Joins the lines of a text, without the marks that begin the lines of a comment. */
function onOneLine(text: string): string {
  return text.replaceAll(/\n\s*(?:\*(?!\/)|\/\/+)?\s*/g, ' ');
}

function listed(list: string): readonly string[] {
  return list.split(/, | and | to /);
}

/** The anchor that renderers of Markdown give to a heading. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}
