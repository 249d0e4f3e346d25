import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import { inEveryLook } from '../looks.ts';
import { awake, confirmed } from '../settled.ts';
import { signUp, write } from '../sign-up.ts';

async function newestOf(page: Page, type: string): Promise<string> {
  return page.evaluate(async (of) => {
    const { entry } = await (await fetch(`/fhir/R4/${of}?_sort=-_lastUpdated`)).json();
    return entry[0].resource.id as string;
  }, type);
}

test('an administrator has the record of a patient erased: the setting, what it would take, the name typed, how far it is, and that it is gone', async ({
  page,
  expectAccessible,
}) => {
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/settings`);
  await write(page, 'POST', '/fhir/R4/Patient', { resourceType: 'Patient', name: [{ text: 'Zoe Quill' }] });
  const patient = await newestOf(page, 'Patient');
  await write(page, 'POST', '/fhir/R4/Patient', { resourceType: 'Patient', name: [{ text: 'Ann Other' }] });
  const other = await newestOf(page, 'Patient');
  const subject = { reference: `Patient/${patient}` };
  for (let n = 0; n < 3; n += 1)
    await write(page, 'POST', '/fhir/R4/Observation', {
      ...{ resourceType: 'Observation', status: 'final', code: { text: 'Dose' } },
      subject,
    });
  const participant = [patient, other].map((id) => ({ actor: { reference: `Patient/${id}` }, status: 'accepted' }));
  await write(page, 'POST', '/fhir/R4/Appointment', { resourceType: 'Appointment', status: 'proposed', participant });

  await page.goto(`/p/${project}/settings`);
  await awake(page);
  await page.getByRole('link', { name: 'Erase a record…' }).click();
  await expect(page.getByText('Name a patient')).toBeVisible();
  await inEveryLook(page);
  await page.getByLabel('Patient').fill(`Patient/${patient}`);
  await page.getByLabel('Patient').press('Enter');
  await expect(page.getByRole('heading', { name: 'Zoe Quill' })).toBeVisible();
  const erased = page.getByRole('region', { name: 'Would be erased' });
  await expect(erased.getByText('3 Observation')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Kept' }).getByText('1 Appointment')).toBeVisible();
  await expect(page.getByText('This project erases no records.')).toBeVisible();
  await inEveryLook(page);

  await page.goto(`/p/${project}/settings`);
  await awake(page);
  await page.getByRole('switch', { name: 'Administrators may erase records' }).click();
  await confirmed(page);
  await page.goto(`/p/${project}/settings/erasure?patient=${patient}`);
  await awake(page);
  const open = page.getByRole('button', { name: 'Erase the record…' });
  await expect(open).toBeDisabled();
  await page.getByLabel('Why').fill('Asked for by the person');
  await page.getByLabel('Why').press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Erase the record of Zoe Quill?' });
  await expect(dialog.getByText('4 resources are')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Erase the record' })).toBeDisabled();
  await inEveryLook(page);
  await dialog.getByLabel('Type “Zoe Quill” to confirm').fill('zoe quill');
  await dialog.getByRole('button', { name: 'Erase the record' }).click();
  await expect(dialog).toHaveCount(0);
  const list = page.getByRole('region', { name: 'Asked for' });
  await expect(list.getByText('4 erased')).toBeVisible({ timeout: 30_000 });
  await expect(list.getByText('1 Appointment')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Erase the record…' })).toHaveCount(0);
  await inEveryLook(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible();
  expect(await page.evaluate(async (id) => (await fetch(`/fhir/R4/Patient/${id}`)).status, patient)).toBe(410);
});
