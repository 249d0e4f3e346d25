import { endErasure } from '../database.ts';
import { expect, test } from '../fixtures.ts';
import { inEveryLook } from '../looks.ts';
import { findLink } from '../mailbox.ts';
import { invite } from '../people.ts';
import { awake, confirmed } from '../settled.ts';
import { PASSWORD, signIn, signUp } from '../sign-up.ts';

test('a person has their account erased: they see what goes, take it back, ask again, and are gone once it has waited', async ({
  page,
  mailTo,
}) => {
  const { project } = await signUp(page);
  const joined = { scope: 'server', sendEmail: false, password: PASSWORD };
  const pia = await invite(page, project, 'Pia Okafor', joined);
  await page.goto('/account');
  await awake(page);
  const card = page.getByRole('region', { name: 'Erase your account' });
  await expect(card.getByText('is owned by this account: hand it over first')).toBeVisible();
  await expect(card.getByRole('button')).toHaveCount(0);
  await inEveryLook(page);

  await page.context().clearCookies();
  await signIn(page, pia.email);
  await page.goto('/account');
  await awake(page);
  const ask = async () => {
    await card.getByRole('button', { name: 'Erase your account…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Erase your account?' });
    await expect(
      dialog.getByRole('list', { name: 'Projects that you leave' }).getByText('Riverside Clinic'),
    ).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Erase my account' })).toBeDisabled();
    await inEveryLook(page);
    await dialog.getByLabel(`Type “${pia.email}” to confirm`).fill(pia.email);
    await dialog.getByRole('button', { name: 'Erase my account' }).click();
    await expect(dialog).toHaveCount(0);
    await confirmed(page);
    await expect(card.getByText('Erasure of the account')).toBeVisible();
  };
  await ask();
  await inEveryLook(page);
  await page.goto(findLink(await mailTo(pia.email), '/accountchange/'));
  await expect(page.getByRole('heading', { name: 'Keep your account?' })).toBeVisible();
  await inEveryLook(page);
  await page.goto('/account');
  await awake(page);
  await card.getByRole('button', { name: 'Take it back: Erasure of the account' }).click();
  await expect(card.getByRole('button', { name: 'Erase your account…' })).toBeVisible();
  await ask();

  await endErasure(pia.email);
  await expect
    .poll(async () => (await page.request.get('/auth/me')).status(), { timeout: 45_000, message: 'every session ends' })
    .toBe(401);
  await page.goto('/signin');
  await awake(page);
  await page.getByLabel('E-mail').fill(pia.email);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('alert').first()).toBeVisible();
});

test('an administrator has the account of a person of the project erased, and takes it back', async ({ page }) => {
  const { project } = await signUp(page);
  const own = { scope: 'project', sendEmail: false, password: PASSWORD };
  const pia = await invite(page, project, 'Pia Okafor', own);
  await page.goto(`/p/${project}/members/${pia.id}?tab=security`);
  await awake(page);
  await page.getByRole('button', { name: 'Erase the account…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Erase the account of Pia Okafor?' });
  await inEveryLook(page);
  await dialog.getByLabel(`Type “${pia.email}” to confirm`).fill(pia.email);
  await dialog.getByRole('button', { name: 'Erase the account' }).click();
  await expect(dialog).toHaveCount(0);
  await confirmed(page);
  await page.getByRole('button', { name: 'Take it back: Erasure of the account' }).click();
  await expect(page.getByText('Erasure of the account')).toBeHidden();
  await page.setViewportSize({ width: 390, height: 844 });
  await inEveryLook(page);
});
