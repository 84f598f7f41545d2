// Gives a payment an id at the moment of sending, so that no id is ever used twice.

import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { post } from './http-post.mjs';

const API = process.env.DATAIMPORT_BASE_URL;

class Platform {
  async login() {
    const query = `mutation { obtainPlatformToken(input: {APIKey: "${process.env.DATAIMPORT_API_KEY}"}) { token } }`;
    const answer = await this.call('/v1/graphql/', { query });
    this.token = answer.data.obtainPlatformToken.token;
  }

  async call(path, document) {
    const headers = this.token && { authorization: `Token ${this.token}` };
    const answer = await post(API + path, { headers, timeoutMs: 4_000, document });
    if (answer.status >= 300) throw Object.assign(new Error(`${answer.status}`), { answer });
    return JSON.parse(answer.text);
  }
}

async function retried(platform, work) {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const status = error.answer?.status;
      if (status === 400 || attempt === 6) throw error;
      await pause(Math.max(200, (error.answer?.retryAfter ?? 0) * 1_050));
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
