// Faults, with the words of --fault.
import { html, useRef, useState } from './htm.js';
import { call, get } from './api.js';
import {
  CommandLine,
  Data,
  Failure,
  Input,
  plural,
  quoted,
  Select,
  useAction,
  useLoaded,
  withCode,
} from './parts.js';

/** What may happen, each with a rule to begin with. */
const EXAMPLES = {
  'answered with 503': 'transactions accept status=503',
  'throttled: 429 with Retry-After': 'any accept status=429 retry-after=5',
  'the connection ends, nothing is stored': 'transactions accept reset',
  'stored, and the answer is lost': 'transactions after-commit reset nth=1',
  'stored after the connection ended': 'transactions accept late=1000',
  'delivered twice': 'transactions accept twice',
  'answered late': 'any accept delay=5000',
  'no answer, ever': 'any accept stall nth=1',
  'a page of a proxy in place of the answer': 'any accept html',
  'an answer that is cut': 'transactions after-commit truncate=120',
  'a result is left out': 'transactions after-commit missing',
  'one result fails': 'transactions before-commit failing',
  'all tokens expire': 'any accept expire-tokens nth=1',
};

/** The words of a rule, which a person changes. */
const WORDS =
  'Change its words: which requests (`any`, `notes`…), the moment (`accept`, `before-commit`, `after-commit`), what happens, and ' +
  'how often (`nth=3`, `times=3`, `p=0.1`). `account=1001` is for one account.';

export function Faults({ onChange }) {
  const { value, error, again } = useLoaded(() => get('faults'), [], 2_000);
  const [example, setExample] = useState('answered with 503');
  const [rule, setRule] = useState(EXAMPLES[example]);
  const heading = useRef(null);
  const done = () => {
    again();
    onChange();
  };
  const arm = useAction(async () => {
    await call('POST', 'faults', { rules: [rule] });
    return 'Armed.';
  }, done);
  const disarm = useAction(
    async (left) => {
      await call(left.length === 0 ? 'DELETE' : 'PUT', 'faults', { seed: value.seed, rules: left });
      return 'Disarmed.';
    },
    () => {
      done();
      // The button is gone with its fault.
      heading.current?.focus();
    },
  );
  const choose = (chosen) => {
    setExample(chosen);
    setRule(EXAMPLES[chosen]);
  };
  const rules = value?.rules ?? [];
  const without = (index) => rules.filter((_, other) => other !== index).map((each) => each.rule);
  return html`<section class=${`card ${value?.armed ? 'red' : ''}`} aria-labelledby="faults">
    <h2 id="faults" ref=${heading} tabindex="-1">Faults</h2>
    <${Failure} error=${error} />
    ${value && rules.length === 0 && html`<p class="soft">None armed: every request is answered as it should be.</p>`}
    ${
      rules.length > 0 &&
      html`<ul class="plain-list">
          ${rules.map(
            ({ rule: text, seen, hits, spent }, index) =>
              html`<li class="entry" key=${`${index} ${text}`}>
                <div class="line">
                  <code class=${spent ? 'soft' : 'bad'}><${Data} text=${text} /></code>
                  <button onClick=${() => disarm.run(without(index))} aria-label=${`Disarm ${text}`}>Disarm</button>
                </div>
                <span class="small soft"
                  >${seen === 0 ? 'no such request yet' : `met ${plural(seen, 'request')}, took ${hits}`}${spent ? ', spent' : ''}</span
                >
              </li>`,
          )}
        </ul>
        <div class="actions">
          <button class="danger" onClick=${() => disarm.run([])}>Disarm all</button>
        </div>
        <${CommandLine} line="dataimport admin faults clear" />`
    }
    ${disarm.shown}
    <form class="form" aria-label="A new fault" onSubmit=${arm.run}>
      <${Select}
        label="What happens"
        className="whole"
        value=${example}
        options=${Object.keys(EXAMPLES)}
        onChange=${choose}
      />
      <${Input} label="The rule" className="whole" value=${rule} onChange=${setRule} required />
      <p class="small soft">${withCode(WORDS)}</p>
      <button class="main" disabled=${arm.busy}>Arm</button>
    </form>
    ${arm.shown}
    <${CommandLine} line=${`dataimport admin faults add ${quoted(rule)}`} />
  </section>`;
}
