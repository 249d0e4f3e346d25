import { ageSignIns } from '../database.ts';
import { expect, test } from '../fixtures.ts';
import { inEveryLook } from '../looks.ts';
import { invite } from '../people.ts';
import { confirmed } from '../settled.ts';
import { PASSWORD, signUp } from '../sign-up.ts';

test('the owner hands the project over, by the name of who gets it and by a proof, on a phone', async ({
  page,
  mailTo,
}) => {
  const { project, email } = await signUp(page);
  const joined = { scope: 'server', sendEmail: false, password: PASSWORD };
  const next = await invite(page, project, 'Pia Okafor', { ...joined, admin: true });
  const other = await invite(page, project, 'Noah Berg', joined);
  await page.goto(`/p/${project}/members/${other.id}?tab=security`);
  await expect(page.getByText('The next owner must be an active administrator: make them one first.')).toBeVisible();

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/p/${project}/members/${next.id}?tab=security`);
  await page.getByRole('button', { name: 'Hand over ownership' }).click();
  const dialog = page.getByRole('dialog', { name: 'Hand the project over to Pia Okafor?' });
  const act = dialog.getByRole('button', { name: 'Hand over ownership' });
  await expect(act).toBeDisabled();
  await inEveryLook(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await dialog.getByLabel('Type “Pia Okafor” to confirm').fill('Pia Okafor');
  await ageSignIns(project);
  await act.click();
  const proof = page.getByRole('dialog', { name: 'Is it you?' });
  await proof.getByLabel('Your password').fill(PASSWORD);
  await proof.getByRole('button', { name: 'Go on' }).click();
  await expect(dialog).toHaveCount(0);
  await confirmed(page);
  await expect(page.getByText('Owner', { exact: true }).first()).toBeVisible();
  await expect(page.getByText('Ownership of the project')).toHaveCount(0);
  expect((await mailTo(email)).subject).toContain('has another owner');
});
