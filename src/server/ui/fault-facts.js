// The faults that took a request.
import { html } from './htm.js';
import { Data } from './parts.js';

/** Among the facts of a request: its faults, and where they are disarmed. */
export function FaultFacts({ request: { faults = [], by_fault: isByFault } }) {
  if (faults.length === 0) return null;
  return html`<dt>${isByFault ? 'Answered by' : 'Changed by'}</dt>
    <dd>
      ${faults.map(({ rule }) => html`<div class="bad">the fault <code><${Data} text=${rule} /></code></div>`)}
      <span class="soft"
        >${isByFault && 'The request itself need not be wrong. '}Faults are armed and disarmed under${' '}
        <a href="#/rehearsal">Rehearsal</a>.</span
      >
    </dd>`;
}
