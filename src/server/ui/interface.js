// The interface as documentation: each endpoint with its fields and answers, as code, and to try.
import { html, useState } from './htm.js';
import { get, query, send } from './api.js';
import { Json } from './json.js';
import { Authority, Copy, Failure, Input, Select, Status, useAction, useLoaded, withCode } from './parts.js';
import { languages, sampleOf } from './samples.js';

export function Interface() {
  const { value, error } = useLoaded(() => get('openapi.json'), [], 0);
  return html`<h1>Interface</h1>
    <p class="lead">
      Every endpoint of the platform, with its fields and answers. The same for programs:
      <a href="/_local/openapi.json">OpenAPI 3.1</a>.
    </p>
    <${Failure} error=${error} />
    ${
      value &&
      html`<section class="card" aria-label="Endpoints">
        <ul class="plain-list">
          ${endpointsOf(value).map(
            ({ id, method, path, summary }) =>
              html`<li class="entry" key=${id}>
                <div class="line"><a href=${`#/interface/${id}`}>${summary}</a></div>
                <p><code class="small">${method} ${path}</code></p>
              </li>`,
          )}
        </ul>
      </section>`
    }`;
}

export function Endpoint({ id }) {
  const { value, error } = useLoaded(() => get('openapi.json'), [], 0);
  const endpoint = value && endpointsOf(value).find((each) => each.id === id);
  if (!endpoint)
    return html`<h1>Endpoint</h1>
      <${Failure} error=${error} />
      ${value && html`<p>The interface has no endpoint of this name. <a href="#/interface">All endpoints</a></p>`}`;
  const { method, path, summary, operation } = endpoint;
  const request = operation.requestBody?.content['application/json'].schema;
  return html`<h1>${summary}</h1>
    <p><code>${method} ${path}</code> <span class="soft small">${operation.description}</span></p>
    <p class="small"><a href="#/interface">All endpoints</a></p>
    ${operation.parameters && html`<${Fields} title="Path and query" of=${operation.parameters.map(rowOfParameter)} />`}
    ${request && html`<${Fields} title="Fields" of=${fieldsOf(value, request)} />`}
    <${Try} document=${value} endpoint=${endpoint} />
    <${Answers} of=${operation.responses} />`;
}

function Fields({ title, of }) {
  return html`<section class="card" aria-label=${title}>
    <h2>${title}</h2>
    <div class="wide" tabindex="0" role="region" aria-label=${`Table: ${title}`}>
      <table>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Form</th>
            <th scope="col">Needed</th>
            <th scope="col">Meaning</th>
            <th scope="col">Says who</th>
          </tr>
        </thead>
        <tbody>
          ${of.map(
            ({ name, form, needed, meaning, authority }) =>
              html`<tr key=${name}>
                <th scope="row"><code>${name}</code></th>
                <td>${form}</td>
                <td>${needed}</td>
                <td>${withCode(meaning)}</td>
                <td><${Authority} of=${authority} /></td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </section>`;
}

/** The example of the endpoint, to change and to send, and the same request as code. */
function Try({ document, endpoint: { id, method, path, operation } }) {
  const example = exampleIn(operation.requestBody)?.value;
  const [text, setText] = useState(example === undefined ? '' : JSON.stringify(example, null, 2));
  const { parameters = [] } = operation;
  const [values, setValues] = useState(
    Object.fromEntries(parameters.map(({ name, example: value = '' }) => [name, value])),
  );
  const change = (name) => (given) => setValues({ ...values, [name]: given });
  const [language, setLanguage] = useState('curl');
  const [answer, setAnswer] = useState(null);
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values[name]));
  const flags = parameters.filter((each) => each.in === 'query');
  const search = query(Object.fromEntries(flags.map(({ name }) => [name, values[name]])));
  const { run, busy, shown } = useAction(async () => {
    setAnswer(null);
    const sent = { method, path: filled, query: search.slice(1) };
    setAnswer(await send({ ...sent, body: method === 'GET' ? undefined : text }));
  });
  const body = method === 'GET' ? { value: undefined } : parsed(text);
  return html`<section class="card stack" aria-labelledby="try">
    <h2 id="try">Try it</h2>
    ${parameters.map(({ name, in: place, schema }) =>
      place === 'path'
        ? html`<${Input} label=${name} value=${values[name]} onInput=${change(name)} />`
        : html`<${Select} label=${name} value=${values[name]} options=${[['', `left out (${schema.default})`], 'true', 'false']} onChange=${change(name)} />`,
    )}
    ${
      method !== 'GET' &&
      html`<label>
        Body
        <textarea
          class="tall"
          spellcheck=${false}
          value=${text}
          onInput=${(event) => setText(event.target.value)}
        ></textarea>
      </label>`
    }
    <div class="actions">
      <button class="main" onClick=${run} disabled=${busy}>Send</button>
      <span class="soft small"
        >With a token of this platform. ${method === 'GET' ? '' : 'What it accepts is stored.'}</span
      >
    </div>
    ${shown}
    <div role="status">
      ${answer && html`<p>Answered with <${Status} status=${answer.status} />. <a href="#/requests">Requests</a></p>`}
    </div>
    ${answer && html`<${Json} text=${answer.body} label="Answer" />`}
    <div class="actions">
      <${Select} label="The same as code" value=${language} options=${languages()} onChange=${setLanguage} />
    </div>
    ${
      body.error
        ? html`<p class="note">The body is no JSON, so there is no code for it.</p>`
        : html`<${Code} text=${sampleOf(language, { origin: location.origin, method, path: filled + search, body: body.value, token: id === TOKEN ? undefined : tokenIn(document) })} />`
    }
  </section>`;
}

function Code({ text }) {
  return html`<pre class="json" tabindex="0" role="region" aria-label="Code">${text}</pre>
    <div class="actions">
      <${Copy} text=${text} label="Copy the code" />
      <span class="soft small">It takes the API key from <code>DATAIMPORT_API_KEY</code>.</span>
    </div>`;
}

function Answers({ of }) {
  return html`<section class="card stack" aria-labelledby="answers">
    <h2 id="answers">Answers</h2>
    ${Object.entries(of).map(([status, { description, content }]) => {
      const examples = Object.entries(content?.['application/json'].examples ?? {});
      return html`<details key=${status} open=${/^2|^40[01]/.test(status)}>
        <summary><${Status} status=${Number.parseInt(status, 10)} /> ${withCode(description)}</summary>
        ${examples.map(
          ([name, { value }]) =>
            html`<${Json} key=${name} text=${JSON.stringify(value)} label=${`${status}, ${name}`} />`,
        )}
      </details>`;
    })}
  </section>`;
}

const LOCAL = '/_local';

/** The operation that needs no token. */
const TOKEN = 'obtainToken';

/** The endpoints of the interface, without those of this program. */
function endpointsOf({ paths }) {
  return Object.entries(paths).flatMap(([path, operations]) =>
    path.startsWith(LOCAL) || path === '/'
      ? []
      : Object.entries(operations)
          .filter(([method]) => method !== 'head')
          .map(([method, operation]) => ({
            id: operation.operationId,
            method: method.toUpperCase(),
            path,
            summary: operation.summary,
            operation,
          })),
  );
}

const exampleIn = (body) => Object.values(body?.content['application/json'].examples ?? {})[0];

/** The address of the token mutation and its body. */
function tokenIn({ paths }) {
  const [path, { post }] = Object.entries(paths).find(([, each]) => each.post?.operationId === TOKEN);
  return { path, body: exampleIn(post.requestBody).value };
}

function parsed(text) {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { error };
  }
}

