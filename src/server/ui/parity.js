import { html, useState } from './htm.js';
import { get } from './api.js';
import { Authority, Failure, Input, plural, useLoaded, withCode } from './parts.js';

const MEANING = {
  documented: 'The interface says it.',
  observed: 'Published descriptions of deployments agree on it.',
  operator: 'The contract of the operator demands it.',
  chosen: 'Both are silent, so this platform chose it.',
};

export function Parity() {
  const { value, error } = useLoaded(() => get('parity'), [], 0);
  const [search, setSearch] = useState('');
  const [authority, setAuthority] = useState('');
  if (!value)
    return html`<h1>Parity</h1>
      <${Failure} error=${error} />`;
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const found = value.rules.filter((rule) => {
    const text = [rule.name, rule.says, rule.source, rule.conflict, ...(rule.codes ?? [])]
      .join(' ')
      .toLowerCase();
    return (authority === '' || rule.authority === authority) && words.every((word) => text.includes(word));
  });
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
        onInput=${setSearch}
      />
      <label>
        Authority
        <select value=${authority} onChange=${(event) => setAuthority(event.target.value)}>
          <option value="">any (${value.counts.all})</option>
          ${names.map((name) => html`<option value=${name}>${name} (${value.counts[name]})</option>`)}
        </select>
      </label>
    </form>
    <p class="soft small" aria-live="polite">
      ${plural(found.length, 'rule')}${authority && `. ${MEANING[authority]}`}
    </p>
    <ul class="plain-list card">
      ${found.map(
        (rule) =>
          html`<li class="entry" key=${rule.name}>
            <div class="line"><strong>${rule.name}</strong><${Authority} of=${rule.authority} /></div>
            <p>${withCode(rule.says)}</p>
            ${rule.conflict && html`<p class="note small">${withCode(rule.conflict)}</p>`}
            <p class="small soft">
              ${withCode(rule.source)}${(rule.codes ?? []).map((code) => html` · <code>${code}</code>`)}
            </p>
          </li>`,
      )}
    </ul>
  `;
}
