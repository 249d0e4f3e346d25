import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import { inEveryLook, tabTo } from '../looks.ts';
import { findLink, type Mail } from '../mailbox.ts';
import { invite } from '../people.ts';
import { settled, watchRequests } from '../settled.ts';
import { PASSWORD, signIn, signUp, write } from '../sign-up.ts';

type MailTo = (address: string) => Promise<Mail>;

const headers = { 'sec-fetch-site': 'same-origin' };

async function makePolicy(page: Page, name: string, resource: object[]): Promise<string> {
  const data = { resourceType: 'AccessPolicy', name, resource };
  const made = await page.request.post('/fhir/R4/AccessPolicy', { data, headers });
  expect(made.status(), await made.text()).toBe(201);
  return `AccessPolicy/${(await made.json()).id}`;
}

/** Who works on the ward, signed in in a browser of their own. */
async function enterWard(
  page: Page,
  project: string,
  ward: string,
  { mailTo, there }: { mailTo: MailTo; there: Page },
) {
  const ben = await invite(page, project, 'Ben Okafor', { membership: { accessPolicy: { reference: ward } } });
  const link = new URL(findLink(await mailTo(ben.email), '/setpassword/'));
  const form = { id: link.pathname.split('/').pop(), secret: link.hash.slice(1), password: PASSWORD };
  expect((await there.request.post('/auth/setpassword', { data: form })).status()).toBe(200);
  expect(await signIn(there, ben.email)).toBe(project);
  return ben;
}

test('an administrator sets it up, a member breaks the glass and ends it, another one reviews it', async ({
  page,
  browser,
  baseURL,
  mailTo,
}) => {
  test.slow();
  const { project } = await signUp(page);
  const ward = await makePolicy(page, 'Ward', [{ resourceType: 'Observation' }]);
  await makePolicy(page, 'Whole record', [{ resourceType: 'Patient' }]);
  const there = await (await browser.newContext({ baseURL })).newPage();
  watchRequests(there);
  const ben = await enterWard(page, project, ward, { mailTo, there });

  await page.goto(`/p/${project}/settings`);
  const card = page.getByRole('region', { name: 'Emergency access' });
  await card.getByLabel('In an emergency a member has').selectOption('Whole record');
  await expect(card.getByRole('button', { name: 'Save emergency access' })).toBeDisabled();
  await card.getByRole('checkbox', { name: 'Ward' }).check();
  await card.getByLabel('For', { exact: true }).selectOption('30 minutes');
  await inEveryLook(page);
  await card.getByRole('button', { name: 'Save emergency access' }).click();
  await expect(card.getByRole('button', { name: 'Save emergency access' })).toHaveCount(0);
  await page.screenshot({ path: test.info().outputPath('settings.png'), fullPage: true });

  await there.goto(`/p/${project}`);
  expect((await there.request.get('/fhir/R4/Patient')).status()).toBe(403);
  const bar = there.getByRole('banner');
  const height = (await bar.boundingBox())!.height;
  await there.getByRole('button', { name: 'Account of Ben Okafor' }).click();
  await there.getByRole('menuitem', { name: 'Emergency access…' }).click();
  const dialog = there.getByRole('dialog', { name: 'Emergency access' });
  await expect(dialog.getByText('For 30 minutes you may do')).toBeVisible();
  await dialog.getByRole('button', { name: 'Break the glass' }).click();
  await expect(dialog.getByText('Say why')).toBeVisible();
  await inEveryLook(there);
  await dialog.getByLabel('Why').fill('Unconscious in the emergency room');
  await dialog.getByRole('button', { name: 'Break the glass' }).click();
  await expect(bar.getByRole('timer')).toHaveText(/^(29:\d\d|30:00)$/);
  await expect(dialog).toHaveCount(0);
  expect((await bar.boundingBox())!.height).toBe(height);
  await expect(bar.getByRole('status')).toHaveText('Emergency access is open');
  expect((await there.request.get('/fhir/R4/Patient')).status()).toBe(200);
  await inEveryLook(there);
  for (const colorScheme of ['light', 'dark'] as const) {
    await there.emulateMedia({ colorScheme });
    await there.screenshot({ path: test.info().outputPath(`open-${colorScheme}.png`) });
    await there.setViewportSize({ width: 390, height: 844 });
    await there.screenshot({ path: test.info().outputPath(`open-${colorScheme}-390.png`) });
    await there.setViewportSize({ width: 1280, height: 800 });
  }
  await there.reload();
  await expect(bar.getByRole('button', { name: 'End now' })).toBeVisible();
  await settled(there);
  await bar.getByRole('button', { name: 'End now' }).click();
  await expect(there.getByText('Emergency access has ended')).toBeVisible();
  await expect(bar.getByRole('timer')).toHaveCount(0);
  expect((await there.request.get('/fhir/R4/Patient')).status()).toBe(403);
  await there.goto('/account');
  const own = there.getByRole('list', { name: 'Emergency access that you took' });
  await expect(own.getByText('Unconscious in the emergency room')).toBeVisible();
  await inEveryLook(there);

  expect((await mailTo(ben.email)).subject).toContain('You have emergency access');
  await page.goto(`/p/${project}`);
  await expect(page.getByText('Ben Okafor has taken emergency access, which waits for a review')).toBeVisible();
  await page.getByRole('link', { name: 'Review: Ben Okafor' }).click();
  await expect(page.getByRole('heading', { name: 'Ben Okafor took emergency access' })).toBeVisible();
  await expect(page.getByText(/read or searched/)).toBeVisible();
  await inEveryLook(page);
  await page.screenshot({ path: test.info().outputPath('review.png'), fullPage: true });
  await page.getByRole('link', { name: 'Patient', exact: true }).click();
  await expect(page).toHaveURL(/\/activity\?.*target=Patient/);
  await page.goBack();
  await page.getByRole('button', { name: 'Close the review…' }).click();
  const review = page.getByRole('dialog', { name: 'Close the review' });
  await review.getByLabel('What you found').fill('All of one patient');
  await inEveryLook(page);
  await review.getByRole('button', { name: 'Close the review' }).click();
  await expect(page.getByText('Reviewed', { exact: true })).toBeVisible();
  await expect(page.getByText('All of one patient')).toBeVisible();
});

