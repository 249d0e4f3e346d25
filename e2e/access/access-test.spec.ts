import { expect, test } from '../fixtures.ts';
import { inEveryLook, tabTo } from '../looks.ts';
import { signUp, write } from '../sign-up.ts';

const RULES = [
  { resourceType: 'Patient', criteria: 'Patient?gender=female', hiddenFields: ['birthDate'] },
  { resourceType: 'Encounter', readonly: true },
];

test('what a draft allows: of a type, of a search which records are seen, and what is wrong with it', async ({
  page,
  expectAccessible,
}) => {
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/access-test`);
  await expect(page.getByText('Ask what somebody may do')).toBeVisible();
  for (const gender of ['female', 'male'])
    await write(page, 'POST', '/fhir/R4/Patient', { resourceType: 'Patient', gender });
  await write(page, 'POST', '/fhir/R4/AccessPolicy', { resourceType: 'AccessPolicy', name: 'Ward', resource: RULES });
  await page.reload();

  await page.getByLabel('Draft of').selectOption('Ward');
  await expect(page.getByLabel('Draft as JSON')).toHaveValue(/"gender=female|Patient\?gender=female/);
  await page.getByLabel('Interaction').selectOption('search');
  await page.getByLabel('Resource type').fill('Patient');
  await page.getByLabel('Query').fill('active:missing=true');
  await page.getByRole('button', { name: 'Ask' }).click();
  await expect(page.getByRole('heading', { name: '1 of 2 records are seen' })).toBeVisible();
  await expect(page.getByText('without birthDate', { exact: true })).toBeVisible();
  await expect(
    page.getByText(
      'May read, search, create, change and delete Patients whose gender is female; without seeing birthDate',
    ),
  ).toBeVisible();
  await inEveryLook(page);

  // By keyboard alone.
  await page.getByLabel('Interaction').selectOption('delete');
  await tabTo(page, page.getByLabel('Resource type'));
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('Encounter');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Refused (403)')).toBeVisible();
  await expect(page.getByText('No rule is for delete of Encounter')).toBeVisible();

  await page.getByLabel('Draft as JSON').fill('{');
  await page.getByRole('button', { name: 'Ask' }).click();
  await expect(page.getByText('This is no JSON object')).toBeVisible();
  await expectAccessible();
});

test('from a member to what they may do; and a refusal is opened by its id', async ({ page, expectAccessible }) => {
  const { project, membership } = await signUp(page);
  await page.goto(`/p/${project}/members/${membership}`);
  await page.getByRole('main').getByRole('link', { name: 'Test access' }).click();
  await expect(page).toHaveURL(/access-test\?membership=/);
  await expect(page.getByRole('combobox', { name: 'Member' })).toHaveValue('Ada Reyes');
  await page.getByLabel('Resource type').fill('Patient');
  await page.getByRole('button', { name: 'Ask' }).click();
  await expect(page.getByText('They may read every Patient')).toBeVisible();
  await page.getByRole('combobox', { name: 'Member' }).fill('reye');
  await page.getByRole('option', { name: 'Ada Reyes' }).click();
  await expect(page).toHaveURL(new RegExp(`membership=ProjectMembership(/|%2F)${membership}`));

  const id = await page.evaluate(async () => {
    const answer = await fetch('/fhir/R4/Login');
    return answer.headers.get('x-gatehouse-decision');
  });
  await page.getByLabel('Decision id').fill(id ?? '');
  await page.getByRole('button', { name: 'Open' }).click();
  await expect(page.getByText('Ada Reyes was refused search of Login')).toBeVisible();
  await inEveryLook(page);

  await page.getByLabel('Decision id').fill('x');
  await page.getByRole('button', { name: 'Open' }).click();
  await expect(page.getByText(/this decision/)).toBeVisible();
  await expectAccessible();
});
