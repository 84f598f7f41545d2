// Transactions that came again under their id with other content.
import { html } from './htm.js';
import { valueAt } from './json-text.js';
import { Brief, Data, plural } from './parts.js';

/** "2 already there", and how many of them came with other content. */
export function repetitionsText({ existing, conflicts }) {
  const differing = conflicts.length > 0 ? `, ${conflicts.length} with other content` : '';
  return `${existing} already there${differing}`;
}

/** What was sent beside what is stored. The values come from the bodies, if the log has them. */
export function Conflicts({ request }) {
  const { repetitions, request_body: body, response_body: answer } = request;
  if (!repetitions || repetitions.conflicts.length === 0) return null;
  const valueIn = (text, path) => (text === undefined ? undefined : valueAt(text, path));
  return html`<section class="card">
    <h2>Came again with other content</h2>
    <p>The platform answers such a record as one that it has already, and keeps what is stored.</p>
    <div class="wide" tabindex="0" role="region" aria-label="What was sent, and what is stored">
      <table>
        <caption>${plural(repetitions.conflicts.length, 'record')}</caption>
        <thead>
          <tr>
            <th scope="col">Record</th>
            <th scope="col">Field</th>
            <th scope="col">Sent</th>
            <th scope="col">Stored</th>
          </tr>
        </thead>
        <tbody>
          ${repetitions.conflicts.flatMap(({ index, id, fields }) =>
            fields.map(
              (field) =>
                html`<tr>
                  <th scope="row"><code><${Brief} text=${id} /></code></th>
                  <td><${Brief} text=${field} /></td>
                  <${Value} json=${valueIn(body, `transactions.${index}.${field}`)} has=${body !== undefined} />
                  <${Value} json=${valueIn(answer, `results.${index}.transaction_data.${field}`)} has=${answer !== undefined} />
                </tr>`,
            ),
          )}
        </tbody>
      </table>
    </div>
  </section>`;
}

function Value({ json, has }) {
  if (!has) return html`<td class="soft">not kept</td>`;
  return html`<td>${json === undefined ? html`<span class="soft">none</span>` : html`<code><${Data} text=${json} cut=${200} /></code>`}</td>`;
}