test('by the keyboard alone, where an administrator ends it', async ({ page, browser, baseURL, mailTo }) => {
  test.slow();
  const { project } = await signUp(page);
  const ward = await makePolicy(page, 'Ward', [{ resourceType: 'Observation' }]);
  const whole = await makePolicy(page, 'Whole record', [{ resourceType: 'Patient' }]);
  const there = await (await browser.newContext({ baseURL })).newPage();
  await enterWard(page, project, ward, { mailTo, there });
  await page.goto(`/p/${project}`);
  await write(page, 'POST', `/admin/projects/${project}/settings`, [
    { name: 'breakGlassPolicy', valueString: whole },
    { name: 'breakGlassFor', valueString: ward },
  ]);

  await there.goto(`/p/${project}`);
  await tabTo(there, there.getByRole('button', { name: 'Account of Ben Okafor' }));
  await there.keyboard.press('Enter');
  const entry = there.getByRole('menuitem', { name: 'Emergency access…' });
  await expect(entry).toBeVisible();
  await expect(async () => {
    await there.keyboard.press('ArrowDown');
    expect(await entry.evaluate((node) => node === document.activeElement)).toBe(true);
  }).toPass({ intervals: [200] });
  await there.keyboard.press('Enter');
  await expect(there.getByLabel('Why')).toBeFocused();
  await there.keyboard.type('Nobody else is here');
  await there.keyboard.press('Enter');
  await expect(there.getByRole('button', { name: 'End now' })).toBeVisible();

  await page.keyboard.press('g');
  await page.keyboard.press('e');
  await expect(page.getByRole('heading', { name: 'Emergency access' })).toBeVisible();
  await inEveryLook(page);
  await tabTo(page, page.getByRole('link', { name: 'Ben Okafor took emergency access' }));
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('button', { name: 'End now' }));
  await page.keyboard.press('Enter');
  await expect(page.getByText('Waits for review')).toBeVisible();
  expect((await there.request.get('/fhir/R4/Patient')).status()).toBe(403);
  await tabTo(page, page.getByRole('button', { name: 'Close the review…' }));
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('What you found')).toBeFocused();
  await page.keyboard.type('They called first');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Reviewed', { exact: true })).toBeVisible();
});
