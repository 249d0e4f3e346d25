import { readFileSync } from 'node:fs';
import { expect, test } from '../fixtures.ts';
import { inEveryLook, tabTo } from '../looks.ts';
import { invite, readMember } from '../people.ts';
import { signUp } from '../sign-up.ts';

const headers = { 'sec-fetch-site': 'same-origin' };

test('members are reviewed one by one, what was decided happens when it is closed, and the signed result holds', async ({
  page,
}) => {
  test.slow();
  const { project } = await signUp(page);
  await page.goto(`/p/${project}`);
  const policy = async (name: string) => {
    const data = { resourceType: 'AccessPolicy', name, resource: [{ resourceType: 'Patient', readonly: true }] };
    const made = await page.request.post('/fhir/R4/AccessPolicy', { data, headers });
    expect(made.status(), await made.text()).toBe(201);
    return `AccessPolicy/${(await made.json()).id}`;
  };
  const [ward, narrow] = [await policy('Ward'), await policy('Narrow')];
  const access = { accessPolicy: { reference: ward } };
  const kept = await invite(page, project, 'Kay Moss', access);
  const reduced = await invite(page, project, 'Rae Stone', access);
  const removed = await invite(page, project, 'Mo Vance', access);

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Access reviews' }).click();
  await expect(page.getByRole('heading', { name: 'No review was started yet' })).toBeVisible();
  await inEveryLook(page);
  await page.getByRole('button', { name: 'Start a review' }).click();
  const dialog = page.getByRole('dialog', { name: 'Start a review' });
  await dialog.getByRole('button', { name: 'Start the review' }).click();
  await expect(dialog.getByText('Choose who decides')).toBeVisible();
  await inEveryLook(page);
  await dialog.getByLabel('Name').fill('Autumn');
  await dialog.getByLabel('Due on').fill(new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10));
  await dialog.getByLabel('Who is reviewed').selectOption('Practitioners');
  await dialog.getByLabel('Ada Reyes').check();
  await dialog.getByRole('button', { name: 'Start the review' }).click();
  await expect(page.getByRole('heading', { name: 'Autumn' })).toBeVisible();

  const members = page.getByRole('list', { name: 'Members of the review' });
  await expect(members.getByRole('listitem')).toHaveCount(4);
  await expect(members.getByText('Another reviewer decides about you.')).toBeVisible();
  await tabTo(page, page.getByRole('button', { name: 'Keep Kay Moss' }));
  await page.keyboard.press('Enter');
  await expect(page.getByText('1 of 4 decided')).toBeVisible();
  await tabTo(page, page.getByRole('button', { name: 'Reduce Rae Stone…' }));
  await page.keyboard.press('Enter');
  const reduce = page.getByRole('dialog', { name: 'Reduce Rae Stone' });
  await reduce.getByRole('button', { name: 'Decide to reduce' }).click();
  await expect(reduce.getByText(/leaves the member what they have/)).toBeVisible();
  await reduce.getByLabel('Policy').selectOption('Narrow');
  await expect(reduce.getByText(/leaves the member what they have/)).toHaveCount(0);
  await inEveryLook(page);
  await reduce.getByLabel('Why').fill('Moved to the archive');
  await page.keyboard.press('Enter');
  await expect(members.getByText('Is left with: Narrow')).toBeVisible();
  await page.getByRole('button', { name: 'Remove Mo Vance' }).click();
  await expect(page.getByText('3 of 4 decided')).toBeVisible();
  await inEveryLook(page);
  await page.getByLabel('Show').selectOption('Undecided');
  await expect(members.getByRole('listitem')).toHaveCount(1);
  await page.getByLabel('Show').selectOption('Everybody');

  await page.getByRole('button', { name: 'Close review…' }).click();
  const close = page.getByRole('dialog', { name: 'Close this review?' });
  await expect(close.getByText('One is undecided')).toBeVisible();
  await close.getByRole('button', { name: 'Close the review' }).click();
  await expect(page.getByText('3 of 4 decided, 3 applied')).toBeVisible({ timeout: 30_000 });
  await expect(page.getByText('Closed', { exact: true })).toBeVisible({ timeout: 30_000 });
  expect(await readMember(page, project, reduced.id)).toMatchObject({ accessPolicy: { reference: narrow } });
  expect(await readMember(page, project, kept.id)).toMatchObject({ accessPolicy: { reference: ward } });
  expect((await page.request.get(`/admin/projects/${project}/members/${removed.id}`)).status()).toBe(410);

  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download signed result' }).click();
  const text = readFileSync(await (await downloading).path(), 'utf8');
  const verify = (content: string) =>
    page
      .getByLabel('Result to verify')
      .setInputFiles({ name: 'result.ndjson', mimeType: 'application/x-ndjson', buffer: Buffer.from(content) });
  await verify(text);
  await expect(page.getByText('The result is as it was signed')).toBeVisible();
  await inEveryLook(page);
  await verify(text.replace('"removed"', '"kept"'));
  await expect(page.getByText('Its lines are not those that were signed')).toBeVisible();

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Access reviews' }).click();
  await expect(page.getByRole('list', { name: 'Access reviews' }).getByRole('listitem')).toHaveCount(1);
  await inEveryLook(page);
});
