// Parts that several views share.
import { accountPath, query } from './api.js';
import { html, useEffect, useState } from './htm.js';

// ---- Data as text

/** Longer texts are cut, with a button that shows the rest. */
export const LONGEST = 2_000;

/** Control and bidirectional characters, which would be invisible or would turn the text around them. */
const SIGNS = /((?![\t\n])[\p{Cc}\p{Bidi_Control}\u200b\u2028\u2029\u2060\ufeff])/u;

const signOf = (character) => `U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}`;

/** A text whose invisible characters have a sign. */
export function withSigns(text) {
  return text
    .split(SIGNS)
    .map((part, index) => (index % 2 ? html`<span class="sign">${signOf(part)}</span>` : part));
}

/** Data of a client. It is inserted as text, and invisible characters get a sign. */
export function Data({ text, cut = LONGEST }) {
  const [isWhole, setWhole] = useState(false);
  const all = String(text ?? '');
  const shown = isWhole ? all : all.slice(0, cut);
  const rest = all.length - shown.length;
  return html`<span class="data" dir="auto">${withSigns(shown)}${rest > 0 && '…'}</span>${
    rest > 0 &&
    cut >= LONGEST &&
    html` <button class="link" onClick=${() => setWhole(true)}>
        show all ${count(all.length)} characters
      </button>`
  }`;
}

/** One line of data, for a list. */
export const Brief = ({ text }) => html`<${Data} text=${text} cut=${120} />`;

/** A whole number with separators. */
export function count(number) {
  return String(number).replaceAll(/\B(?=(\d{3})+$)/g, ',');
}

/** A sentence with its commands, which stand between backticks, as code. */
export function withCode(sentence) {
  return sentence.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
}

/** An amount, which is text, with separators. */
export const money = (amount) => String(amount ?? '–').replace(/\d+/, count);

/** The time of day of an instant, in UTC as it was logged. */
export const Time = ({ of }) =>
  html`<span class="mono">${of.slice(11, 19)}<span class="soft wide-only">${of.slice(19, 23).replace('Z', '')}</span></span>`;

export const plural = (number, noun) => `${count(number)} ${noun}${number === 1 ? '' : 's'}`;

// ---- Loading

/** Loads a value, again whenever `deps` change, and every `everyMs` while the page is visible. */
export function useLoaded(load, deps, everyMs) {
  const [state, setState] = useState({ value: undefined, error: null });
  const [round, setRound] = useState(0);
  useEffect(() => {
    let isOver = false;
    let timer;
    const look = async () => {
      try {
        const value = await load();
        if (!isOver) setState({ value, error: null });
      } catch (error) {
        if (!isOver) setState((before) => ({ ...before, error }));
      }
      if (!isOver && everyMs) later();
    };
    const later = () => {
      timer = setTimeout(() => void (document.hidden ? later() : look()), everyMs);
    };
    void look();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [...deps, round]);
  return { ...state, again: () => setRound((before) => before + 1) };
}

/** Why the server refused a call. The frame says on every view that the server does not answer, so a view leaves it out. */
export function Failure({ error }) {
  if (!error || error instanceof TypeError) return null;
  return html`<p class="note bad data" role="alert">${error.message}</p>`;
}

/** Runs an action of a button, and shows how it ended. */
export function useAction(act, done) {
  const [state, setState] = useState({ busy: false, error: null, said: '' });
  const run = async (...given) => {
    setState({ busy: true, error: null, said: '' });
    try {
      const said = await act(...given);
      setState({ busy: false, error: null, said: typeof said === 'string' ? said : '' });
      done?.();
    } catch (error) {
      setState({ busy: false, error, said: '' });
    }
  };
  const shown = html`<div class="outcome" aria-live="polite">
    ${state.said && html`<p class="note good">${state.said}</p>`}
    <${Failure} error=${state.error} />
  </div>`;
  return { run, busy: state.busy, shown };
}

// ---- Small parts

export function Tag({ kind = '', children }) {
  return html`<span class=${`tag ${kind}`}>${children}</span>`;
}

/** The status of an answer. A refusal in GraphQL has 200, and a code. */
export function Status({ status, codes }) {
  if (status === null) return html`<${Tag} kind="bad">none<//>`;
  return html`<${Tag} kind=${status >= 400 || codes.length > 0 ? 'bad' : 'good'}>${status}<//>`;
}

const STATES = { imported: 'good', failed: 'bad', in_progress: 'warn', staged: '' };

export const ImportState = ({ state }) =>
  html`<${Tag} kind=${STATES[state] ?? ''}>${state.replace('_', ' ')}<//>`;

/** Copies a text. */
export function Copy({ text, label = 'Copy', what = '' }) {
  const [isDone, setDone] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setDone(true);
    setTimeout(() => setDone(false), 2_000);
  };
  return html`<button onClick=${copy}>
    <span aria-live="polite">${isDone ? 'Copied' : label}</span
    >${what && html`<span class="unseen"> ${what}</span>`}
  </button>`;
}

