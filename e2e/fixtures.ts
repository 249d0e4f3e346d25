import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { test as base, expect } from '@playwright/test';
import { type Mail, readMail } from './mailbox.ts';

type Fixtures = {
  /** The newest mail to an address, awaited. */
  mailTo: (recipient: string) => Promise<Mail>;
  /** Fails the test with what axe finds on the page as it stands. */
  expectAccessible: () => Promise<void>;
  /** A bearer token of the super-admin client. */
  superadminToken: string;
};

export const test = base.extend<Fixtures>({
  mailTo: async ({ request }, use) => use((recipient) => readMail(request, recipient)),
  expectAccessible: async ({ page }, use) =>
    use(async () => {
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(
        violations.map(
          ({ id, help, nodes }) => `${id}: ${help} (${nodes.map((node) => node.target.join(' ')).join(', ')})`,
        ),
      ).toEqual([]);
    }),
  superadminToken: async ({ request }, use) => {
    const file = join(process.env.E2E_DATA_DIR!, 'superadmin.json');
    const { clientId, clientSecret } = JSON.parse(readFileSync(file, 'utf8')) as {
      clientId: string;
      clientSecret: string;
    };
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
    const answer = await request.post('/oauth2/token', { form });
    expect(answer.status()).toBe(200);
    await use((await answer.json()).access_token);
  },
});

export { expect };
