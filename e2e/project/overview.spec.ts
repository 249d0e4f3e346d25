import { losePolicy } from '../database.ts';
import { expect, test } from '../fixtures.ts';
import { inEveryLook, tabTo } from '../looks.ts';
import { signUp, write } from '../sign-up.ts';

test('first steps lead somewhere and get done; what needs attention has its one press', async ({ page }) => {
  const { project } = await signUp(page);
  await page.goto(`/p/${project}`);
  await expect(page.getByText('0 of 5 done')).toBeVisible();
  await inEveryLook(page);

  await page.getByRole('link', { name: 'Write a policy' }).click();
  await expect(page).toHaveURL(/\/access-policies\/new$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('New access policy');
  await page.goBack();
  await page.getByRole('link', { name: 'Open bots' }).click();
  await page.getByRole('button', { name: 'Create Echo' }).click();
  await expect(page.getByRole('heading', { name: 'Echo' })).toBeVisible();
  await page.waitForURL(/\/bots\/[0-9a-f-]{36}/);
  const invite = {
    resourceType: 'Practitioner',
    firstName: 'Ben',
    lastName: 'Okafor',
    email: `ben-${project}@example.com`,
  };
  await write(page, 'POST', `/admin/projects/${project}/invite`, invite);
  await page.goto(`/p/${project}`);
  await expect(page.getByText('2 of 5 done')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Numbers' })).toContainText('1 invited, 0 inactive');
  await expect(page.getByText('Ada Reyes deployed the bot Echo')).toBeVisible();
  await inEveryLook(page);

  await page.getByRole('link', { name: /^Edit access: Echo/ }).click();
  await expect(page).toHaveURL(/\/members\/[0-9a-f-]{36}/);
  await page.goBack();
  await page.getByRole('link', { name: /deployed the bot/ }).click();
  await expect(page.getByRole('dialog', { name: 'Entry' })).toBeVisible();
});

test('a number that cannot be read says so, with its request id, and is asked for again', async ({ page }) => {
  const { project } = await signUp(page);
  await page.route('**/overview', (route) =>
    route.fulfill({
      status: 409,
      headers: { 'x-request-id': 'req-7', 'content-type': 'application/fhir+json' },
      body: JSON.stringify({
        resourceType: 'OperationOutcome',
        issue: [{ severity: 'error', details: { text: 'Not now' } }],
      }),
    }),
  );
  await page.goto(`/p/${project}`);
  await expect(page.getByText('Not now')).toBeVisible();
  await expect(page.getByText('req-7')).toBeVisible();
  // The other panels do not go down with it.
  await expect(page.getByText('No bots yet')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Recent changes' }).getByRole('listitem').first()).toBeVisible();
  await page.unroute('**/overview');
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByText('First steps')).toBeVisible();
});

test('by keyboard alone: skip the first steps, go to the last change', async ({ page }) => {
  const { project } = await signUp(page);
  await page.goto(`/p/${project}`);
  const skip = page.getByRole('button', { name: 'Skip the rest' });
  await expect(skip).toBeVisible();
  await tabTo(page, skip);
  await page.keyboard.press('Enter');
  await expect(page.getByText('First steps')).toBeHidden();
  await tabTo(page, page.getByRole('link', { name: 'All activity' }));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/activity/);
});

test('who names a policy that is gone is told of, and is found from the list of policies', async ({
  page,
  expectAccessible,
}) => {
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/access-policies`);
  await expect(page.getByRole('button', { name: 'New policy' })).toBeVisible();
  const policy = { resourceType: 'AccessPolicy', name: 'Ward', resource: [{ resourceType: 'Patient' }] };
  await write(page, 'POST', '/fhir/R4/AccessPolicy', policy);
  await page.reload();
  await page.getByRole('link', { name: 'Ward', exact: true }).first().click();
  await expect(page).toHaveURL(/access-policies\/[0-9a-f-]{36}/);
  const id = page.url().split('/').at(-1)!.split('?')[0];
  const reference = `AccessPolicy/${id}`;
  await write(page, 'POST', `/admin/projects/${project}/invite`, {
    ...{ resourceType: 'Practitioner', firstName: 'Ben', lastName: 'Okafor', email: `ben-${project}@example.com` },
    accessPolicy: { reference },
  });
  await losePolicy(project, reference);
  await page.goto(`/p/${project}/access-policies`);
  const gone = page.getByRole('list', { name: 'Policies that are gone' }).getByRole('listitem');
  await expect(gone).toContainText(reference);
  await inEveryLook(page);
  await expectAccessible();
  await gone.getByRole('link').click();
  await expect(page.getByText('Ben Okafor').first()).toBeVisible();
  await expect(page.getByText('Ada Reyes', { exact: true })).toHaveCount(0);
  await page.goto(`/p/${project}`);
  await expect(page.getByRole('heading', { name: '1 member without their policy' })).toBeVisible();
  await inEveryLook(page);
  await page.getByRole('link', { name: 'Edit access: Ben Okafor' }).click();
  await expect(page).toHaveURL(/\/members\/[0-9a-f-]{36}/);
});
