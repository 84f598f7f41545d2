import { html, useState } from './htm.js';
import { call, get, segment } from './api.js';
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
export function Rehearsal({ onFaults }) {
  return html`
    <h1>Rehearsal</h1>
    <p class="lead">
      Play the operator, and a bad night. Each card shows the command that does the same, for a script.
    </p>
    <div class="two">
      <${Faults} onChange=${onFaults} />
      <div class="stack">
        <${Clock} />
        <${ImportStates} />
        <${Suppliers} />
      </div>
    </div>
    <${Snapshots} />
    <${Reset} />
  `;
}

// ---- Clock

function Clock() {
  const { value, error, again } = useLoaded(() => get('clock'), [], 1_000);
  const [now, setNow] = useState('2026-10-25T00:30:00Z');
  const [hours, setHours] = useState('24');
  const act = useAction(async (path, body, said) => {
    await call('POST', `clock/${path}`, body);
    return said;
  }, again);
  const seconds = Number.isInteger(Number.parseInt(hours, 10)) ? Number.parseInt(hours, 10) * 3_600 : 0;
  return html`<section class="card" aria-labelledby="clock">
    <div class="head">
      <h2 id="clock">Clock</h2>
      ${value && html`<span class="mono">${value.now} <${Tag} kind=${value.mode === 'real' ? '' : 'warn'}>${value.mode}<//></span>`}
    </div>
    <${Failure} error=${error} />
    <div class="actions">
      <button onClick=${() => act.run('freeze', {}, 'Frozen.')}>Freeze</button>
      <button onClick=${() => act.run('resume', {}, 'Real time again.')}>Real time</button>
    </div>
    <form class="form" onSubmit=${(event) => (event.preventDefault(), act.run('set', { now }, 'Set.'))}>
      <${Input} label="Time in UTC" className="grow" value=${now} onInput=${setNow} />
      <button>Set</button>
    </form>
    <form
      class="form"
      onSubmit=${(event) => (event.preventDefault(), act.run('advance', { seconds }, 'Advanced.'))}
    >
      <${Input} label="Hours" className="grow" value=${hours} onInput=${setHours} inputmode="numeric" />
      <button>Advance</button>
    </form>
    ${act.shown}
    <details>
      <summary class="small">Commands</summary>
      <div class="stack">
        <${CommandLine} line="dataimport admin clock freeze" />
        <${CommandLine} line=${`dataimport admin clock set ${quoted(now)}`} />
        <${CommandLine} line=${`dataimport admin clock advance ${quoted(`${hours}h`)}`} />
        <${CommandLine} line="dataimport admin clock resume" />
      </div>
    </details>
  </section>`;
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
      line=${`dataimport admin account ${STEPS[state]} ${quoted(number || '1001')} --supplier ${quoted(code || 'ACME')}`}
    />
  </section>`;
}

// ---- Suppliers

function Suppliers() {
  const { value, error, again } = useLoaded(() => get('suppliers'), [], 0);
  const act = useAction(async (code, status) => {
    await call('PUT', `suppliers/${segment(code)}`, { status });
    return `${code} is ${status}.`;
  }, again);
  return html`<section class="card" aria-labelledby="suppliers">
    <h2 id="suppliers">Suppliers</h2>
    <${Failure} error=${error} />
    ${(value?.suppliers ?? []).map(
      ({ code, name, status, accounts }) =>
        html`<div class="entry">
          <div class="line">
            <span
              ><${Brief} text=${code} />${' '}
              <span class="soft"><${Brief} text=${name} />, ${plural(accounts, 'account')}</span></span
            >
          </div>
          <div class="form">
            <${Select}
              label=${`Status of ${code}`}
              value=${status}
              options=${['Ongoing', 'Paused', 'Complete']}
              onChange=${(chosen) => act.run(code, chosen)}
            />
          </div>
          <${CommandLine}
            line=${`dataimport admin supplier ${quoted(code)} --status ${status === 'Ongoing' ? 'Paused' : 'Ongoing'}`}
          />
        </div>`,
    )}
    ${act.shown}
  </section>`;
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
