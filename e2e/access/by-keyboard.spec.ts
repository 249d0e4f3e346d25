import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import { tabTo } from '../looks.ts';
import { invite, readMember } from '../people.ts';
import { signUp } from '../sign-up.ts';

const headers = { 'sec-fetch-site': 'same-origin' };

async function make(page: Page, type: string, body: object): Promise<string> {
  const made = await page.request.post(`/fhir/R4/${type}`, { data: { resourceType: type, ...body }, headers });
  expect(made.status(), await made.text()).toBe(201);
  return `${type}/${(await made.json()).id}`;
}

async function press(page: Page, wanted: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, wanted);
  await page.keyboard.press(key);
}

/** Into a field, or of a list what begins so. */
async function type(page: Page, wanted: Locator, text: string): Promise<void> {
  await tabTo(page, wanted);
  await page.keyboard.type(text);
}

test('a policy is made of a template, based on another and saved with the keyboard alone', async ({ page }) => {
  test.slow();
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/access-policies`);
  await make(page, 'AccessPolicy', { name: 'Common', resource: [{ resourceType: 'Organization' }] });
  await page.reload();
  await press(page, page.getByRole('button', { name: 'New policy' }));
  await type(page, page.getByLabel('Begin with'), 'Ward');
  await expect(page.getByRole('list', { name: 'Rules' }).getByRole('listitem')).toHaveCount(3);
  await tabTo(page, page.getByLabel('Name', { exact: true }));
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('By keys');
  await type(page, page.getByLabel('Another policy that it is based on'), 'Common');
  await expect(page.getByRole('list', { name: 'Based on' }).getByText('Common')).toBeVisible();
  await press(page, page.getByRole('button', { name: 'Create policy' }));
  await expect(page.getByRole('heading', { name: 'By keys', level: 1 })).toBeVisible();
  const table = page.getByRole('table', { name: 'Access policies' });
  await page.goto(`/p/${project}/access-policies`);
  await expect(table.getByText(/Based on Common/)).toBeVisible();
});

test('what a draft allows is asked with the keyboard alone', async ({ page }) => {
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/access-test`);
  const resource = [{ resourceType: 'Patient', criteria: 'Patient?gender=female' }];
  await make(page, 'AccessPolicy', { name: 'Ward', resource });
  for (const gender of ['female', 'male']) await make(page, 'Patient', { gender });
  await page.reload();
  await type(page, page.getByLabel('Draft of'), 'Ward');
  await expect(page.getByLabel('Draft as JSON')).toHaveValue(/gender=female/);
  await type(page, page.getByLabel('Interaction'), 'search');
  await type(page, page.getByLabel('Resource type'), 'Patient');
  await type(page, page.getByLabel('Query'), 'active:missing=true');
  await press(page, page.getByRole('button', { name: 'Ask' }));
  await expect(page.getByRole('heading', { name: '1 of 2 records are seen' })).toBeVisible();
});

test('a review is started, decided and closed with the keyboard alone', async ({ page }) => {
  test.slow();
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/access-reviews`);
  const ward = await make(page, 'AccessPolicy', { name: 'Ward', resource: [{ resourceType: 'Patient' }] });
  const kept = await invite(page, project, 'Kay Moss', { accessPolicy: { reference: ward } });
  await press(page, page.getByRole('button', { name: 'Start a review' }));
  const dialog = page.getByRole('dialog', { name: 'Start a review' });
  await type(page, dialog.getByLabel('Name'), 'Autumn');
  const due = new Date(Date.now() + 10 * 86_400_000).toISOString();
  // As a date is written in the browser's language: month, day, year.
  await type(page, dialog.getByLabel('Due on'), `${due.slice(5, 7)}${due.slice(8, 10)}${due.slice(0, 4)}`);
  await press(page, dialog.getByLabel('Ada Reyes'), 'Space');
  await press(page, dialog.getByRole('button', { name: 'Start the review' }));
  await expect(page.getByRole('heading', { name: 'Autumn' })).toBeVisible();
  await press(page, page.getByRole('button', { name: 'Keep Kay Moss' }));
  await expect(page.getByText('1 of 3 decided')).toBeVisible();
  await press(page, page.getByRole('button', { name: 'Close review…' }));
  await press(page, page.getByRole('dialog').getByRole('button', { name: 'Close the review' }));
  await expect(page.getByText('Closed', { exact: true })).toBeVisible({ timeout: 30_000 });
  expect(await readMember(page, project, kept.id)).toMatchObject({ accessPolicy: { reference: ward } });
});

test('a member gets a policy for a patient with the keyboard alone', async ({ page }) => {
  test.slow();
  const { project } = await signUp(page);
  await page.goto(`/p/${project}`);
  const plain = await make(page, 'AccessPolicy', { name: 'Plain', resource: [{ resourceType: 'Task' }] });
  const resource = [{ resourceType: 'Patient', criteria: 'Patient?_id=%patient.id' }];
  const kin = await make(page, 'AccessPolicy', { name: 'Kin', resource });
  const patient = await make(page, 'Patient', { name: [{ given: ['Iris'], family: 'Okonjo' }] });
  const given = await invite(page, project, 'Gil Moss', { accessPolicy: { reference: plain } });
  await page.goto(`/p/${project}/members`);
  await press(page, page.getByRole('checkbox', { name: 'Select Gil Moss' }), 'Space');
  await press(page, page.getByRole('button', { name: 'Patients…' }));
  const dialog = page.getByRole('dialog', { name: /^Patients of/ });
  await type(page, dialog.getByLabel('Patient', { exact: true }), 'Okonjo');
  await expect(dialog.getByRole('option', { name: /Iris Okonjo/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await press(page, dialog.getByRole('button', { name: 'Add patient' }));
  await type(page, dialog.getByLabel('By the policy'), 'Kin');
  await press(page, dialog.getByRole('button', { name: 'Give access' }));
  await expect(page.getByText('One member changed').first()).toBeVisible();
  expect(await readMember(page, project, given.id)).toMatchObject({
    access: [{ policy: { reference: kin }, parameter: [{ name: 'patient', valueReference: { reference: patient } }] }],
  });
});
