import { expect, test } from '../fixtures.ts';
import { inEveryLook, tabTo } from '../looks.ts';
import { invite, patchMember, readMember } from '../people.ts';
import { signUp } from '../sign-up.ts';

const headers = { 'sec-fetch-site': 'same-origin' };

test('chosen members get a policy for patients in one step, and who cannot is told', async ({ page }) => {
  test.slow();
  const { project } = await signUp(page);
  await page.goto(`/p/${project}`);
  const make = async (type: string, body: object) => {
    const made = await page.request.post(`/fhir/R4/${type}`, { data: { resourceType: type, ...body }, headers });
    expect(made.status(), await made.text()).toBe(201);
    return `${type}/${(await made.json()).id}`;
  };
  const plain = await make('AccessPolicy', { name: 'Plain', resource: [{ resourceType: 'Task' }] });
  const resource = [{ resourceType: 'Patient', criteria: 'Patient?_id=%patient.id' }];
  const kin = await make('AccessPolicy', { name: 'Kin', resource });
  const patient = await make('Patient', { name: [{ given: ['Iris'], family: 'Okonjo' }] });
  const other = await make('Patient', { name: [{ family: 'Vale' }] });
  const given = await invite(page, project, 'Gil Moss', { accessPolicy: { reference: plain } });
  // Without any policy: a first one would take all the rest from them.
  const bare = await invite(page, project, 'Olu Stone');
  await patchMember(page, project, bare.id, [{ op: 'remove', path: '/accessPolicy' }]);
  await page.goto(`/p/${project}/members`);
  for (const name of ['Gil Moss', 'Olu Stone']) await page.getByRole('checkbox', { name: `Select ${name}` }).check();
  await tabTo(page, page.getByRole('button', { name: 'Patients…' }));
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Patients of 2 members' });
  await dialog.getByRole('button', { name: 'Give access' }).click();
  await expect(dialog.getByText('Choose a policy', { exact: true }).first()).toBeVisible();
  await inEveryLook(page);
  await dialog.getByLabel('Patient', { exact: true }).pressSequentially('Okonjo');
  await expect(dialog.getByRole('option', { name: /Iris Okonjo/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Add patient' }).click();
  await dialog.getByLabel('Patient', { exact: true }).fill(other);
  await dialog.getByRole('button', { name: 'Add patient' }).click();
  await expect(dialog.getByRole('list', { name: 'Chosen patients' }).getByRole('listitem')).toHaveCount(2);
  await dialog.getByLabel('By the policy').selectOption('Kin');
  await inEveryLook(page);
  await dialog.getByRole('button', { name: 'Give access' }).click();
  await expect(dialog.getByText('One member was left as it is')).toBeVisible();
  await expect(page.getByText('One member changed')).toBeVisible();
  await inEveryLook(page);
  const entry = (reference: string) => ({
    policy: { reference: kin },
    parameter: [{ name: 'patient', valueReference: { reference } }],
  });
  expect(await readMember(page, project, given.id)).toMatchObject({ access: [entry(patient), entry(other)] });
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect(dialog).toHaveCount(0);
});
