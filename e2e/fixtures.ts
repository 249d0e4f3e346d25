import { test as base, expect } from '@playwright/test';
import { findViolations } from './accessible.ts';
import { type Mail, readMail } from './mailbox.ts';
import { keptByServer } from './server-database.ts';
import { watchRequests } from './settled.ts';

type Fixtures = {
  /** The newest mail to an address, awaited. */
  mailTo: (recipient: string) => Promise<Mail>;
  /** Fails the test with what axe finds on the page as it stands. */
  expectAccessible: () => Promise<void>;
  /** A bearer token of the super-admin client. */
  superadminToken: string;
};

export const test = base.extend<Fixtures>({
  page: async ({ page }, use) => {
    watchRequests(page);
    await use(page);
  },
  mailTo: async ({ request }, use) => use((recipient) => readMail(request, recipient)),
  expectAccessible: async ({ page }, use) => use(async () => expect(await findViolations(page)).toEqual([])),
  superadminToken: async ({ request }, use) => {
    const { clientId, clientSecret } = JSON.parse(keptByServer('superadmin.json'));
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
    const answer = await request.post('/oauth2/token', { form });
    expect(answer.status()).toBe(200);
    await use((await answer.json()).access_token);
  },
});

export { expect };
