import { html, useState } from './htm.js';
import { call, get, segment } from './api.js';
import { Clock } from './clock.js';
import { Faults } from './faults.js';
import {
  Brief,
  CommandLine,
  Confirm,
  Failure,
  Input,
  plural,
  quoted,
  Select,
  Tag,
  useAction,
  useLoaded,
} from './parts.js';
import { Snapshots } from './snapshots.js';

/** The actions of a person on the platform during a rehearsal, each with the command that does the same. */
export function Rehearsal({ onChange }) {
  return html`
    <h1>Rehearsal</h1>
    <p class="lead">
      Play the operator, and a bad night. Each card shows the command that does the same, for a script.
    </p>
    <div class="two">
      <${Faults} onChange=${onChange} />
      <div class="stack">
        <${Clock} onChange=${onChange} />
        <${ImportStates} />
        <${Suppliers} />
      </div>
    </div>
    <${Snapshots} />
    <${Reset} />
  `;
}

// ---- Import states

/** State → the word of the command. */
const STEPS = { staged: 'stage', in_progress: 'start', imported: 'import', failed: 'fail' };

function ImportStates() {
  const suppliers = useLoaded(() => get('suppliers'), [], 0);
  const [supplier, setSupplier] = useState('');
  const [number, setNumber] = useState('');
  const [state, setState] = useState('imported');
  const codes = (suppliers.value?.suppliers ?? []).map(({ code }) => code);
  const code = supplier || codes[0] || '';
  const act = useAction(async () => {
    await call('PUT', `accounts/${segment(code)}/${segment(number)}`, { state });
    return `${number} is ${state.replace('_', ' ')}.`;
  });
  return html`<section class="card" aria-labelledby="states">
    <h2 id="states">Import of an account</h2>
    <form class="form" onSubmit=${(event) => (event.preventDefault(), act.run())}>
      <${Select}
        label="Supplier"
        className="half grow"
        value=${code}
        options=${codes}
        onChange=${setSupplier}
      />
      <${Input} label="Account number" className="half grow" value=${number} onInput=${setNumber} required />
      <${Select}
        label="State"
        className="half grow"
        value=${state}
        options=${Object.keys(STEPS).map((name) => [name, name.replace('_', ' ')])}
        onChange=${setState}
      />
      <button disabled=${act.busy}>Set</button>
    </form>
    ${act.shown}
    <${CommandLine}
      line=${`dataimport admin account ${STEPS[state]} ${number ? quoted(number) : 'NUMBER'} --supplier ${quoted(code)}`}
    />
  </section>`;
}

// ---- Suppliers

function Suppliers() {
  const { value, error, again } = useLoaded(() => get('suppliers'), [], 0);
  return html`<section class="card" aria-labelledby="suppliers">
    <h2 id="suppliers">Suppliers</h2>
    <${Failure} error=${error} />
    ${(value?.suppliers ?? []).map((supplier) => html`<${Supplier} key=${supplier.code} of=${supplier} onChange=${again} />`)}
  </section>`;
}

function Supplier({ of: { code, name, status, accounts }, onChange }) {
  const [chosen, setChosen] = useState(status);
  const act = useAction(async () => {
    await call('PUT', `suppliers/${segment(code)}`, { status: chosen });
    return `${code} is ${chosen}.`;
  }, onChange);
  return html`<div class="entry">
    <div class="line">
      <span
        ><${Brief} text=${code} />${' '}
        <span class="soft"><${Brief} text=${name} />, ${plural(accounts, 'account')}</span></span
      >
      <${Tag} kind=${status === 'Ongoing' ? 'good' : 'warn'}>${status}<//>
    </div>
    <form class="form" onSubmit=${(event) => (event.preventDefault(), act.run())}>
      <${Select}
        label=${`Status of ${code}`}
        className="grow"
        value=${chosen}
        options=${['Ongoing', 'Paused', 'Complete']}
        onChange=${setChosen}
      />
      <button disabled=${act.busy}>Set<span class="unseen"> the status of ${code}</span></button>
    </form>
    ${act.shown}
    <${CommandLine} line=${`dataimport admin supplier ${quoted(code)} --status ${chosen}`} />
  </div>`;
}

// ---- Reset

function Reset() {
  const [isAsked, setAsked] = useState(false);
  const act = useAction(async () => {
    setAsked(false);
    await call('POST', 'reset');
    return 'Everything is as the seed says.';
  });
  return html`<section class="card" aria-labelledby="reset">
    <h2 id="reset">Reset</h2>
    <p>
      Drops all records and the log of requests, and goes back to the seed. Snapshots, clock and faults stay.
    </p>
    <div class="actions">
      <button class="danger" onClick=${() => setAsked(true)} disabled=${act.busy}>Reset</button>
    </div>
    ${act.shown}
    <${CommandLine} line="dataimport admin reset" />
    ${
      isAsked &&
      html`<${Confirm} title="Drop all records?" yes="Reset" onYes=${act.run} onNo=${() => setAsked(false)}>
        <p>Every record and the log of requests are dropped. Save a snapshot first if you need them.</p>
      <//>`
    }
  </section>`;
}
