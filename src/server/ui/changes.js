// The changes of a body, in words that fit a row and a column of a file.
import { html } from './htm.js';
import { recordOf } from './json-text.js';
import { Brief, count, Data } from './parts.js';

/** A change as it is listed: `before` is the body before it, `made` as `Fix` tells it. */
export function changeOf(before, { attrs, from, to }) {
  const [attr] = attrs;
  return { before, attr, record: recordOf(before, attr), others: attrs.length - 1, from, to };
}

export function Changes({ changes }) {
  return html`<ol class="changes">
    ${changes.map((change, index) => html`<li key=${index}><${Change} change=${change} /></li>`)}
  </ol>`;
}

function Change({ change: { attr, record, others, from, to, byHand } }) {
  if (byHand) return 'The whole body was edited by hand.';
  const more = others > 0 ? ` and ${count(others)} more` : '';
  const place =
    record &&
    html`${record.noun} ${record.id !== null && html`<code><${Brief} text=${record.id} /></code>`}${` (record ${count(record.index + 1)}${more})`}`;
  if (record?.field === '') return html`${place} left out`;
  const field = html`<code><${Data} text=${record?.field ?? attr} cut=${200} /></code>`;
  const shown = (json) => html`<code><${Data} text=${json} cut=${120} /></code>`;
  return html`${place && html`${place}: `}${field}${' '}
  ${to === null ? 'left out' : from === undefined ? html`= ${shown(to)} added` : html`from ${shown(from)} to ${shown(to)}`}`;
}
