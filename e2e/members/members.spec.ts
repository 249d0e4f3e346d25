import { readFileSync } from 'node:fs';
import { expect, test } from '../fixtures.ts';
import { inEveryLook } from '../looks.ts';
import { invite, patchMember, readMember } from '../people.ts';
import { confirmed } from '../settled.ts';
import { signUp } from '../sign-up.ts';

test('the list says who is who, and its view is its address', async ({ page }) => {
  const { project } = await signUp(page);
  await invite(page, project, 'Ben Okafor', { admin: true });
  await invite(page, project, 'Farid Lindqvist', { resourceType: 'Patient' });
  await page.goto(`/p/${project}/members`);
  await expect(page.getByRole('row').filter({ hasText: 'Ada Reyes' })).toContainText('Owner');
  await expect(page.getByRole('row').filter({ hasText: 'Ben Okafor' })).toContainText(/server-wide.*Admin.*Invited/s);
  await expect(page.getByRole('row').filter({ hasText: 'Farid' })).toContainText(/Patient.*project only/s);
  await inEveryLook(page);

  await page.getByLabel('Type').selectOption('Patients');
  await expect(page.getByRole('row')).toHaveCount(2);
  await expect(page).toHaveURL(/type=Patient/);
  await page.getByLabel(/Search members/).fill('nobody');
  await expect(page.getByText('No member matches')).toBeVisible();
  await inEveryLook(page);
  await page.goBack();
  await expect(page.getByRole('row').filter({ hasText: 'Farid' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('row')).toHaveCount(2);
});

test('no column moves as time passes', async ({ page }) => {
  const { project } = await signUp(page);
  const ben = await invite(page, project, 'Ben Okafor');
  await page.clock.install();
  await page.goto(`/p/${project}/members`);
  const row = page.locator(`tr[data-row="${ben.id}"]`);
  const own = page.getByRole('row').filter({ hasText: 'Ada Reyes' });
  await expect(own).toContainText(/just now.*just now/s);
  const before = await row.boundingBox();
  const columns = () =>
    row.locator('td').evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().width));
  const widths = await columns();
  await page.clock.fastForward('59:00');
  await expect(own).toContainText(/5\d min\. ago/);
  expect(await columns()).toEqual(widths);
  expect(await row.boundingBox()).toEqual(before);
});

