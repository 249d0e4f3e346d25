import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import { inEveryLook, tabTo } from '../looks.ts';
import { invite, patchMember } from '../people.ts';
import { signUp, write } from '../sign-up.ts';

const RULES = [
  { resourceType: 'Patient', criteria: 'Patient?gender=male', readonly: true, hiddenFields: ['address'] },
  { resourceType: 'Observation', criteria: 'Observation?performer=%nobody' },
];

/** A policy of these rules, and a member who has it. */
async function limitedMember(page: Page, project: string) {
  await write(page, 'POST', '/fhir/R4/AccessPolicy', { resourceType: 'AccessPolicy', name: 'Ward', resource: RULES });
  const policy = await find(page, 'AccessPolicy?name=Ward');
  const ben = await invite(page, project, 'Ben Okafor');
  await patchMember(page, project, ben.id, [{ op: 'add', path: '/accessPolicy', value: { reference: policy } }]);
  return { ben, policy };
}

async function find(page: Page, query: string): Promise<string> {
  return page.evaluate(async (path) => {
    const { entry } = await (await fetch(`/fhir/R4/${path}`)).json();
    return `${entry[0].resource.resourceType}/${entry[0].resource.id}`;
  }, query);
}

test('who can see a record, by which rule in words, asked by keyboard alone', async ({ page, expectAccessible }) => {
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/activity/access`);
  await limitedMember(page, project);
  await write(page, 'POST', '/fhir/R4/Patient', { resourceType: 'Patient', gender: 'male' });
  const patient = await find(page, 'Patient?gender=male');
  await tabTo(page, page.getByLabel('Record'));
  await page.keyboard.type(patient);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Can see it' })).toBeVisible();
  await expect(page.getByText('Rule 1 of Ward: may read and search Patients whose gender is male')).toBeVisible();
  await expect(page.getByText('Does not see address.')).toBeVisible();
  await expect(page.getByText('No policy limits them.').first()).toBeVisible();
  await inEveryLook(page);
  await expectAccessible();
  await page.getByRole('link', { name: 'Ben Okafor' }).click();
  await expect(page.getByRole('heading', { name: 'What they may do' })).toBeVisible();

  await page.goto(`/p/${project}/activity/access?resource=Patient/nobody`);
  await expect(page.getByText('There is no such record that you can see.')).toBeVisible();
});

test('what a member may do stands on their Access tab, and what another access would change, before it is saved', async ({
  page,
  expectAccessible,
}) => {
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/members`);
  const { ben } = await limitedMember(page, project);
  await write(page, 'POST', '/fhir/R4/Patient', { resourceType: 'Patient', gender: 'female' });
  await page.goto(`/p/${project}/members/${ben.id}`);
  await expect(page.getByText(/Ben Okafor may read and search Patients whose gender is male; without/)).toBeVisible();
  await page.getByText('One rule grants nothing').click();
  await expect(page.getByText(/Rule 2 of Ward: .*whose performer is %nobody/)).toBeVisible();

  await page.getByRole('button', { name: 'Take this policy away' }).click();
  await page.getByRole('button', { name: 'What would this change?' }).click();
  await expect(page.getByText('One member touched.')).toBeVisible();
  const patients = page.getByRole('listitem').filter({ hasText: /^Patient:/ });
  await expect(patients).toContainText('1 more to read');
  await expect(patients).toContainText('address no longer hidden');
  await inEveryLook(page);
  await expectAccessible();
});

test('what one may do oneself stands on one’s own page', async ({ page, expectAccessible }) => {
  await signUp(page);
  await page.goto('/account');
  const own = page.getByRole('region', { name: 'What you may do' });
  await expect(own.getByText('No policy limits what may be done with records.')).toBeVisible();
  await expect(own.getByText('You may read, search, create, change and delete records of every type.')).toBeVisible();
  await own.getByRole('button', { name: /^Show all/ }).click();
  await expect(own.getByText(/You may read and search ProjectMemberships/)).toBeVisible();
  await inEveryLook(page);
  await expectAccessible();
});
