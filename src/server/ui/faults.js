// Faults, with the words of --fault.
import { html, useState } from './htm.js';
import { call, get } from './api.js';
import {
  CommandLine,
  count,
  Data,
  Failure,
  Input,
  plural,
  quoted,
  Select,
  useAction,
  useLoaded,
} from './parts.js';

const TARGETS = [
  'any',
  'records',
  'notes',
  'transactions',
  'statements',
  'payment-instructions',
  'token',
  'status',
  'lists',
];
const PHASES = [
  ['accept', 'accept: nothing is judged'],
  ['before-commit', 'before-commit: nothing is stored'],
  ['after-commit', 'after-commit: all is stored'],
];
/** Effects with the number or text that they take, and the phases that have them. */
const EFFECTS = [
  ['status=503', 'status'],
  ['reset', 'reset: the connection ends'],
  ['stall', 'stall: no answer, ever'],
  ['delay=5000', 'delay in ms'],
  ['html', 'html: a page in between'],
  ['empty', 'empty: no body'],
  ['status=429 retry-after=5', 'throttled'],
  ['expire-tokens', 'expire-tokens (accept)'],
  ['truncate=120', 'truncate after bytes (after-commit)'],
  ['missing', 'missing: a result (after-commit)'],
  ['doubled', 'doubled: a result (after-commit)'],
  ['reordered', 'reordered results (after-commit)'],
  ['failing', 'failing: one result'],
];
const OFTEN = [
  ['', 'always'],
  ['nth=1', 'the n-th request'],
  ['every=10', 'every n-th'],
  ['times=3', 'n times'],
  ['p=0.1', 'by chance'],
  ['attempt=1', 'the n-th attempt of a body'],
];

export function Faults({ onChange }) {
  const { value, error, again } = useLoaded(() => get('faults'), [], 2_000);
  const [on, setOn] = useState('transactions');
  const [when, setWhen] = useState('accept');
  const [effect, setEffect] = useState('status=503');
  const [often, setOften] = useState('');
  const [account, setAccount] = useState('');
  const [typed, setTyped] = useState(null);
  const built = [on, when, effect, often, account && `account=${quoted(account)}`]
    .filter((word) => word !== '')
    .join(' ');
  const rule = typed ?? built;
  const done = () => {
    again();
    onChange();
  };
  const arm = useAction(async () => {
    await call('POST', 'faults', { rules: [rule] });
    return 'Armed.';
  }, done);
  const disarm = useAction(async (left) => {
    await call(left.length === 0 ? 'DELETE' : 'PUT', 'faults', { seed: value.seed, rules: left });
    return 'Disarmed.';
  }, done);
  const pick = (set) => (chosen) => {
    setTyped(null);
    set(chosen);
  };
  const rules = value?.rules ?? [];
  return html`<section class=${`card ${value?.armed ? 'red' : ''}`} aria-labelledby="faults">
    <h2 id="faults">Faults</h2>
    <${Failure} error=${error} />
    ${
      rules.length > 0 &&
      html`<ul class="plain-list">
        ${rules.map(
          ({ rule: text, seen, hits, spent }, index) =>
            html`<li class="entry" key=${`${index} ${text}`}>
              <div class="line">
                <code class=${spent ? 'soft' : 'bad'}><${Data} text=${text} /></code>
                <button
                  onClick=${() => disarm.run(rules.filter((_, other) => other !== index).map((each) => each.rule))}
                  aria-label=${`Disarm ${text}`}
                >
                  Disarm
                </button>
              </div>
              <span class="small soft"
                >asked ${count(seen)} times, ${plural(hits, 'hit')}${spent ? ', spent' : ''}</span
              >
            </li>`,
        )}
      </ul>`
    }
    ${
      rules.length > 0 &&
      html`<div class="actions">
          <button class="danger" onClick=${() => disarm.run([])}>Disarm all</button>
        </div>
        <${CommandLine} line="dataimport admin faults clear" />`
    }
    ${rules.length === 0 && html`<p class="soft">None armed: every request is answered as it should be.</p>`}
    ${disarm.shown}
    <form
      class="form"
      aria-label="A new fault"
      onSubmit=${(event) => {
        event.preventDefault();
        void arm.run();
      }}
    >
      <${Select}
        label="Which requests"
        className="pair"
        value=${on}
        options=${TARGETS}
        onChange=${pick(setOn)}
      />
      <${Select} label="When" className="pair" value=${when} options=${PHASES} onChange=${pick(setWhen)} />
      <${Select}
        label="What happens"
        className="pair"
        value=${effect}
        options=${EFFECTS}
        onChange=${pick(setEffect)}
      />
      <${Select}
        label="How often"
        className="pair"
        value=${often}
        options=${OFTEN}
        onChange=${pick(setOften)}
      />
      <${Input} label="Only this account" className="whole" value=${account} onInput=${pick(setAccount)} />
      <label class="whole"
        >The rule, to be changed by hand<input
          class="mono"
          value=${rule}
          onInput=${(event) => setTyped(event.target.value)}
          spellcheck=${false}
          autocomplete="off"
      /></label>
      <button class="main" disabled=${arm.busy}>Arm</button>
    </form>
    ${arm.shown}
    <${CommandLine} line=${`dataimport admin faults add ${quoted(rule)}`} />
  </section>`;
}
