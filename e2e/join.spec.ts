import { expect, test } from './fixtures.ts';
import { findLink } from './mailbox.ts';

const PASSWORD = 'staple orbit lantern 42';

test('register, invite through the API, accept from the mail, sign in as the invitee', async ({
  page,
  browser,
  mailTo,
  expectAccessible,
}) => {
  const unique = Date.now();
  await page.goto('/register');
  await expectAccessible();
  await page.getByLabel('First name').fill('Ada');
  await page.getByLabel('Last name').fill('Reyes');
  await page.getByLabel('Work e-mail').fill(`ada-${unique}@example.com`);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('Project name').fill('Riverside Clinic');
  await expectAccessible();
  await page.getByRole('button', { name: 'Create project' }).click();
  await page.waitForURL(/\/p\/[0-9a-f-]{36}/);
  const project = /\/p\/([0-9a-f-]{36})/.exec(page.url())![1];

  const email = `ben-${unique}@example.com`;
  const status = await page.evaluate(
    async ({ path, body }) =>
      (await fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body })).status,
    {
      path: `/admin/projects/${project}/invite`,
      body: JSON.stringify({ resourceType: 'Practitioner', firstName: 'Ben', lastName: 'Okafor', email }),
    },
  );
  expect(status).toBe(200);

  const link = findLink(await mailTo(email), '/setpassword/');
  const invitee = await (await browser.newContext()).newPage();
  await invitee.goto(link);
  await expect(invitee.getByText('Riverside Clinic').first()).toBeVisible();
  await invitee.reload();
  await expect(invitee.getByRole('heading', { name: 'Welcome, Ben' })).toBeVisible();
  await invitee
    .getByLabel(/password/i)
    .first()
    .fill(PASSWORD);
  await invitee.getByRole('button', { name: /accept|join|set password/i }).click();
  await invitee.waitForURL(/\/p\//);

  const again = await (await browser.newContext()).newPage();
  await again.goto('/signin');
  await again.getByLabel('E-mail').fill(email);
  await again.getByRole('button', { name: 'Continue' }).click();
  await again.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await again.getByRole('button', { name: 'Sign in' }).click();
  await again.waitForURL(new RegExp(`/p/${project}`));

  await page.goto(`/p/${project}/members`);
  await expect(page.getByText('Ben Okafor').first()).toBeVisible();
  await expectAccessible();
});
