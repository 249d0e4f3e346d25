import { expect, test } from './fixtures.ts';
import { inEveryLook } from './looks.ts';
import { invite, readMember } from './people.ts';
import { signUp } from './sign-up.ts';

test('access, security, activity and JSON of a member', async ({ page, mailTo, expectAccessible }) => {
  const { project } = await signUp(page);
  const ben = await invite(page, project, 'Ben Okafor');
  await page.goto(`/p/${project}/members/${ben.id}`);
  await page.getByRole('button', { name: 'Add a policy' }).click();
  await page.getByLabel('Policy', { exact: true }).last().selectOption('Default Patient Access Policy');
  await page.getByRole('button', { name: 'Parameter', exact: true }).last().click();
  await page.getByLabel('Parameter name').fill('patient');
  await page.getByLabel('Parameter value').fill('Patient/p1');
  await inEveryLook(page, expectAccessible);
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByLabel('Role').selectOption('Administrator');
  await page.getByText('As code').click();
  await expect(page.getByRole('region', { name: 'This change as code' })).toContainText('"path": "/admin"');
  await expectAccessible();
  await page.getByRole('button', { name: 'Save access' }).click();
  await expect(page.getByText('Access saved')).toBeVisible();
  expect((await readMember(page, project, ben.id)).admin).toBe(true);

  await page.getByRole('tab', { name: 'Security' }).click();
  await expect(page.getByText('Waiting for an answer')).toBeVisible();
  await inEveryLook(page, expectAccessible);
  await page.getByRole('button', { name: 'Send a reset link' }).click();
  await expect(page.getByText('Mail with a reset link sent')).toBeVisible();
  await expect.poll(async () => (await mailTo(ben.email)).text).toContain('/setpassword/');

  await page.getByRole('tab', { name: 'Activity' }).click();
  await expect(page.getByText('Reset link sent', { exact: true })).toBeVisible();
  await expect(page.getByText(/admin: none → yes|admin: no → yes/)).toBeVisible();
  await inEveryLook(page, expectAccessible);
  await page.getByRole('tab', { name: 'JSON' }).click();
  await expect(page.getByText('"resourceType": "ProjectMembership"')).toBeVisible();
  await expect(page).toHaveURL(/tab=json/);
  await inEveryLook(page, expectAccessible);
});

test('a member that is not there says so, with a way to try again', async ({ page, expectAccessible }) => {
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/members/00000000-0000-4000-8000-000000000000`);
  await expect(page.getByText('Could not load this member')).toBeVisible();
  await expectAccessible();
});
