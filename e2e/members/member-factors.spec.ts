import { readFileSync } from 'node:fs';
import { scan } from '#lib/testing/devices/authenticator.ts';
import { expect, test } from '../fixtures.ts';
import { inEveryLook } from '../looks.ts';
import { findLink } from '../mailbox.ts';
import { invite } from '../people.ts';
import { awake } from '../settled.ts';
import { signUp, write } from '../sign-up.ts';

test('who has a second factor: in the list, by a filter that the address keeps, and in the export', async ({
  page,
}) => {
  const { project } = await signUp(page);
  await invite(page, project, 'Ben Okafor');
  await page.goto(`/p/${project}/members`);
  const { enrollUri } = await (await page.request.get('/auth/mfa/status')).json();
  await write(page, 'POST', '/auth/mfa/enroll', { token: scan(enrollUri).next() });
  await page.reload();
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  await expect(row('Ada Reyes').getByText('App code')).toBeVisible();
  await expect(row('Ben Okafor').getByText('None', { exact: true })).toBeVisible();
  await inEveryLook(page);
  const table = page.getByRole('table', { name: 'Members' });
  expect(await table.evaluate((node) => node.scrollWidth <= node.parentElement!.clientWidth)).toBe(true);

  await page.getByRole('combobox', { name: 'Second factor' }).click();
  await page.getByRole('option', { name: 'Password only' }).click();
  await expect(page).toHaveURL(/factor=none/);
  await expect(row('Ada Reyes')).toBeHidden();
  await expect(row('Ben Okafor')).toBeVisible();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  const lines = readFileSync(await (await download).path(), 'utf8')
    .trim()
    .split('\r\n');
  expect(lines).toHaveLength(2);
  expect(lines[0]).toContain(',status,second factor,');
  expect(lines[1]).toContain(',Invited,None,');

  await page.setViewportSize({ width: 390, height: 844 });
  const card = page.getByRole('listitem').filter({ hasText: 'Ben Okafor' });
  await expect(card.getByText('None', { exact: true })).toBeVisible();
});

for (const viewport of [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
]) {
  test(`an invitation to a project without passwords leads to its sign-in, at ${viewport.width} px`, async ({
    page,
    mailTo,
  }) => {
    const { project } = await signUp(page);
    await page.goto(`/p/${project}/members`);
    const settings = [{ name: 'signInWays.Practitioner', valueString: 'link' }];
    await write(page, 'POST', `/admin/projects/${project}/settings`, settings);
    const { email } = await invite(page, project, 'Pia Okafor');
    await page.setViewportSize(viewport);
    await page.context().clearCookies();
    const mail = await mailTo(email);
    expect(mail.text).toContain('You sign in there with a link by e-mail.');
    await page.goto(findLink(mail, '/setpassword/'));
    await awake(page);
    await expect(page.getByRole('heading', { name: 'Welcome, Pia' })).toBeVisible();
    await expect(page.getByText('You sign in with a link by e-mail.')).toBeVisible();
    await expect(page.getByLabel('Password')).toHaveCount(0);
    await inEveryLook(page);
    await page.setViewportSize(viewport);
    await page.getByRole('link', { name: 'Go to the sign-in page' }).click();
    await expect(page.getByLabel('E-mail', { exact: true })).toHaveValue(email);
  });
}