/** The fields of a schema, those of items behind their list. A field of several forms of a record is listed once. */
function fieldsOf(document, schema, before = '') {
  const forms = (schema.properties ? [schema] : (schema.anyOf ?? [schema]))
    .map((each) => resolved(document, each))
    .filter((each) => each.properties);
  const names = [...new Set(forms.flatMap(({ properties }) => Object.keys(properties)))];
  return names.flatMap((name) => {
    const having = forms.filter(({ properties }) => properties[name]);
    const field = present(document, having[0].properties[name]);
    const row = {
      name: before + name,
      form: formOf(
        field,
        having.map(({ properties }) => properties[name]),
      ),
      needed: neededIn(having, name, forms.length),
      meaning: field.description ?? '',
      authority: field['x-authority'] ?? 'documented',
    };
    const items = field.type === 'array' ? resolved(document, field.items) : field;
    const inner =
      items.properties || items.anyOf
        ? fieldsOf(document, items, `${before}${name}${field.type === 'array' ? '[]' : ''}.`)
        : [];
    return [row, ...inner];
  });
}

function resolved({ components }, schema) {
  return schema.$ref ? components.schemas[schema.$ref.split('/').at(-1)] : schema;
}

/** The schema of a value that may also be null, with what is said about both. */
function present(document, schema) {
  const given = resolved(document, schema);
  const [only, ...others] = (given.anyOf ?? []).filter(({ type }) => type !== 'null');
  if (!only || others.length > 0) return given;
  const of = resolved(document, only);
  return { ...of, ...given, description: [given.description, of.description].filter(Boolean).join(' ') };
}

function rowOfParameter({ name, in: place, required, schema, description, 'x-authority': authority }) {
  return {
    name: place === 'path' ? `{${name}}` : `?${name}`,
    form: formOf(schema, [schema]),
    needed: required ? 'yes' : `no (${schema.default})`,
    meaning: description,
    authority,
  };
}

/** Yes, no, or the types of the records that need it. */
function neededIn(having, name, all) {
  const needing = having.filter(({ required = [] }) => required.includes(name));
  if (needing.length === 0) return 'no';
  return needing.length === all ? 'yes' : needing.map(({ properties }) => properties.type.const).join(', ');
}

const FORMATS = { date: 'date', 'date-time': 'date and time' };

function formOf({ anyOf = [], ...schema }, all) {
  const { type, format, properties, examples } = schema;
  const values = [
    ...new Set(all.flatMap((each) => (each.const === undefined ? (each.enum ?? []) : [each.const]))),
  ];
  if (values.length > 0) return values.join(', ');
  if (anyOf.some((each) => each.type === 'null')) return `${formOf(schema, [])}, or null`;
  if (format) return FORMATS[format] ?? format;
  if (Array.isArray(type)) return 'exact decimal';
  if (type === 'integer') return 'whole number';
  if (type === 'array') return 'list';
  if (type === 'boolean') return 'true or false';
  if (type === 'string') return examples ? `text, such as ${examples.join(', ')}` : 'text';
  return properties ? 'object' : (type ?? 'any');
}
