import { expect, test } from '../fixtures.ts';
import { inEveryLook } from '../looks.ts';
import { signUp, write } from '../sign-up.ts';

test('a policy is based on another, says where what is written belongs, and the list tells who stands on whom', async ({
  page,
  expectAccessible,
}) => {
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/access-policies`);
  await expect(page.getByRole('button', { name: 'New policy' })).toBeVisible();
  const policy = (name: string, type: string) => ({
    resourceType: 'AccessPolicy',
    name,
    resource: [{ resourceType: type }],
  });
  await write(page, 'POST', '/fhir/R4/AccessPolicy', policy('Common', 'Organization'));
  await write(page, 'POST', '/fhir/R4/AccessPolicy', policy('Ward', 'Patient'));
  await page.reload();
  await page.getByRole('link', { name: 'Ward', exact: true }).first().click();
  await page.getByLabel('Another policy that it is based on').selectOption('Common');
  const bases = page.getByRole('list', { name: 'Based on' });
  await expect(bases.getByText('Common')).toBeVisible();
  const belongs = page.getByLabel('What is written belongs to');
  await belongs.fill('somewhere');
  await expect(page.getByText(/Must be Type\/id/).first()).toBeVisible();
  await inEveryLook(page);
  await belongs.fill('Organization/%organization');
  await expect(page.getByText('The server would take it.')).toBeVisible();
  await expectAccessible();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('The policy is saved')).toBeVisible();
  await page.goto(`/p/${project}/access-policies`);
  const table = page.getByRole('table', { name: 'Access policies' });
  await expect(table.getByText(/Based on Common/)).toBeVisible();
  await expect(table.getByText('1 policy is based on it')).toBeVisible();
  await inEveryLook(page);
  await page.getByRole('link', { name: 'Common', exact: true }).first().click();
  await page.getByRole('button', { name: 'Delete…' }).click();
  await page.getByRole('button', { name: 'Delete the policy' }).click();
  await expect(page.getByText(/what others are based on/)).toBeVisible();
});
