// A POST over HTTP. An `import` of node:http loads fetch as well, which takes longer than all else that a client does.

const { request } = process.getBuiltinModule('node:http');

/** The answer to a JSON document. Rejects when there is none, or when it ends early. */
export function post(url, { headers = {}, timeoutMs = 3_000, document }) {
  const body = JSON.stringify(document);
  return new Promise((resolve, reject) => {
    const options = {
      method: 'POST',
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        ...headers,
      },
    };
    const read = async (response) => {
      let text = '';
      for await (const part of response.setEncoding('utf8')) text += part;
      const { statusCode: status, headers: answered } = response;
      return { status, text, retryAfter: Number(answered['retry-after'] ?? 0) };
    };
    request(url, options, (response) => void read(response).then(resolve, reject))
      .on('error', reject)
      .end(body);
  });
}
