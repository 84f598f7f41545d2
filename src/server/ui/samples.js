// A request of the interface as code that a client's author can run. The API key comes from DATAIMPORT_API_KEY, never from here.
import { quoted } from './parts.js';

/**
 * What a sample is made of: `body` is a value, undefined for a GET. `token`: the address and body of the token
 * mutation; undefined for a request that needs no token.
 * @type {[name: string, title: string, make: (request: any) => string][]}
 */
const LANGUAGES = [
  ['curl', 'curl', curl],
  ['fetch', 'JavaScript (fetch)', javascript],
  ['requests', 'Python (requests)', (request) => python(request, 'requests')],
  ['httpx', 'Python (httpx)', (request) => python(request, 'httpx')],
];

export const languages = () => LANGUAGES.map(([name, title]) => [name, title]);

export function sampleOf(language, request) {
  const [, , make] = LANGUAGES.find(([name]) => name === language);
  return make(request);
}

/** What stands for the API key in a body of the token mutation. */
const KEY = '"<API_KEY>"';

function curl({ origin, method, path, body, token }) {
  const json = `-H 'content-type: application/json'`;
  const data = (value) =>
    `--data-raw ${quoted(JSON.stringify(value, null, 2)).replace(KEY, `"'"$DATAIMPORT_API_KEY"'"`)}`;
  const lines = [
    `curl -sS -X ${method} ${quoted(origin + path)}`,
    ...(token ? [`  -H "Authorization: Token $TOKEN"`] : []),
    ...(body === undefined ? [] : [`  ${json}`, `  ${data(body)}`]),
  ];
  const issued =
    token &&
    `TOKEN=$(curl -sS ${quoted(origin + token.path)} ${json} ${data(token.body)} | sed 's/.*"token":"\\([^"]*\\)".*/\\1/')\n`;
  return `${issued ?? ''}${lines.join(' \\\n')}\n`;
}

function javascript({ origin, method, path, body, token }) {
  const data = (value) =>
    indented(JSON.stringify(value, null, 2), 2).replace(KEY, 'process.env.DATAIMPORT_API_KEY');
  const issued =
    token &&
    `const issued = await fetch(${JSON.stringify(origin + token.path)}, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(${data(token.body)}),
});
const { data, errors } = await issued.json();
if (errors) throw new Error(errors[0].message); // the status is 200 all the same
const { token } = Object.values(data)[0];

`;
  const headers = [
    ...(body === undefined ? [] : [`'content-type': 'application/json'`]),
    ...(token ? ['authorization: `Token ${token}`'] : []),
  ];
  return `${issued ?? ''}const answer = await fetch(${JSON.stringify(origin + path)}, {
  method: '${method}',
  headers: { ${headers.join(', ')} },${body === undefined ? '' : `\n  body: JSON.stringify(${data(body)}),`}
});
console.log(answer.status, await answer.text());
`;
}

function python({ origin, method, path, body, token }, library) {
  const data = (value) => indented(literal(value), 4).replace(KEY, 'os.environ["DATAIMPORT_API_KEY"]');
  const issued =
    token &&
    `issued = ${library}.post(
    ${literal(origin + token.path)},
    json=${data(token.body)},
)
granted = issued.json()
if "errors" in granted:  # the status is 200 all the same
    raise SystemExit(granted["errors"][0]["message"])
token = list(granted["data"].values())[0]["token"]

`;
  return `import os

import ${library}

${issued ?? ''}answer = ${library}.${method.toLowerCase()}(
    ${literal(origin + path)},${token ? '\n    headers={"Authorization": f"Token {token}"},' : ''}${
      body === undefined ? '' : `\n    json=${data(body)},`
    }
)
print(answer.status_code, answer.text)
`;
}

/** A value of JSON in the words of Python. */
function literal(value, depth = 0) {
  const inner = '    '.repeat(depth + 1);
  const around = (open, parts, close) =>
    parts.length === 0
      ? open + close
      : `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${'    '.repeat(depth)}${close}`;
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value))
    return around(
      '[',
      value.map((each) => literal(each, depth + 1)),
      ']',
    );
  if (typeof value === 'object')
    return around(
      '{',
      Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${literal(each, depth + 1)}`),
      '}',
    );
  return JSON.stringify(value);
}

const indented = (text, by) => text.replaceAll('\n', `\n${' '.repeat(by)}`);
