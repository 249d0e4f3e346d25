import { expect, test } from '../fixtures.ts';
import { inEveryLook, tabTo } from '../looks.ts';
import { settled } from '../settled.ts';
import { signUp, write } from '../sign-up.ts';

const RULES = [{ resourceType: 'Patient', criteria: 'Patient?gender=female', hiddenFields: ['birthDate'] }];

test('an answer is kept as a test of its policy, run there, and stands against a save until that is meant', async ({
  page,
  expectAccessible,
}) => {
  test.slow();
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/access-test`);
  await expect(page.getByText('Ask what somebody may do')).toBeVisible();
  const made = { resourceType: 'AccessPolicy', name: 'Ward', resource: RULES };
  await write(page, 'POST', '/fhir/R4/AccessPolicy', made);
  await page.goto(`/p/${project}/access-policies`);
  await page.getByRole('link', { name: 'Ward', exact: true }).first().click();
  await page.getByRole('tab', { name: 'Tests' }).click();
  await expect(page.getByRole('heading', { name: 'No tests yet' })).toBeVisible();
  await page.getByRole('link', { name: 'Add by Test access' }).click();

  await expect(page.getByLabel('Draft as JSON')).toHaveValue(/gender=female/);
  await page.getByLabel('Resource type').fill('Patient');
  await page.getByRole('button', { name: 'Ask' }).click();
  await expect(page.getByText('Allowed for some (200)')).toBeVisible();
  await page.getByLabel('Keep as a test').fill('some women, no birth dates');
  await page.getByRole('button', { name: 'Keep', exact: true }).click();
  await expect(page.getByText('The test is kept with the policy')).toBeVisible();
  await page.getByLabel('Interaction').selectOption('create');
  await page.getByLabel('Resource as JSON').fill('{"resourceType":"Patient","gender":"male"}');
  await page.getByRole('button', { name: 'Ask' }).click();
  await expect(page.getByText('Refused (403)')).toBeVisible();
  await page.getByLabel('Keep as a test').fill('no men');
  await inEveryLook(page);
  await page.getByRole('button', { name: 'Keep', exact: true }).click();
  // What was said of the first may be gone from the screen by now; both are counted below.
  await settled(page);

  await page.goBack();
  await page.getByRole('tab', { name: 'Tests' }).click();
  const tests = page.getByRole('list', { name: 'Tests', exact: true }).getByRole('listitem');
  await expect(tests).toHaveCount(2);
  await tabTo(page, page.getByRole('button', { name: 'Run tests' }));
  await page.keyboard.press('Enter');
  await expect(page.getByText('All 2 pass')).toBeVisible();

  // What would break them is told while it is typed, as the tests of the draft, and by the save.
  await page.getByRole('tab', { name: 'Rules' }).click();
  const rule = page.getByRole('list', { name: 'Rules' }).getByRole('listitem').first();
  await rule.getByLabel('Only where').fill('');
  await expect(page.getByText(/The policy’s test “some women, no birth dates” fails/).first()).toBeVisible();
  await page.getByRole('tab', { name: 'Tests' }).click();
  await page.getByRole('button', { name: 'Run tests' }).click();
  await expect(page.getByText('2 of 2 do not pass')).toBeVisible();
  await expect(tests.first()).toContainText('Fails');
  await inEveryLook(page);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Tests stand against this' });
  await expect(dialog.getByRole('listitem')).toHaveCount(2);
  await inEveryLook(page);
  await expectAccessible();
  await dialog.getByRole('button', { name: 'Keep editing' }).click();
  await page.getByRole('button', { name: 'Remove the test no men' }).click();
  await expect(tests).toHaveCount(1);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog.getByRole('listitem')).toHaveCount(1);
  await dialog.getByRole('button', { name: 'Save all the same' }).click();
  await expect(page.getByText('The policy is saved')).toBeVisible();
  await expect(dialog).toBeHidden();

  // The way back is a save like any other.
  await page.getByRole('tab', { name: 'History' }).click();
  await page.getByRole('button', { name: 'Restore version 3' }).click();
  await expect(page.getByText('Version 3 is restored, as a new one')).toBeVisible();
  const headers = { 'sec-fetch-site': 'same-origin' };
  const log = await page.request.get(`/admin/projects/${project}/audit?action=access-policy.override`, { headers });
  expect((await log.json()).rows).toMatchObject([{ after: { failed: ['some women, no birth dates'] } }]);
});

test('conditions of a change and addresses are edited in the form, and what is wrong stands at the field', async ({
  page,
  expectAccessible,
}) => {
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/access-policies`);
  await expect(page.getByRole('button', { name: 'New policy' })).toBeVisible();
  await write(page, 'POST', '/fhir/R4/AccessPolicy', { resourceType: 'AccessPolicy', name: 'Ward', resource: RULES });
  await page.reload();
  await page.getByRole('link', { name: 'Ward', exact: true }).first().click();
  const rule = page.getByRole('list', { name: 'Rules' }).getByRole('listitem').first();
  await rule.getByRole('button', { name: 'Add a condition of a change to rule 1' }).click();
  await rule.getByLabel('Condition 1 of a change').fill('%after.active =');
  await expect(rule.getByText(/is no FHIRPath/)).toBeVisible();
  await page.getByRole('button', { name: 'Add an address' }).click();
  const address = page.getByRole('list', { name: 'Addresses' }).getByRole('listitem').first();
  await rule.getByLabel('Condition 1 of a change').fill('%after.active = true');
  await address.getByRole('textbox', { name: 'Address' }).fill('somewhere');
  await expect(address.getByText(/must be \*, an address/)).toBeVisible();
  await inEveryLook(page);
  await address.getByRole('textbox', { name: 'Address' }).fill('127.0.0.0/8');
  await address.getByLabel('Called').fill('Here');
  await page.getByRole('button', { name: 'Add an address' }).click();
  await expect(page.getByText('The server would take it.')).toBeVisible();
  await inEveryLook(page);
  await expectAccessible();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('The policy is saved')).toBeVisible();
  const id = page.url().split('/').at(-1)!.split('?')[0];
  const headers = { 'sec-fetch-site': 'same-origin' };
  const stored = await (await page.request.get(`/fhir/R4/AccessPolicy/${id}`, { headers })).json();
  expect(stored.ipAccessRule).toEqual([
    { value: '127.0.0.0/8', action: 'allow', name: 'Here' },
    { value: '*', action: 'block' },
  ]);
  expect(stored.resource[0].writeConstraint).toEqual([
    { language: 'text/fhirpath', expression: '%after.active = true' },
  ]);
  await page.getByRole('button', { name: 'Remove condition 1 of rule 1' }).click();
  await page.getByRole('button', { name: 'Remove address 2' }).click();
  await page.getByRole('button', { name: 'Remove address 1' }).click();
  await expect(page.getByText('From every address.')).toBeVisible();
});