/** A command line, ready to copy. */
export function CommandLine({ line: typed }) {
  // The platform of a command is the one that shows it.
  const line = typed.startsWith('dataimport admin ') ? `${typed} --base-url ${location.origin}` : typed;
  const words = line.split(' ').map((word) => html`<span><${Data} text=${word} /></span> `);
  return html`<div class="command"><code>${words}</code><${Copy} text=${line} what=${line} /></div>`;
}

/** The filters of a list, and how one of them changes: `field` has both for its input. The address has them, so that a reload keeps them. */
export function filtersOf(names, path, filter) {
  const chosen = Object.fromEntries(names.map((name) => [name, filter[name] ?? '']));
  /** The address of the list with one more part. A change of a filter leaves the part out. */
  const hrefWith = (part) => `#/${path}${query({ ...chosen, ...part })}`;
  const change = (name) => (value) => {
    history.replaceState(null, '', hrefWith({ [name]: value }));
    dispatchEvent(new HashChangeEvent('hashchange'));
  };
  const field = (name) => ({ value: chosen[name], onChange: change(name) });
  return { chosen, field, change, hrefWith };
}

/** Begins at the top, for eyes and for the keyboard. */
export function toTop() {
  scrollTo(0, 0);
  document.getElementById('main').focus({ preventScroll: true });
}

/** A word as a shell takes it. */
export const quoted = (text) =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${String(text).replaceAll("'", String.raw`'\''`)}'`;

/** A table whose rows are links. `columns` are `{title, className, cell(row)}`. `next` is the address of the next page, if there is one. */
export function Table({ label, columns, rows, keyOf, empty, next }) {
  if (rows.length === 0) return html`<p class="card soft">${empty}</p>`;
  return html`<div class="card rows">
    <table aria-label=${label}>
      <thead>
        <tr>
          ${columns.map(({ title, className = '' }) => html`<th scope="col" class=${className}>${title}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr key=${keyOf(row)}>
              ${columns.map(({ cell, className = '' }) => html`<td class=${className}>${cell(row)}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
    ${next && html`<p><a href=${next} onClick=${toTop}>Next page</a></p>`}
  </div>`;
}

/** A choice among a few words. */
export function Select({ label, value, options, onChange, className = '' }) {
  return html`<label class=${className}>
    ${label}
    <select value=${value} onChange=${(event) => onChange(event.target.value)}>
      ${options.map((option) => {
        const [name, text] = Array.isArray(option) ? option : [option, option];
        return html`<option value=${name} selected=${name === value}>${text}</option>`;
      })}
    </select>
  </label>`;
}

export function Input({ label, value, onChange, className = '', ...others }) {
  return html`<label class=${className}>
    ${label}
    <input
      value=${value}
      onInput=${(event) => onChange(event.target.value)}
      autocomplete="off"
      spellcheck=${false}
      ...${others}
    />
  </label>`;
}

/** Values that the platform took although the interface shows another form. */
export function toleratedText({ amount_as_text: amounts = 0, other_offset: times = 0 }) {
  const parts = [
    amounts > 0 && `${plural(amounts, 'amount')} as text`,
    times > 0 && `${plural(times, 'time')} with another offset than Z`,
  ];
  return `${parts.filter(Boolean).join(', ')}. --behaviour strict refuses them.`;
}

export const accountHref = ({ import_supplier, external_account_number }) =>
  `#/${accountPath(import_supplier, external_account_number)}`;
