import type { Browser, Page } from '@playwright/test';
import { loseProfile } from '../database.ts';
import { expect, test } from '../fixtures.ts';
import { inEveryLook, tabTo } from '../looks.ts';
import { type Invited, invite, readMember } from '../people.ts';
import { confirmed } from '../settled.ts';
import { signUp } from '../sign-up.ts';

const PASSWORD = 'staple orbit lantern 43';
/** The cookie counts only for what our own pages send. */
const SAME_SITE = { 'sec-fetch-site': 'same-origin' };
const known = { password: PASSWORD, sendEmail: false };

/** Signs in as a person does, in a browser of their own. */
async function enterAs(browser: Browser, project: string, { email }: Invited): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await page.goto(`/signin?project=${project}&next=/p/${project}`);
  await page.getByLabel('E-mail').fill(email);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  return page;
}

/** The name that /auth/me gives the person who is signed in; undefined while their record is gone. */
async function ownRecord(page: Page): Promise<string | undefined> {
  const answer = await page.request.get('/auth/me', { headers: SAME_SITE });
  return (await answer.json()).profile?.id;
}

/** Somebody's record without a membership. */
async function makePractitioner(page: Page, given: string, family: string): Promise<string> {
  const data = { resourceType: 'Practitioner', name: [{ given: [given], family }] };
  const answer = await page.request.post('/fhir/R4/Practitioner', { data, headers: SAME_SITE });
  expect(answer.status()).toBe(201);
  return (await answer.json()).id;
}

test('a profile in use is not deleted; lost all the same, it comes back and the person is who they were', async ({
  page,
  browser,
}) => {
  const { project } = await signUp(page);
  const ben = await invite(page, project, 'Ben Okafor', known);
  const refused = await page.request.delete(`/fhir/R4/${ben.profile.reference}`, { headers: SAME_SITE });
  expect(refused.status()).toBe(409);
  expect((await refused.json()).issue[0].expression).toEqual([`ProjectMembership/${ben.id}`]);

  await loseProfile({ project, profile: ben.profile.reference });
  const theirs = await enterAs(browser, project, ben);
  await expect(theirs.getByText('You are a member of this project.')).toBeVisible();
  expect(await ownRecord(theirs)).toBeUndefined();

  await page.goto(`/p/${project}`);
  await expect(page.getByText(/The profile of Ben Okafor is gone/)).toBeVisible();
  await page.goto(`/p/${project}/members/${ben.id}`);
  const banner = page.getByRole('region', { name: 'Broken profile' });
  await expect(banner).toContainText('The profile of Ben Okafor is gone');
  await inEveryLook(page);
  await banner.getByRole('button', { name: 'Repair the profile' }).click();
  await expect(page.getByText('The profile is back')).toBeVisible();
  await expect(banner).toBeHidden();
  await inEveryLook(page);

  // The session that was there, and one that begins now.
  expect(await ownRecord(theirs)).toBe(ben.profile.reference.split('/')[1]);
  const again = await enterAs(browser, project, ben);
  await expect(again.getByText('Ben Okafor').first()).toBeVisible();
  expect(await ownRecord(again)).toBe(ben.profile.reference.split('/')[1]);
});

test('where no version is left, another profile takes its place; what will not do is said at the field', async ({
  page,
  browser,
}) => {
  const { project } = await signUp(page);
  const cleo = await invite(page, project, 'Cleo Marsh', known);
  const dan = await invite(page, project, 'Dan Abara');
  const other = await makePractitioner(page, 'Cleo', 'Marsh-Reed');
  await loseProfile({ project, profile: cleo.profile.reference, history: true });
  await page.goto(`/p/${project}/members/${cleo.id}`);
  const banner = page.getByRole('region', { name: 'Broken profile' });
  await banner.getByRole('button', { name: 'Repair the profile' }).click();
  await expect(banner).toContainText('No earlier version is left to bring back');
  const picker = banner.getByRole('combobox', { name: 'Practitioner' });
  await expect(picker).toBeFocused();
  const submit = banner.getByRole('button', { name: 'Link this profile' });
  await submit.click();
  await expect(banner.getByText('Choose a record from the list')).toBeVisible();
  for (const [reference, said] of [
    [dan.profile.reference, /profile of another active member already/],
    ['Patient/p1', /is a Patient, not a Practitioner/],
    ['Practitioner/nobody', /does not exist/],
  ] as const) {
    await picker.fill(reference);
    await submit.click();
    await expect(banner.getByText(said)).toBeVisible();
    await expect(picker).toBeFocused();
  }
  await inEveryLook(page);
  await picker.fill('Marsh');
  await expect(banner.getByRole('option', { name: /Cleo Marsh-Reed/ })).toBeVisible();
  await inEveryLook(page);
  await banner.getByRole('option', { name: /Cleo Marsh-Reed/ }).click();
  await submit.click();
  await expect(banner).toBeHidden();
  await confirmed(page);
  expect((await readMember(page, project, cleo.id)).profile.reference).toBe(`Practitioner/${other}`);
  const theirs = await enterAs(browser, project, cleo);
  await expect(theirs.getByText('Cleo Marsh-Reed').first()).toBeVisible();
  expect(await ownRecord(theirs)).toBe(other);
});

test('by keyboard alone: repair one member, link another profile for the next', async ({ page }) => {
  const { project } = await signUp(page);
  const ben = await invite(page, project, 'Ben Okafor');
  const cleo = await invite(page, project, 'Cleo Marsh');
  const other = await makePractitioner(page, 'Cleo', 'Marsh-Reed');
  for (const { profile } of [ben, cleo]) await loseProfile({ project, profile: profile.reference });
  await page.goto(`/p/${project}/members/${ben.id}`);
  await tabTo(page, page.getByRole('button', { name: 'Repair the profile' }));
  await page.keyboard.press('Enter');
  await expect(page.getByText('The profile is back')).toBeVisible();

  await page.goto(`/p/${project}/members/${cleo.id}`);
  await tabTo(page, page.getByRole('button', { name: 'Link another profile' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('combobox', { name: 'Practitioner' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Link another profile' })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.type('Marsh-R');
  await expect(page.getByRole('listbox').getByRole('option')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('button', { name: 'Link this profile' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Broken profile' })).toBeHidden();
  await confirmed(page);
  expect((await readMember(page, project, cleo.id)).profile.reference).toBe(`Practitioner/${other}`);
});
