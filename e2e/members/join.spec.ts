import { expect, test } from '../fixtures.ts';
import { findLink } from '../mailbox.ts';
import { invite } from '../people.ts';
import { PASSWORD, signUp, write } from '../sign-up.ts';

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
  await again.getByRole('button', { name: 'Sign in', exact: true }).click();
  await again.waitForURL(new RegExp(`/p/${project}`));

  // The link once more: it says what became of it, and leads on.
  await again.goto(link);
  await expect(again.getByRole('heading', { name: 'This link has been used' })).toBeVisible();
  await expect(again.getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', `/signin?project=${project}`);
  await again.getByRole('link', { name: 'Reset my password' }).click();
  await again.getByLabel('E-mail').fill(email);
  await again.keyboard.press('Enter');
  await expect(again.getByRole('heading', { name: 'Check your mail' })).toBeVisible();

  await page.goto(`/p/${project}/members`);
  await expect(page.getByText('Ben Okafor').first()).toBeVisible();
  await expectAccessible();
});

test('the code of the mail does what its link does; by keyboard alone', async ({ page, mailTo, expectAccessible }) => {
  const { project, email } = await signUp(page);
  await page.goto('/p');
  const invitee = `cy-${Date.now()}@example.com`;
  const body = { resourceType: 'Patient', firstName: 'Cy', lastName: 'Lund', email: invitee };
  await write(page, 'POST', `/admin/projects/${project}/invite`, body);
  const code = /\b\d{6}\b/.exec((await mailTo(invitee)).text)![0];
  await page.context().clearCookies();
  // What a cut-off link leads to.
  await page.goto('/setpassword/8a9a8e0e-0000-4000-8000-000000000000');
  await expect(page.getByRole('link', { name: 'Enter the code' })).toBeVisible();
  await expectAccessible();
  await page.getByRole('link', { name: 'Enter the code' }).press('Enter');
  await page.getByLabel('E-mail').fill(email);
  await expectAccessible();
  await page.keyboard.press('Tab');
  await page.keyboard.type(code);
  await page.keyboard.press('Enter');
  await expect(page.getByText('This code is not right, or no longer valid')).toBeVisible();
  await page.getByLabel('E-mail').fill(invitee);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Welcome, Cy' })).toBeVisible();
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/p\//);
});

test('a link that a newer one replaced sends another, in one press', async ({ page, mailTo, expectAccessible }) => {
  const { project } = await signUp(page);
  await page.goto('/p');
  const { id, email } = await invite(page, project, 'Dee Marsh');
  const old = findLink(await mailTo(email), '/setpassword/');
  const newestLink = async () => findLink(await mailTo(email), '/setpassword/');
  await write(page, 'POST', `/admin/projects/${project}/members/${id}/resendinvite`, {});
  await expect.poll(newestLink).not.toBe(old);
  const replaced = await newestLink();
  await page.goto(replaced);
  await expect(page.getByText('You are signed in as Ada Reyes. Accepting signs you in as Dee Marsh.')).toBeVisible();
  await expectAccessible();
  await page.context().clearCookies();
  await page.goto(old);
  await expect(page.getByRole('heading', { name: 'A newer link was sent' })).toBeVisible();
  await expectAccessible();
  await page.getByRole('button', { name: 'Send me a new one' }).press('Enter');
  await expect(page.getByRole('heading', { name: 'Check your mail' })).toBeVisible();
  await expect.poll(newestLink).not.toBe(replaced);
  await page.goto(await newestLink());
  await expect(page.getByRole('heading', { name: 'Welcome, Dee' })).toBeVisible();
  await expect(page.getByText('You are signed in')).toBeHidden();
});
