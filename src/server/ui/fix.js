import { html, useEffect, useState } from './htm.js';
import { call } from './api.js';
import { alike, jsonOf, recordOf, replaced, valueAt } from './json-text.js';
import { count, Data, plural } from './parts.js';
import { isOfAccount } from './problem.js';

/**
 * Changes for one problem: another value, the field left out, the record left out. Each was tried by the server or is tried at once.
 * `problems` are all of the request. `onChange` takes the changed body and the change: `{attrs, from, to}`, where `to` is null for a field that is left out.
 */
export function Fix({ problem, problems, body, sent, onChange }) {
  const attr = problem.field;
  const present = valueAt(body, attr);
  const [tested, setTested] = useState(null);
  const [isForAll, setForAll] = useState(false);
  useEffect(() => {
    let isOver = false;
    if (isOfAccount(problem) || problems.indexOf(problem) >= MOST_EXAMPLES) return undefined;
    call('POST', 'validate/example', { ...sent, body, attr }).then(
      (answer) => !isOver && setTested(answer),
      () => {},
    );
    return () => {
      isOver = true;
    };
  }, [body, attr]);
  const isUnlisted = problem.code === 'unexpected_field';
  // Records that are compared with each other are wrong together only.
  const others = problem.related.length > 0 ? [] : alike(body, attr, isUnlisted);
  const record = recordOf(body, attr);
  const records = recordsIn(body, [...problem.related, attr]);
  const change = (places, json) => {
    const text = replaced(body, places, json);
    if (text !== undefined) onChange(text, { attrs: places, from: valueAt(body, places[0]), to: json });
  };
  const use = (json) => change(isForAll ? [attr, ...others] : [attr], json);
  const isGone = isUnlisted || present === 'null';
  const example =
    tested?.example && html`<${Example} found=${tested.example} known=${problems} onUse=${use} />`;
  const leftOut =
    tested?.left_out && html`<${LeftOut} found=${tested.left_out} known=${problems} onUse=${use} />`;
  const words = isUnlisted
    ? ['Leave it out of', '']
    : present === undefined
      ? ['Fill', ' that lack it']
      : ['Change', ' with the same value'];
  return html`<div class="fix">
    ${
      others.length > 0 &&
      html`<label class="check"
        ><input
          type="checkbox"
          checked=${isForAll}
          onChange=${(event) => setForAll(event.target.checked)}
        />${words[0]} ${plural(others.length, 'other record')}${words[1]}, too</label
      >`
    }
    ${!isUnlisted && (present === undefined || !/^[{[]/.test(present)) && html`<${Value} name=${record?.field || attr} present=${present} onUse=${use} />`}
    ${isGone ? [leftOut, example] : [example, leftOut]}
    ${tested && !example && !leftOut && html`<p class="small soft">None of the values that the server tried here passes.</p>`}
    ${
      record !== null &&
      record.count > 1 &&
      html`<div class="actions">
        ${records.map(
          ({ attr: place, index }) =>
            html`<button onClick=${() => change([place], null)}>Leave out record ${count(index + 1)}</button>`,
        )}
      </div>`
    }
  </div>`;
}

/** Problems whose examples the server looks for at once. It validates the request several times for each. */
const MOST_EXAMPLES = 5;

/** Most records that can be left out with a button each. */
const MOST_RECORDS = 6;

/** The records of some paths, each once. */
function recordsIn(body, attrs) {
  const byAttr = new Map();
  for (const attr of attrs.slice(-MOST_RECORDS)) {
    const record = recordOf(body, attr);
    if (record !== null) byAttr.set(record.attr, record);
  }
  return [...byAttr.values()];
}

/** A field for another value. What is typed stays until the value in the body is another one. */
function Value({ name, present, onUse }) {
  const [value, setValue] = useState(present ?? '');
  useEffect(() => setValue(present ?? ''), [present]);
  const submit = (event) => {
    event.preventDefault();
    onUse(value.trim() === '' ? null : jsonOf(value));
  };
  return html`<form class="form" onSubmit=${submit}>
    <label class="grow"
      ><span>Value of <code><${Data} text=${name} cut=${200} /></code></span
      ><input
        value=${value}
        onInput=${(event) => setValue(event.target.value)}
        spellcheck=${false}
        autocomplete="off"
    /></label>
    <button>Try this value</button>
  </form>
  <p class="small soft">Text needs no quotes. Empty leaves the field out.</p>`;
}

function Example({ found, known, onUse }) {
  return html`<div class="note good actions">
    <span
      >For example <code><${Data} text=${found.json} cut=${200} /></code> would pass here.${' '}
      <${Then} of=${found.result} known=${known}
    /></span>
    <button onClick=${() => onUse(found.json)}>Use the example</button>
  </div>`;
}

function LeftOut({ found, known, onUse }) {
  return html`<div class="note good actions">
    <span>Without this field it would pass here. <${Then} of=${found.result} known=${known} /></span>
    <button onClick=${() => onUse(null)}>Leave it out</button>
  </div>`;
}

/** The answer to the whole request after a change, beside the problems that are known. */
function Then({ of: { status, problems }, known }) {
  if (status < 400) return 'Then the whole request passes.';
  const [next] = problems;
  if (!next) return `Then the answer is ${status}.`;
  if (known.some(({ code, attr }) => code === next.code && attr === next.attr))
    return 'The other problems remain.';
  return html`Then comes the next problem: <code><${Data} text=${next.field || next.code} cut=${200} /></code>${' '}
    <${Data} text=${next.detail || next.sentence || next.code} />.`;
}
