// Gives a payment an id at the moment of sending, so that no id is ever used twice.

import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';

const API = process.env.DATAIMPORT_BASE_URL;

class Platform {
  async login() {
    const query = `mutation { obtainPlatformToken(input: {APIKey: "${process.env.DATAIMPORT_API_KEY}"}) { token } }`;
    const answer = await this.call('/v1/graphql/', { query });
    this.token = answer.data.obtainPlatformToken.token;
  }

  async call(path, body) {
    const answer = await fetch(API + path, {
      method: 'POST',
      signal: AbortSignal.timeout(2_000),
      headers: {
        'content-type': 'application/json',
        ...(this.token && { authorization: `Token ${this.token}` }),
      },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw Object.assign(new Error(`${answer.status}`), { answer });
    return answer.json();
  }
}

async function retried(platform, work) {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const status = error.answer?.status;
      if (status === 400 || attempt === 6) throw error;
      await pause(Math.max(200, Number(error.answer?.headers.get('retry-after') ?? 0) * 1_050));
      if (status === 401) {
        platform.token = undefined;
        await platform.login();
      }
    }
  }
}

const platform = new Platform();
await retried(platform, () => platform.login());
for await (const line of createInterface({
  input: createReadStream(new URL('payments.csv', import.meta.url)),
})) {
  const [account, , date, amount] = line.split(',');
  if (account === 'account') continue;
  await retried(platform, () =>
    platform.call('/v1/data-import/transactions/create/', {
      import_supplier: 'SOLAR',
      external_account_number: account,
      transactions: [
        {
          transaction_id: randomUUID(),
          transaction_date: date,
          amount: Number(amount),
          type: 'CREDIT',
          reason: 'GENERAL_CREDIT',
        },
      ],
    }),
  );
}
