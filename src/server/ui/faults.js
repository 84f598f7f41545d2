// Faults, with the words of --fault.
import { html, useRef, useState } from './htm.js';
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

/** Effects. `takes` is the name of its number and a usual one, `when` are its phases. Default: no number, every phase. */
const EFFECTS = {
  status: { title: 'an answer with a status', takes: ['Status', '503'] },
  throttled: { title: 'throttled: 429 with Retry-After', takes: ['Retry after seconds', '5'] },
  reset: { title: 'reset: the connection ends' },
  stall: { title: 'stall: no answer, ever' },
  delay: { title: 'delay of the answer', takes: ['Milliseconds', '5000'] },
  late: {
    title: 'late: stored after the connection ended',
    takes: ['Milliseconds', '1000'],
    when: ['accept'],
  },
  twice: { title: 'twice: delivered a second time', when: ['accept'] },
  html: { title: 'html: a page in between' },
  empty: { title: 'empty: no body' },
  'expire-tokens': { title: 'expire-tokens', when: ['accept'] },
  truncate: { title: 'truncate: the answer is cut', takes: ['Bytes', '120'], when: ['after-commit'] },
  missing: { title: 'missing: a result is left out', when: ['after-commit'] },
  doubled: { title: 'doubled: a result is repeated', when: ['after-commit'] },
  reordered: { title: 'reordered results', when: ['after-commit'] },
  failing: { title: 'failing: one result', when: ['before-commit', 'after-commit'] },
};

/** Conditions, each with its number. */
const OFTEN = {
  always: { title: 'always' },
  nth: { title: 'the n-th request', takes: ['n', '1'] },
  every: { title: 'every n-th', takes: ['n', '10'] },
  times: { title: 'n times', takes: ['n', '3'] },
  p: { title: 'by chance', takes: ['Probability', '0.1'] },
  attempt: { title: 'the n-th attempt of a body', takes: ['n', '1'] },
};

const optionsOf = (choices) => Object.entries(choices).map(([name, { title }]) => [name, title]);

/** The words of a rule. */
function ruleOf({ on, when, effect, number, often, n, account }) {
  const effectWords =
    effect === 'throttled' ? `status=429 retry-after=${number}` : word(EFFECTS, effect, number);
  const oftenWords = often === 'always' ? '' : word(OFTEN, often, n);
  const words = [on, when, effectWords, oftenWords, account && `account=${quoted(account)}`];
  return words.filter((each) => each !== '').join(' ');
}

const word = (choices, name, value) => (choices[name].takes ? `${name}=${value}` : name);

const FIRST = {
  on: 'transactions',
  when: 'accept',
  effect: 'status',
  number: '503',
  often: 'always',
  n: '',
  account: '',
};

export function Faults({ onChange }) {
  const { value, error, again } = useLoaded(() => get('faults'), [], 2_000);
  const [chosen, setChosen] = useState(FIRST);
  const [typed, setTyped] = useState(null);
  const rule = typed ?? ruleOf(chosen);
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
  const choose = (name) => (value) => setChosen((before) => ({ ...before, [name]: value }));
  const chooseEffect = (effect) =>
    setChosen((before) => {
      const { takes, when = [before.when] } = EFFECTS[effect];
      const fitting = when.includes(before.when) ? before.when : when[0];
      return { ...before, effect, number: takes?.[1] ?? '', when: fitting };
    });
  const chooseOften = (often) =>
    setChosen((before) => ({ ...before, often, n: OFTEN[often].takes?.[1] ?? '' }));
  const effect = EFFECTS[chosen.effect];
  const phases = PHASES.filter(([name]) => effect.when?.includes(name) ?? true);
  const rules = value?.rules ?? [];
  return html`<section class=${`card ${value?.armed ? 'red' : ''}`} aria-labelledby="faults">
    <h2 id="faults" ref=${heading} tabindex="-1">Faults</h2>
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
      <fieldset class="form whole" disabled=${typed !== null}>
        <${Select}
          label="Which requests"
          className="pair"
          value=${chosen.on}
          options=${TARGETS}
          onChange=${choose('on')}
        />
        <${Select}
          label="What happens"
          className="pair"
          value=${chosen.effect}
          options=${optionsOf(EFFECTS)}
          onChange=${chooseEffect}
        />
        ${effect.takes && html`<${Input} label=${effect.takes[0]} className="pair" value=${chosen.number} onInput=${choose('number')} />`}
        <${Select}
          label="When"
          className="pair"
          value=${chosen.when}
          options=${phases}
          onChange=${choose('when')}
        />
        <${Select}
          label="How often"
          className="pair"
          value=${chosen.often}
          options=${optionsOf(OFTEN)}
          onChange=${chooseOften}
        />
        ${
          OFTEN[chosen.often].takes &&
          html`<${Input}
            label=${OFTEN[chosen.often].takes[0]}
            className="pair"
            value=${chosen.n}
            onInput=${choose('n')}
          />`
        }
        <${Input}
          label="Only this account"
          className="whole"
          value=${chosen.account}
          onInput=${choose('account')}
        />
      </fieldset>
      <label class="whole"
        >The rule, to be changed by hand<input
          class="mono"
          value=${rule}
          onInput=${(event) => setTyped(event.target.value)}
          spellcheck=${false}
          autocomplete="off"
      /></label>
      ${
        typed !== null &&
        html`<p class="soft small whole">
          The rule is typed by hand.${' '}
          <button type="button" class="link" onClick=${() => setTyped(null)}>Use the fields again</button>
        </p>`
      }
      <button class="main" disabled=${arm.busy}>Arm</button>
    </form>
    ${arm.shown}
    <${CommandLine} line=${`dataimport admin faults add ${quoted(rule)}`} />
  </section>`;
}
