import { html, useEffect, useState } from './htm.js';
import { Json } from './json.js';
import { call } from './api.js';
import { replaced, valueAt } from './json-text.js';
import { NoBodies } from './bodies.js';
import { curlOf, Gone, Problem, Send, useRequest } from './request.js';
import { FaultFacts } from './fault-facts.js';
import { accountHref } from './overview.js';
import { Brief, CommandLine, Copy, Data, Status, useAction } from './parts.js';

/** One refused request: what is wrong with it, and a place to try what would pass. */
export function Why({ seq }) {
  const { value, error, again } = useRequest(seq);
  const title = html`<h1>Why was this refused?</h1>`;
  if (!value) return html`${title}<${Gone} error=${error} />`;
  if (value.by_fault)
    return html`${title}
      <section class="card">
        <dl class="facts"><${FaultFacts} request=${value} /></dl>
        <p><a href=${`#/requests/${seq}`}>Request ${seq}</a></p>
      </section>`;
  return html`
    <div class="head">
      ${title}
      <div class="actions">
        ${
          value.external_account_number !== null &&
          html`<a href=${accountHref(value)}>Account <${Brief} text=${value.external_account_number} /></a>`
        }
        <a href=${`#/requests/${seq}`}>Request ${seq}</a>
      </div>
    </div>
    ${
      value.request_body === undefined
        ? html`<section class="card red">
              <h2>The answer was <${Status} status=${value.status} /></h2>
              ${value.problems.map((problem) => html`<div class="entry"><${Problem} problem=${problem} /></div>`)}
            </section>
            <${NoBodies} request=${value} onDone=${again} />`
        : html`<${Bench} request=${value} />`
    }
  `;
}

/** The request on a work bench: it can be changed and validated, and nothing is stored. */
function Bench({ request }) {
  const [body, setBody] = useState(request.request_body);
  const [judged, setJudged] = useState({
    status: request.status,
    problems: request.problems,
    body: request.request_body,
  });
  const sent = { resource: request.endpoint, query: request.query };
  const validate = async (text) => {
    const { status, problems } = await call('POST', 'validate', { ...sent, body: text });
    setJudged({ status, problems, body: text });
  };
  const checked = useAction(validate);
  const change = (text) => {
    setBody(text);
    void checked.run(text);
  };
  const isAccepted = judged.status < 400;
  const isJudged = judged.body === body;
  return html`
    <p class="lead">
      ${
        isAccepted
          ? 'With this body the platform would accept the request.'
          : 'Change the value and validate. Nothing is stored, and no fault applies.'
      }
    </p>
    <div class="two">
      <div class="stack">
        <section class=${`card ${isAccepted ? 'green' : 'red'}`} aria-live="polite">
          <div class="head">
            <h2>
              ${isAccepted ? 'It would pass' : judged.problems.length > 1 ? `${judged.problems.length} problems` : 'The problem'}
            </h2>
            <${Status} status=${judged.status} />
          </div>
          ${
            isAccepted
              ? html`<p>Make the same change in your file, then push it again. Rows that are there already are not added twice.</p>
                <${CommandLine} line=${`dataimport push ${request.endpoint} FILE`} />`
              : judged.problems.map(
                  (problem) =>
                    html`<div class="entry" key=${problem.code + problem.attr}>
                      <${Problem} problem=${problem} />
                      ${problem.attr !== '' && html`<${Fix} problem=${problem} body=${judged.body} sent=${sent} onChange=${change} />`}
                    </div>`,
                )
          }
          ${judged.status >= 400 && judged.problems.length === 0 && html`<p>The request was refused as a whole.</p>`}
        </section>
        <div class="actions">
          <button class="main" onClick=${() => checked.run(body)} disabled=${checked.busy}>
            Validate (dry run)
          </button>
          <${Copy} text=${curlOf({ ...request, request_body: body })} label="Copy as curl" />
          ${isAccepted && isJudged && html`<${SendChanged} request=${request} body=${body} />`}
          ${body !== request.request_body && html`<button onClick=${() => change(request.request_body)}>Undo all changes</button>`}
        </div>
        ${checked.shown}
      </div>
      <section class="card">
        <h2>The request</h2>
        <${Json}
          text=${body}
          attrs=${isJudged ? judged.problems.map(({ attr }) => attr).filter((attr) => attr !== '') : []}
          label="Body of the request"
        />
        <details>
          <summary>Edit the whole body</summary>
          <label class="block"
            >Body<textarea
              value=${body}
              onInput=${(event) => setBody(event.target.value)}
              spellcheck=${false}
            ></textarea>
          </label>
        </details>
      </section>
    </div>
  `;
}

/** The refused value in a field, and an example that passes. */
function Fix({ problem, body, sent, onChange }) {
  const present = valueAt(body, problem.attr);
  const isSimple = present === undefined || !/^[{[]/.test(present);
  const [value, setValue] = useState(present ?? '');
  const [example, setExample] = useState(undefined);
  useEffect(() => {
    let isOver = false;
    setValue(present ?? '');
    call('POST', 'validate/example', { ...sent, body, attr: problem.attr }).then(
      (answer) => !isOver && setExample(answer.example),
      () => !isOver && setExample(null),
    );
    return () => {
      isOver = true;
    };
  }, [body, problem.attr]);
  const use = (json) => {
    const text = replaced(body, problem.attr, json);
    if (text !== undefined) onChange(text);
  };
  return html`
    ${
      isSimple &&
      html`<form
        class="form"
        onSubmit=${(event) => {
          event.preventDefault();
          use(value.trim() === '' ? null : value);
        }}
      >
        <label class="grow"
          >Value of ${problem.attr}, as JSON<input
            value=${value}
            onInput=${(event) => setValue(event.target.value)}
            spellcheck=${false}
            autocomplete="off"
        /></label>
        <button>Try this value</button>
      </form>`
    }
    ${
      example &&
      html`<div class="note good actions">
        ${
          example.json === null
            ? html`<span>Without this field it would pass here.</span
                ><button onClick=${() => use(null)}>Leave it out</button>`
            : html`<span
                  >For example <code><${Data} text=${example.json} cut=${200} /></code> would pass here.</span
                >
                <button onClick=${() => use(example.json)}>Use the example</button>`
        }
      </div>`
    }
    ${example === null && html`<p class="small soft">No single value at this place makes it pass. The rule compares it with other fields.</p>`}
  `;
}

function SendChanged({ request, body }) {
  return html`<${Send}
    request=${request}
    body=${body}
    label="Send it for real"
    title="Send the changed request?"
  >
    <p>
      This changes the ledger. Your file does not have the change yet, so a push of the file would differ from
      what is stored.
    </p>
  <//>`;
}
