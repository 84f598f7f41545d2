import { html, type Html } from '../../output/formats/html.ts';
import type { VerifiedPart } from '../verification-schema.ts';

/** A table of figures: texts first, then right-aligned figures. */
interface FigureTable {
  readonly caption: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly (Html | string)[])[];
  readonly total?: readonly (Html | string)[];
  /** Columns of text at the left. A phone scrolls a table with more than one. Default: 1. */
  readonly texts?: number;
}

/** A table that scrolls by itself where the screen is narrow, also with the keyboard. */
export function figureTable({ caption, head, rows, total, texts = 1 }: FigureTable): Html {
  const cell = (content: Html | string, index: number): Html => {
    if (index === 0) return html`<th scope="row">${content}</th>`;
    return index < texts ? html`<td>${content}</td>` : html`<td class="number">${content}</td>`;
  };
  return html`<div class="scroll" role="group" aria-label="${caption}" tabindex="0">
    <table class="${texts > 1 ? 'texts' : 'short'}">
      <caption>
        ${caption}
      </caption>
      <thead>
        <tr>
          ${head.map((label, index) => html`<th scope="col" ${index >= texts && html` class="number"`}>${label}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${row.map(cell)}
            </tr>`,
        )}
      </tbody>
      ${
        total !== undefined &&
        html`<tfoot>
          <tr>
            ${total.map(cell)}
          </tr>
        </tfoot>`
      }
    </table>
  </div>`;
}

const NAMED_FILES = 3;

/** `transactions (june.csv)` */
export function resourceWords({ resource, files }: Pick<VerifiedPart, 'resource' | 'files'>): string {
  const names = [...new Set(files.map(({ name }) => name))];
  const more = names.length > NAMED_FILES ? ` and ${names.length - NAMED_FILES} more` : '';
  return `${resource} (${names.slice(0, NAMED_FILES).join(', ')}${more})`;
}
