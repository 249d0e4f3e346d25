import { expect, test } from '../fixtures.ts';
import { inEveryLook, tabTo } from '../looks.ts';
import { signUp } from '../sign-up.ts';

test('a policy is made of a template, linted in place, changed as form and as JSON, compared, restored and deleted', async ({
  page,
}) => {
  test.slow();
  const { project } = await signUp(page);
  await page.goto(`/p/${project}`);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Access policies' }).click();
  const table = page.getByRole('table', { name: 'Access policies' });
  await expect(table.getByText('Default').first()).toBeVisible();
  await inEveryLook(page);
  await page.getByRole('searchbox').fill('nothing like it');
  await expect(page.getByRole('heading', { name: 'No policy matches' })).toBeVisible();
  await page.getByRole('button', { name: 'Show all policies' }).click();
  await page.getByRole('button', { name: 'New policy' }).click();
  await page.getByLabel('Begin with').selectOption('Ward nurse');
  const json = page.getByRole('textbox', { name: 'Policy as JSON' });
  await expect(json).toContainText('%organization');
  await expect(page.getByText('The server would take it.')).toBeVisible();
  const rules = page.getByRole('list', { name: 'Rules' }).getByRole('listitem');
  await expect(rules).toHaveCount(3);

  // What the server would refuse is told at the field, and in the text.
  const criteria = rules.first().getByLabel('Only where');
  await criteria.fill('nonsense=1');
  await expect(
    rules
      .first()
      .getByText(/nonsense/)
      .first(),
  ).toBeVisible();
  await expect(page.locator('.cm-lintRange-error').first()).toBeVisible();
  await inEveryLook(page);
  await criteria.fill('organization=%organization');
  await expect(page.getByText('The server would take it.')).toBeVisible();
  await page.getByRole('button', { name: 'Create policy' }).click();
  await expect(page.getByRole('heading', { name: 'Ward nurse', level: 1 })).toBeVisible();

  // By keyboard alone: a rule in another place, and saved.
  await tabTo(page, page.getByRole('button', { name: 'Move rule 1 down' }));
  await page.keyboard.press('Enter');
  await expect(rules.first()).toContainText('Rule 1: Observation');
  await expect(page.getByRole('button', { name: 'Move rule 2 down' })).toBeFocused();
  const saving = Promise.withResolvers<void>();
  await page.route('**/fhir/R4/AccessPolicy/*', async (route) => {
    if (route.request().method() === 'PUT') await saving.promise;
    await route.continue();
  });
  const saved = page.waitForResponse((response) => response.request().method() === 'PUT');
  await page.keyboard.press('ControlOrMeta+s');

  // Completion, and what is typed there stands in the form; also what is typed while a slow server saves.
  await json.getByText('"Ward nurse"').click();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.type(', east');
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Ward nurse, east');
  saving.resolve();
  expect((await saved).status()).toBe(200);
  await page.unrouteAll({ behavior: 'wait' });
  await expect(page.getByRole('heading', { name: 'Ward nurse', level: 1, exact: true })).toBeVisible();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Ward nurse, east');
  await page.getByRole('button', { name: 'What would this change?' }).click();
  await expect(page.getByText('Nobody has this policy.')).toBeVisible();
  await inEveryLook(page);

  // Somebody else saves meanwhile: their change is shown, ours is kept.
  const id = page.url().split('/').at(-1)!.split('?')[0];
  const headers = { 'sec-fetch-site': 'same-origin' };
  const path = `/fhir/R4/AccessPolicy/${id}`;
  const theirs = await (await page.request.get(path, { headers })).json();
  theirs.resource.push({ resourceType: 'Task', readonly: true });
  expect((await page.request.put(path, { data: theirs, headers })).status()).toBe(200);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const conflict = page.getByRole('dialog', { name: 'Someone else changed this policy' });
  await expect(conflict.getByText('"Task"')).toBeVisible();
  await conflict.getByRole('button', { name: 'Keep editing' }).click();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Ward nurse, east');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await conflict.getByRole('button', { name: 'Overwrite with mine' }).click();
  await expect(page.getByRole('heading', { name: 'Ward nurse, east', level: 1 })).toBeVisible();

  await page.getByRole('tab', { name: 'History' }).click();
  const versions = page.getByRole('list', { name: 'Versions' }).getByRole('listitem');
  await expect(versions).toHaveCount(4);
  await page.getByRole('button', { name: 'Changes in version 4' }).click();
  const changes = page.getByRole('dialog', { name: 'Changes in version 4' });
  await expect(changes.getByText('Ward nurse, east')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Restore version 3' }).click();
  await expect(versions).toHaveCount(5);
  await expect(page.getByRole('heading', { name: 'Ward nurse', level: 1, exact: true })).toBeVisible();
  await inEveryLook(page);
  await page.getByRole('link', { name: 'Test access', exact: true }).last().click();
  await expect(page.getByLabel('Draft as JSON')).toHaveValue(/Ward nurse/);
  await page.goBack();
  await page.getByRole('button', { name: 'Delete…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete the policy' }).click();
  await expect(table).toBeVisible();
  await expect(table.getByText('Ward nurse')).toHaveCount(0);
});
