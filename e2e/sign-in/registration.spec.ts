import { expect, test } from '../fixtures.ts';
import { inEveryLook } from '../looks.ts';
import { PASSWORD, signUp } from '../sign-up.ts';

test('an administrator opens the project to patients, who then register, and closes it again', async ({
  page,
  request,
}) => {
  const { project } = await signUp(page);
  const person = { firstName: 'Pia', lastName: 'Reed', password: PASSWORD, projectId: project };
  const register = (email: string) => request.post('/auth/newuser', { data: { ...person, email } });
  expect((await register(`closed-${project}@example.com`)).status()).toBe(400);

  await page.goto(`/p/${project}/settings`);
  const card = page.getByRole('region', { name: 'Registration' });
  await card.getByLabel('Who may register').selectOption('Anybody, as a patient');
  await card.getByRole('button', { name: 'Save registration' }).click();
  await expect(card.getByRole('button', { name: 'Save registration' })).toBeHidden();
  await inEveryLook(page);
  const registered = await register(`open-${project}@example.com`);
  expect(registered.status(), await registered.text()).toBe(200);
  const { login } = await registered.json();
  const started = await request.post('/auth/newpatient', { data: { login, projectId: project } });
  expect(started.status(), await started.text()).toBe(200);

  await page.reload();
  await card.getByLabel('Who may register').selectOption('Nobody: people are invited');
  await card.getByRole('button', { name: 'Save registration' }).click();
  await expect(card.getByRole('button', { name: 'Save registration' })).toBeHidden();
  expect((await register(`again-${project}@example.com`)).status()).toBe(400);
});
