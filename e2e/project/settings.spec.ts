import { expect, test } from '../fixtures.ts';
import { inEveryLook, tabTo } from '../looks.ts';
import { signUp, write } from '../sign-up.ts';

test('each card saves alone; a conflict is a choice; secrets go in and never come out', async ({
  page,
  expectAccessible,
}) => {
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/settings`);
  await page.getByLabel('Description').fill('Two wards and a pharmacy');
  await page.getByLabel('Default access of patients').selectOption('No policy: full access');
  await inEveryLook(page);
  await page.getByRole('button', { name: 'Save general settings' }).click();
  await expect(page.getByRole('button', { name: 'Save general settings' })).toBeHidden();
  await page.getByLabel('Description').fill('Three wards');
  await page.getByRole('button', { name: 'Discard' }).first().click();
  await expect(page.getByLabel('Description')).toHaveValue('Two wards and a pharmacy');
  await page.getByRole('button', { name: 'Save defaults' }).click();
  await expect(page.getByRole('button', { name: 'Save defaults' })).toBeHidden();

  // The rule of the page where the project was named.
  for (const [refused, why] of [
    ['', 'Project name is required'],
    ['abc', 'Project name must be 4 to 72 characters'],
    ['x'.repeat(73), 'Project name must be 4 to 72 characters'],
  ] as const) {
    await page.getByLabel('Name').fill(refused);
    await page.getByRole('button', { name: 'Save general settings' }).click();
    await expect(page.getByText(why)).toBeVisible();
  }
  await page.getByLabel('Name').fill('Mine Clinic');
  const theirs = [{ op: 'add', path: '/name', value: 'Their Clinic' }];
  await write(page, 'PATCH', `/fhir/R4/Project/${project}`, theirs);
  await page.getByRole('button', { name: 'Save general settings' }).click();
  await expect(page.getByText('Someone else saved this meanwhile')).toBeVisible();
  await expect(page.getByRole('cell', { name: 'Their Clinic' })).toBeVisible();
  await inEveryLook(page);
  await page.getByRole('button', { name: 'Save mine' }).click();
  await expect(page.getByText('Someone else saved this meanwhile')).toBeHidden();
  await page.reload();
  await expect(page.getByLabel('Name')).toHaveValue('Mine Clinic');
  await expect(page.getByLabel('Description')).toHaveValue('Two wards and a pharmacy');
  await expect(page.getByLabel('Default access of patients')).toHaveValue('none');

  await page.getByRole('button', { name: 'Add secret' }).click();
  const form = page.getByRole('dialog', { name: 'Add a secret' });
  await form.getByLabel('Name').fill('not a name');
  // As it is copied with the end of its line.
  await form.getByLabel('Value').fill('open sesame\n');
  await form.getByRole('button', { name: 'Keep secret' }).click();
  await expect(form.getByText(/name must be a word/)).toBeVisible();
  await form.getByLabel('Name').fill('LAB_KEY');
  await expectAccessible();
  const sent: unknown[] = [];
  page.on('request', (request) => request.method() === 'PUT' && sent.push(request.postDataJSON()));
  await form.getByLabel('Value').focus();
  for (let time = 0; time < 2; time += 1) await page.keyboard.press('Enter', { delay: 20 });
  await expect(page.getByRole('list', { name: 'Secrets' })).toContainText('LAB_KEY');
  expect(sent).toEqual([{ valueString: 'open sesame' }]);
  await page.reload();
  await expect(page.getByRole('list', { name: 'Secrets' })).toContainText('LAB_KEY');
  // What it is replaced by can be read by nobody: never by the way.
  await page.getByRole('button', { name: 'Add secret' }).click();
  await form.getByLabel('Name').fill('LAB_KEY');
  await form.getByLabel('Value').fill('another');
  await form.getByRole('button', { name: 'Keep secret' }).click();
  await expect(form.getByText('There is a secret of this name already; use Replace')).toBeVisible();
  await form.getByRole('button', { name: 'Cancel' }).click();
  // Which has the keyboard back once its dialog is gone.
  await expect(page.getByRole('button', { name: 'Add secret' })).toBeFocused();
  await page.getByRole('button', { name: 'Replace LAB_KEY' }).click();
  await expect(page.getByLabel('Value')).toBeFocused();
  await page.keyboard.type('the third');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type('has two lines');
  const put = page.waitForRequest((request) => request.method() === 'PUT' && request.url().endsWith('/LAB_KEY'));
  await page.keyboard.press('Enter');
  expect((await put).postDataJSON()).toEqual({ valueString: 'the third\nhas two lines' });
  await expect(page.getByText('LAB_KEY is replaced')).toBeVisible();
  expect(await page.content()).not.toContain('open sesame');
  await page.getByRole('button', { name: 'Delete LAB_KEY' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete LAB_KEY' }).click();
  await expect(page.getByRole('heading', { name: 'No secrets' })).toBeVisible();
});

test('what was begun is there on the way back', async ({ page }) => {
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/settings`);
  await page.getByLabel('Description').fill('Two wards');
  await page.getByLabel('Default access of patients').selectOption('No policy: full access');
  const rail = page.getByRole('navigation', { name: 'Main' });
  await rail.getByRole('link', { name: 'Members' }).click();
  await expect(page.getByRole('heading', { name: 'Members' })).toBeVisible();
  await rail.getByRole('link', { name: 'Project settings' }).click();
  await expect(page.getByLabel('Description')).toHaveValue('Two wards');
  await expect(page.getByLabel('Default access of patients')).toHaveValue('none');
  await page.getByRole('button', { name: 'Save general settings' }).click();
  await page.getByRole('button', { name: 'Save defaults' }).click();
  await expect(page.getByRole('button', { name: /^Save/ })).toHaveCount(0);
  await rail.getByRole('link', { name: 'Members' }).click();
  await rail.getByRole('link', { name: 'Project settings' }).click();
  await expect(page.getByLabel('Description')).toHaveValue('Two wards');
  await expect(page.getByRole('button', { name: /^Save/ })).toHaveCount(0);
});

test('by keyboard alone: rename the project', async ({ page }) => {
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/settings`);
  const name = page.getByLabel('Name');
  await expect(name).toHaveValue('Riverside Clinic');
  await tabTo(page, name);
  await page.keyboard.press('Control+a');
  await page.keyboard.type('Hillside Clinic');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Settings saved')).toBeVisible();
});

test('a new name of the project shows in the frame at once, and after a reload', async ({ page }) => {
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/settings`);
  const switcher = page.getByRole('button', { name: /Switch project/ });
  const crumbs = page.getByRole('navigation', { name: 'Breadcrumb' });
  await switcher.click();
  await expect(page.getByRole('menuitem', { name: /Riverside Clinic/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByLabel('Name').fill('Harbour Clinic');
  await page.getByRole('button', { name: 'Save general settings' }).click();
  const expectNewName = async () => {
    await expect(switcher).toContainText('Harbour Clinic');
    await expect(crumbs).toContainText('Harbour Clinic');
  };
  await expectNewName();
  await switcher.click();
  await expect(page.getByRole('menuitem', { name: /Harbour Clinic/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await crumbs.getByRole('link', { name: 'Harbour Clinic' }).click();
  await expect(page.getByRole('heading', { name: 'Harbour Clinic' })).toBeVisible();
  await page.reload();
  await expectNewName();
  await page.goto('/account');
  await expectNewName();
});
