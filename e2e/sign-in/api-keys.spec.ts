import { expect, test } from '../fixtures.ts';
import { inEveryLook } from '../looks.ts';
import { confirmed } from '../settled.ts';
import { signUp } from '../sign-up.ts';

test('a project lets people have keys; one is made, shown once, works, is seen by an administrator and ended', async ({
  page,
  request,
}) => {
  const { project } = await signUp(page);
  await page.goto('/account');
  await expect(page.getByRole('heading', { name: 'Account', level: 1 })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'API keys' })).toHaveCount(0);
  await page.goto(`/p/${project}/settings`);
  await page.getByRole('switch', { name: 'People may have API keys' }).click();
  await expect(page.getByText('Settings saved')).toBeVisible();
  await confirmed(page);
  await expect(page.getByRole('switch', { name: 'People may have API keys' })).toBeChecked();
  await inEveryLook(page);

  await page.goto('/account');
  await expect(page.getByText('You have none in this project.')).toBeVisible();
  await page.getByRole('button', { name: 'New key' }).click();
  const form = page.getByRole('dialog', { name: 'A new API key' });
  await form.getByLabel('Scopes').fill('everything');
  await form.getByRole('button', { name: 'Make the key' }).click();
  await expect(form.getByText('Name the key')).toBeVisible();
  await expect(form.getByText('Each scope must be one for resources, like user/Patient.rs')).toBeVisible();
  await inEveryLook(page);
  await form.getByLabel('Name').fill('Monthly report');
  await form.getByLabel('Scopes').fill('user/Patient.rs');
  await form.getByRole('button', { name: 'Make the key' }).click();
  const told = page.getByRole('dialog', { name: 'The key Monthly report' });
  await expect(told).toBeVisible();
  const key = (await told.getByText(/^gh_/).first().textContent()) ?? '';
  await inEveryLook(page);
  await told.getByRole('button', { name: 'I have kept it' }).click();
  await expect(told).toBeHidden();
  expect(await page.content()).not.toContain(key);
  const ask = async (type: string) =>
    (await request.get(`/fhir/R4/${type}`, { headers: { authorization: `Bearer ${key}` } })).status();
  expect([await ask('Patient'), await ask('Observation')]).toEqual([200, 403]);
  await expect(page.getByRole('list', { name: 'API keys' })).toContainText('Monthly report');
  await inEveryLook(page);

  const { membership } = (await (await page.request.get('/auth/me')).json()) as { membership: { id: string } };
  await page.goto(`/p/${project}/members/${membership.id}?tab=security`);
  const keys = page.getByRole('list', { name: 'API keys' });
  await expect(keys).toContainText('user/Patient.rs');
  await inEveryLook(page);
  await page.getByRole('button', { name: 'End all keys' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End all keys' }).click();
  await expect(keys).toHaveCount(0);
  await confirmed(page);
  expect(await ask('Patient')).toBe(401);
});
