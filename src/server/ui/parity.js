import { html } from './htm.js';
import { get, query } from './api.js';
import { Authority, Failure, Input, plural, Select, useLoaded, withCode } from './parts.js';

const MEANING = {
  documented: 'The interface says it.',
  observed: 'Published descriptions of deployments agree on it.',
  operator: 'The contract of the operator demands it.',
  chosen: 'Both are silent, so this platform chose it.',
};

export function Parity({ filter }) {
  const { value, error } = useLoaded(() => get('parity'), [], 0);
  const { search = '', authority = '' } = filter;
  if (!value)
    return html`<h1>Parity</h1>
      <${Failure} error=${error} />`;
  const { found, hasAll } = searched(
    value.rules.filter((rule) => authority === '' || rule.authority === authority),
    search,
  );
  const change = (name) => (text) => {
    history.replaceState(null, '', `#/parity${query({ search, authority, [name]: text })}`);
    dispatchEvent(new HashChangeEvent('hashchange'));
  };
  const names = Object.keys(MEANING).filter((name) => value.counts[name] > 0);
  return html`
    <h1>Parity</h1>
    <p class="lead">Every rule of this platform, and how sure it is that the real one has the same.</p>
    <form
      class="form"
      role="search"
      aria-label="Search the rules"
      onSubmit=${(event) => event.preventDefault()}
    >
      <${Input}
        label="Words, or a code"
        className="grow"
        type="search"
        value=${search}
        onInput=${change('search')}
      />
      <${Select}
        label="Authority"
        value=${authority}
        options=${[['', `any (${value.counts.all})`], ...names.map((name) => [name, `${name} (${value.counts[name]})`])]}
        onChange=${change('authority')}
      />
    </form>
    <p class="soft small" aria-live="polite">
      ${plural(found.length, 'rule')}${hasAll ? '' : ' with most of these words'}${authority && `. ${MEANING[authority]}`}
    </p>
    ${
      found.length > 0 &&
      html`<section class="card" aria-label="Rules">
        <ul class="plain-list">
          ${found.map((rule) => html`<${Rule} key=${rule.name} of=${rule} />`)}
        </ul>
      </section>`
    }
  `;
}

/** The rules with all words, or else those with the most of them. */
function searched(rules, search) {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const hits = rules.map((rule) => {
    const { name, says, source, conflict, codes = [] } = rule;
    const text = [name, says, source, conflict, ...codes].join(' ').toLowerCase();
    return { rule, has: words.filter((word) => text.includes(word)).length };
  });
  const most = Math.max(...hits.map(({ has }) => has));
  const isFound = ({ has }) => has === most && (most > 0 || words.length === 0);
  const found = hits.filter(isFound).map(({ rule }) => rule);
  return { found, hasAll: found.length === 0 || most === words.length };
}

function Rule({ of: { name, says, conflict, source, authority, codes = [] } }) {
  return html`<li class="entry">
    <div class="line"><strong>${name}</strong><${Authority} of=${authority} /></div>
    <p>${withCode(says)}</p>
    ${conflict && html`<p class="note small">${withCode(conflict)}</p>`}
    <p class="small soft">
      ${withCode(source)}${codes.map((code) => html` · <a href=${`#/requests${query({ code })}`}><code>${code}</code></a>`)}
    </p>
  </li>`;
}