test('what would be refused says so before it is tried', async ({ page, expectAccessible }) => {
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/members`);
  await expect(page.getByText('Only you so far')).toBeVisible();
  await page.getByRole('button', { name: 'Actions for Ada Reyes' }).click();
  const entry = page.getByRole('menuitem', { name: /Remove from project/ });
  await expect(entry).toContainText('Owns the project');
  await expect(entry).toBeDisabled();
  await expectAccessible();
});

test('promote, undo; remove, undo', async ({ page }) => {
  const { project } = await signUp(page);
  const ben = await invite(page, project, 'Ben Okafor');
  await page.goto(`/p/${project}/members`);
  const row = page.getByRole('row').filter({ hasText: 'Ben Okafor' });
  // Anywhere in the row, but not on what stands in it by itself.
  await row.getByText('server-wide').click();
  await expect(page).toHaveURL(new RegExp(`/members/${ben.id}$`));
  await page.goBack();
  await row.getByRole('checkbox').click();
  await expect(page.getByRole('region', { name: 'Selected members' })).toBeVisible();
  await row.getByRole('checkbox').click();
  const act = async (name: string) => {
    await row.getByRole('button', { name: 'Actions for Ben Okafor' }).click();
    await page.getByRole('menuitem', { name }).click();
  };
  await act('Make administrator');
  await expect(row).toContainText('Admin');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(row).toContainText('Member');
  // It shows before the server has it.
  await confirmed(page);
  expect((await readMember(page, project, ben.id)).admin).toBeFalsy();

  await act('Remove from project');
  const dialog = page.getByRole('dialog', { name: 'Remove Ben Okafor?' });
  await expect(dialog).toContainText('The Practitioner record stays');
  await dialog.getByText('As code').click();
  await expect(dialog.getByRole('region', { name: 'This removal as code' })).toContainText(`-X DELETE`);
  await inEveryLook(page);
  await dialog.getByRole('button', { name: 'Remove Ben Okafor' }).click();
  await expect(row).toBeHidden();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(row).toBeVisible();
  await confirmed(page);
  expect((await readMember(page, project, ben.id)).id).toBe(ben.id);
});

test('many at once: one job on the server that outlives the page, and a result file', async ({
  page,
  expectAccessible,
}) => {
  const { project } = await signUp(page);
  for (const name of ['Ben Okafor', 'Chiara Moretti', 'Dmitri Halloran']) await invite(page, project, name);
  await page.goto(`/p/${project}/members`);
  await page.getByRole('checkbox', { name: 'Select this page' }).check();
  await expect(page.getByRole('region', { name: 'Selected members' })).toContainText('4 selected');
  await inEveryLook(page);
  await page.getByRole('button', { name: 'Deactivate', exact: true }).click();
  await expect(page.getByRole('dialog', { name: 'Deactivate 4 members?' })).toBeVisible();
  await expectAccessible();
  await page.getByRole('button', { name: 'Deactivate 4 members' }).click();
  await expect(page.getByRole('region', { name: 'Jobs' })).toBeVisible();
  await page.reload();
  const jobs = page.getByRole('region', { name: 'Jobs' });
  await expect(jobs).toContainText('Deactivated 3 of 4');
  await expect(jobs).toContainText('1 not done');
  const download = page.waitForEvent('download');
  await jobs.getByRole('link', { name: 'Result file' }).click();
  const result = readFileSync(await (await download).path(), 'utf8');
  expect(result.split('\r\n').filter((line) => line.includes(',failed,'))).toHaveLength(1);
  await expect(page.getByRole('row').filter({ hasText: 'Deactivated' })).toHaveCount(3);
  await inEveryLook(page);
});

test('a change shows before the server answers, and is taken back when it refuses', async ({ page }) => {
  const { project } = await signUp(page);
  const ben = await invite(page, project, 'Ben Okafor');
  const row = page.getByRole('row').filter({ hasText: 'Ben Okafor' });
  const answer = Promise.withResolvers<void>();
  await page.goto(`/p/${project}/members`);
  await page.route(`**/members/${ben.id}`, async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue();
    await answer.promise;
    const issue = [{ severity: 'error', code: 'conflict', details: { text: 'Not today' } }];
    return route.fulfill({ status: 409, json: { resourceType: 'OperationOutcome', issue } });
  });
  await row.getByRole('button', { name: 'Actions for Ben Okafor' }).click();
  await page.getByRole('menuitem', { name: 'Make administrator' }).click();
  await expect(row).toContainText('Admin');
  answer.resolve();
  await expect(page.getByText('Not today').first()).toBeVisible();
  await expect(row).toContainText('Member');
});

test('what the page of a member asks is on its way with the pointer; a menu opens it without loading the console anew', async ({
  page,
}) => {
  const { project } = await signUp(page);
  const ben = await invite(page, project, 'Ben Okafor');
  const asked: string[] = [];
  page.on('request', (request) => request.url().endsWith(`/members/${ben.id}`) && asked.push(request.resourceType()));
  await page.goto(`/p/${project}/members`);
  const name = page.getByRole('link', { name: 'Ben Okafor' });
  await name.hover();
  await expect.poll(() => asked).toEqual(['fetch']);
  await page.evaluate(() => {
    document.documentElement.dataset.same = 'yes';
  });
  await page.getByRole('button', { name: 'Actions for Ben Okafor' }).click();
  await page.getByRole('menuitem', { name: 'Open' }).click();
  await expect(page.getByRole('heading', { name: 'Ben Okafor' })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('data-same', 'yes');
  expect(asked).toEqual(['fetch']);
});

test('"all that match" is dropped with the filter it was said of; who was removed is not counted', async ({ page }) => {
  const { project } = await signUp(page);
  for (let at = 10; at < 32; at++) await invite(page, project, `Row Number${at}`, { sendEmail: false });
  await page.goto(`/p/${project}/members?q=Row`);
  const selected = page.getByRole('region', { name: 'Selected members' });
  const all = page.getByRole('button', { name: 'Select all 22 that match' });
  await page.getByRole('checkbox', { name: 'Select this page' }).check();
  await all.click();
  await expect(selected).toContainText('22 selected');
  await page.getByRole('search').getByRole('button', { name: 'Clear' }).click();
  await expect(page.getByText('1–20 of 23')).toBeVisible();
  await expect(selected).toBeHidden();
  await page.goBack();
  await expect(page.getByText('1–20 of 22')).toBeVisible();
  await expect(selected).toBeHidden();

  await page.getByRole('checkbox', { name: 'Select Row Number10' }).check();
  await page.getByRole('checkbox', { name: 'Select Row Number11' }).check();
  await page.getByRole('button', { name: 'Actions for Row Number10' }).click();
  await page.getByRole('menuitem', { name: 'Remove from project' }).click();
  await page.getByRole('button', { name: 'Remove Row Number10' }).click();
  await expect(selected).toContainText('1 selected');
  await selected.getByRole('button', { name: 'Clear' }).press('Enter');
  await expect(page.locator('main')).toBeFocused();
});

test('two administrators at once: both versions side by side, nothing lost', async ({ page }) => {
  const { project } = await signUp(page);
  const ben = await invite(page, project, 'Ben Okafor');
  await page.goto(`/p/${project}/members/${ben.id}`);
  await page.getByLabel('Role').selectOption('Administrator');
  await patchMember(page, project, ben.id, [{ op: 'add', path: '/active', value: false }]);
  await page.getByRole('button', { name: 'Save access' }).click();
  const merge = page.getByRole('dialog', { name: 'Somebody else changed this member' });
  await expect(merge).toContainText('Result');
  await inEveryLook(page);
  await merge.getByRole('button', { name: 'Save the result' }).click();
  await expect(merge).toBeHidden();
  await confirmed(page);
  expect(await readMember(page, project, ben.id)).toMatchObject({ admin: true, active: false });
});

test('the export holds everyone in the view', async ({ page }) => {
  const { project } = await signUp(page);
  const ben = await invite(page, project, 'Ben Okafor');
  await page.goto(`/p/${project}/members`);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  const text = readFileSync(await (await download).path(), 'utf8');
  expect(text.trim().split('\r\n')).toHaveLength(3);
  expect(text).toContain(ben.email);
});

test('somebody who is no administrator learns which role is needed', async ({ page, browser }) => {
  const { project } = await signUp(page);
  const password = 'staple orbit lantern 43';
  const ben = await invite(page, project, 'Ben Okafor', { password, sendEmail: false });
  const theirs = await (await browser.newContext()).newPage();
  await theirs.goto(`/signin?project=${project}&next=/p/${project}/members`);
  await theirs.getByLabel('E-mail').fill(ben.email);
  await theirs.getByRole('button', { name: 'Continue' }).click();
  await theirs.getByLabel('Password', { exact: true }).fill(password);
  await theirs.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(theirs.getByText('This needs another role')).toBeVisible();
  await expect(theirs.getByText('project administrator')).toBeVisible();
});

test('an answer that is lost on its way is not called "nothing was changed"', async ({ page }) => {
  const { project } = await signUp(page);
  const ben = await invite(page, project, 'Ben Okafor');
  await page.goto(`/p/${project}/members`);
  await page.route('**/members/*', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await page.getByRole('button', { name: 'Actions for Ben Okafor' }).filter({ visible: true }).click();
  await page.getByRole('menuitem', { name: 'Make administrator' }).click();
  await expect(page.getByText('It is not known whether this was done').first()).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: 'Ben Okafor' })).toContainText('Admin');
  await confirmed(page);
  expect((await readMember(page, project, ben.id)).admin).toBe(true);
});
