import { html, useEffect, useRef, useState } from './htm.js';
import { Changes, changeOf } from './changes.js';
import { Fix } from './fix.js';
import { Json } from './json.js';
import { call } from './api.js';
import { NoBodies } from './bodies.js';
import { FaultFacts } from './fault-facts.js';
import { spread, valueAt } from './json-text.js';
import { accountHref } from './overview.js';
import { Brief, CommandLine, Data, plural, Status, useAction } from './parts.js';
import { Problem } from './problem.js';
import { accountOf, Gone, useRequest } from './request.js';
import { CopyCurl, isCut, Send, takesBody } from './sending.js';

/** One refused request: what is wrong with it, and a place to try what would pass. */
export function Why({ seq }) {
  const { value, error } = useRequest(seq);
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
      value.request_body === undefined || isCut(value)
        ? html`<section class="card red">
              <h2>The answer was <${Status} status=${value.status} /></h2>
              ${value.problems.map(
                (problem) =>
                  html`<div class="entry">
                    <${Problem} problem=${problem} account=${accountOf(value)} />
                  </div>`,
              )}
            </section>
            ${
              isCut(value)
                ? html`<p class="note">The log keeps the first MiB of a body, so this one cannot be tried here.</p>`
                : takesBody(value) && html`<${NoBodies} request=${value} />`
            }`
        : html`<${Bench} request=${value} />`
    }
  `;
}

const sameProblem = (a, b) => a.code === b.code && a.attr === b.attr;

/** What a validation has changed, for a screen reader and for the eye. */
function newsOf(before, after) {
  const [was] = before.problems;
  const [now] = after.problems;
  if (after.status < 400)
    return before.status < 400 ? 'Validated again: it still would pass.' : 'Solved. It would pass now.';
  if (!was || !now) return '';
  if (before.body === after.body && sameProblem(was, now)) return 'Validated again: the answer is the same.';
  if (!after.problems.some((problem) => sameProblem(problem, was)))
    return `Solved: ${was.field || was.code}. Next: ${now.field || now.code}.`;
  return `Not solved yet: ${was.field || was.code}.`;
}

/** The request on a work bench: it can be changed and validated, and nothing is stored. */
function Bench({ request }) {
  const original = request.request_body;
  const [judged, setJudged] = useState({
    status: request.status,
    problems: request.problems,
    body: original,
    changes: [],
    news: '',
  });
  // The whole body while somebody types into it; null when it is the one that was judged. What is typed elsewhere stays meanwhile.
  const [draft, setDraft] = useState(null);
  const heading = useRef(null);
  const mayLoseFocus = useRef(false);
  const sent = { resource: request.endpoint, query: request.query };
  const checked = useAction(async (body, changes) => {
    const answer = await call('POST', 'validate', { ...sent, body });
    const { status, problems } = answer;
    const next = { status, problems, body, changes };
    setJudged((before) => ({ ...next, news: newsOf(before, next) }));
    setDraft(null);
  });
  const validate = () => {
    if (draft === null) return void checked.run(judged.body, judged.changes);
    return void checked.run(draft, [...judged.changes, { before: judged.body, byHand: true }]);
  };
  // The button that was pressed may be gone afterwards.
  const change = (body, changes) => {
    mayLoseFocus.current = true;
    void checked.run(body, changes);
  };
  useEffect(() => {
    if (mayLoseFocus.current) heading.current.focus();
    mayLoseFocus.current = false;
  }, [judged]);
  const { status, problems, body, changes } = judged;
  const isJudged = draft === null;
  const isAccepted = status < 400;
  const title = isAccepted
    ? 'It would pass'
    : `${problems.length > 1 ? plural(problems.length, 'problem') : `The ${changes.length > 0 ? 'next ' : ''}problem`}`;
  return html`
    <p class="lead">
      ${
        isAccepted && isJudged
          ? 'With this body the platform would accept the request.'
          : 'Change a value and validate. Nothing is stored, and no fault applies.'
      }
    </p>
    <div class="two">
      <div class="stack">
        <section class=${`card ${isJudged ? (isAccepted ? 'green' : 'red') : ''}`}>
          <div class="head">
            <h2 ref=${heading} tabindex="-1">${isJudged ? title : 'Not validated yet'}</h2>
            ${isJudged && html`<${Status} status=${status} />`}
          </div>
          <p class=${judged.news && isJudged ? 'small soft' : 'unseen'} role="status"><${Data} text=${isJudged ? judged.news : ''} /></p>
          ${!isJudged && html`<p>The body has changed since it was validated.</p>`}
          <div hidden=${!isJudged}><fieldset class="plain-set stack" disabled=${checked.busy}>
            ${isAccepted && html`<${Accepted} request=${request} changes=${changes} />`}
            ${problems.map(
              (problem) =>
                html`<div class="entry" key=${problem.code + problem.attr}>
                    <${Problem}
                      problem=${problem}
                      body=${body}
                      account=${accountIn(body)}
                      onChange=${() => change(body, changes)}
                    />
                    ${
                      problem.field !== '' &&
                      html`<${Fix}
                        problem=${problem}
                        problems=${problems}
                        body=${body}
                        sent=${sent}
                        onChange=${(text, made) => change(text, [...changes, changeOf(body, made)])}
                      />`
                    }
                  </div>`,
            )}
            ${!isAccepted && problems.length === 0 && html`<p>The request was refused as a whole.</p>`}
          </fieldset></div>
        </section>
        <div class="actions">
          <button class="main" onClick=${validate}>Validate (dry run)</button>
          ${isJudged && html`<${CopyCurl} request=${{ ...request, request_body: body, request_bytes: 0 }} />`}
          ${isAccepted && isJudged && html`<${SendChanged} request=${request} body=${body} />`}
        </div>
        ${checked.shown}
        ${
          changes.length > 0 &&
          html`<section class="card">
            <h2>${plural(changes.length, 'change')} so far</h2>
            <${Changes} changes=${changes} />
            <div class="actions">
              <button disabled=${!isJudged} onClick=${() => change(changes.at(-1).before, changes.slice(0, -1))}>Undo the last</button>
              <button disabled=${!isJudged} onClick=${() => change(original, [])}>Undo all changes</button>
            </div>
          </section>`
        }
      </div>
      <section class="card">
        <h2>The request</h2>
        <${Json}
          text=${draft ?? body}
          attrs=${isJudged ? problems.map(({ field }) => field).filter((field) => field !== '') : []}
          related=${isJudged ? problems.flatMap(({ related }) => related) : []}
          label="Body of the request"
        />
        <${WholeBody} text=${draft ?? spread(body)} onInput=${setDraft} />
      </section>
    </div>
  `;
}

/** The account that a body names. */
function accountIn(body) {
  const [supplier, number] = ['import_supplier', 'external_account_number'].map((name) => {
    const text = valueAt(body, name);
    return text?.startsWith('"') ? JSON.parse(text) : null;
  });
  return supplier === null || number === null ? null : { supplier, number };
}

function Accepted({ request, changes }) {
  if (changes.length === 0)
    return html`<p>
        It would pass as it was sent, so what was wrong is over. Send it again, or push the file again: rows that
        are there already are not added twice.
      </p>
      <${CommandLine} line=${`dataimport push ${request.endpoint} FILE`} />`;
  return html`<p>Make the same ${changes.length === 1 ? 'change' : 'changes'} in your file, then push it again.
      Rows that are there already are not added twice.</p>
    <${CommandLine} line=${`dataimport push ${request.endpoint} FILE`} />`;
}

/** The body as text. It is drawn when somebody asks for it. */
function WholeBody({ text, onInput }) {
  const [isOpen, setOpen] = useState(false);
  return html`<details onToggle=${(event) => setOpen(event.target.open)}>
    <summary>Edit the whole body</summary>
    ${
      isOpen &&
      html`<label class="block"
        >Body<textarea
          class="tall"
          value=${text}
          onInput=${(event) => onInput(event.target.value)}
          spellcheck=${false}
        ></textarea>
      </label>`
    }
  </details>`;
}

function SendChanged({ request, body }) {
  return html`<${Send}
    request=${request}
    body=${body}
    label="Send it for real"
    title=${body === request.request_body ? 'Send this request again?' : 'Send the changed request?'}
  >
    <p>
      This changes the
      ledger.${body !== request.request_body && ' Your file does not have the change yet, so a push of the file would differ from what is stored.'}
    </p>
  <//>`;
}
