import { createHash } from 'node:crypto';
import { escapeControl } from '../text/text.ts';

/** Markup that is safe to write into a page. Only `html` and `trusted` make it. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

/** A value in a template. Texts are escaped. Null and false print nothing. */
type Part = Html | string | number | null | false | readonly Part[];

/** A template whose texts are escaped, inside elements and inside quoted attributes alike. */
export function html(fixed: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(
    fixed.reduce(
      (all, text, index) => all + text + (index < parts.length ? markupOf(parts[index]!) : ''),
      '',
    ),
  );
}

/** Markup of a library that has escaped it. */
const trusted = (markup: string): Html => new Html(markup);

/** A sentence of the program, with its commands as code: they are between backticks. */
export function prose(text: string): Html {
  const parts = text.split('`');
  // A text of the platform may have one backtick.
  if (parts.length % 2 === 0) return html`${text}`;
  return html`${parts.map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`))}`;
}

/** A page that needs no network and no script: its policy has the hash of its style, so it can neither load nor run anything else. */
export function htmlPage(
  title: string,
  style: string,
  { header, main }: { header?: Html; main: Html },
): string {
  const hash = createHash('sha256').update(style).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <title>${title}</title>
        ${trusted(`<style>${style}</style>`)}
      </head>
      <body>
        <main>
          <header>
            <h1>${title}</h1>
            ${header ?? null}
          </header>
          ${main}
        </main>
      </body>
    </html> `;
  return page.markup;
}

function markupOf(part: Part): string {
  if (part === null || part === false) return '';
  if (part instanceof Html) return part.markup;
  if (typeof part === 'object') return part.map(markupOf).join('');
  return escapeControl(String(part)).replaceAll(/[&<>"'`]/g, (character) => ENTITIES[character]!);
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

/** A whole number or decimal text with commas between thousands. The digits stay. */
export function grouped(number: number | string): string {
  return String(number).replace(/^-?\d+/, (whole) => whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ','));
}

/** `1 request`, `1,200 requests`. */
export function countedInGroups(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}
