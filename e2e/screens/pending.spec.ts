import type { Locator, Page, Route } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import { invite, readMember } from '../people.ts';
import { interceptFromNowOn } from '../settled.ts';
import { PASSWORD, signUp, write } from '../sign-up.ts';

test.beforeEach(({ page }) => interceptFromNowOn(page));

test('what shows at once is marked, page and row, until the server has it', async ({ page }) => {
  const { project } = await signUp(page);
  const ben = await invite(page, project, 'Ben Okafor', { sendEmail: false });
  await page.goto(`/p/${project}/members`);
  const row = rowOf(page, ben.id);
  await expect(row).toContainText('Member');
  await expectSettled(page, row);
  const before = await row.boundingBox();
  const { asked } = await holdWrite(page, `**/members/${ben.id}`);
  await choose(page, 'Ben Okafor', 'Make administrator');
  await expect(row).toContainText('Admin');
  await expectPending(page, row);
  const others = page.locator('tr[aria-busy]');
  await expect(others).toHaveCount(1);
  await expect(row).toHaveCSS('opacity', '0.55');
  expect(await row.boundingBox()).toEqual(before);
  const change = await asked;
  expect((await readMember(page, project, ben.id)).admin).toBeFalsy();
  await expectPending(page, row);
  await change.continue();
  await expectSettled(page, row);
  // One look, not a poll: the mark is what tells that the server has answered.
  expect((await readMember(page, project, ben.id)).admin).toBe(true);
});

test('a refusal takes the mark away, and so does an answer that never comes', async ({ page }) => {
  const { project } = await signUp(page);
  const ben = await invite(page, project, 'Ben Okafor');
  await page.goto(`/p/${project}/members`);
  const row = rowOf(page, ben.id);
  await expect(row).toContainText('Member');
  const outcome = {
    resourceType: 'OperationOutcome',
    issue: [{ severity: 'error', code: 'conflict', details: { text: 'Not today' } }],
  };
  for (const [end, said] of [
    [(route: Route) => route.fulfill({ status: 409, json: outcome }), 'Nothing was changed'],
    [(route: Route) => route.abort(), 'It is not known whether this was done'],
  ] as const) {
    const { asked } = await holdWrite(page, `**/members/${ben.id}`);
    await choose(page, 'Ben Okafor', 'Make administrator');
    const change = await asked;
    await expect(row).toContainText('Admin');
    await expectPending(page, row);
    await end(change);
    await expectSettled(page, row);
    expect(await row.textContent()).not.toContain('Admin');
    await expect(page.getByText(said).first()).toBeVisible();
    expect((await readMember(page, project, ben.id)).admin).toBeFalsy();
  }
});

test('what is begun in a dialog marks the page behind it, the form, and the row that it is about', async ({ page }) => {
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/clients`);
  await page.getByRole('button', { name: 'New client' }).click();
  const form = page.getByRole('dialog', { name: 'New client' }).locator('form');
  await form.getByLabel('Name').fill('Lab feed');
  await form.getByLabel('Access policy').selectOption('Everything (no policy)');
  await expectSettled(page, form);
  const { asked } = await holdWrite(page, '**/admin/projects/*/client');
  await form.getByRole('button', { name: 'Create client' }).click();
  await expectPending(page, form);
  await (await asked).continue();
  const told = page.getByRole('dialog', { name: 'The secret of Lab feed' });
  await expect(told).toBeVisible();
  await expectSettled(page, told);
  await page.getByRole('button', { name: 'I have kept it' }).click();

  const row = page.locator('tr[data-row]').filter({ hasText: 'Lab feed' });
  await choose(page, 'Lab feed', 'Delete');
  const dialog = page.getByRole('dialog', { name: 'Delete Lab feed?' });
  await dialog.getByLabel(/Type/).fill('Lab feed');
  await expectSettled(page, row);
  const removal = await holdWrite(page, '**/ClientApplication/*');
  await dialog.getByRole('button', { name: 'Delete the client' }).click();
  await expectPending(page, row);
  await expect(dialog).toHaveAttribute('aria-busy', 'true');
  await (await removal.asked).continue();
  await expect(page.locator('main[data-pending]')).toHaveCount(0);
  expect(await row.count()).toBe(0);
});

test('what waits for the network is marked until the network is back', async ({ page, context }) => {
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/clients`);
  await write(page, 'POST', `/admin/projects/${project}/client`, { name: 'Lab feed' });
  await page.reload();
  const row = page.locator('tr[data-row]').filter({ hasText: 'Lab feed' });
  await expect(row).toContainText('Active');
  await page.getByRole('button', { name: 'Actions for Lab feed' }).filter({ visible: true }).click();
  const off = page.getByRole('menuitem', { name: 'Turn off' });
  await expect(off).toBeVisible();
  await context.setOffline(true);
  await off.click();
  await expectPending(page, row);
  await context.setOffline(false);
  await expectSettled(page, row);
  expect(await row.textContent()).toContain('Off');
});

test('the forms at the door are marked while they are sent', async ({ page }) => {
  const { email } = await signUp(page);
  await page.context().clearCookies();
  await page.goto('/signin');
  const form = page.locator('main form');
  await form.getByLabel('E-mail').fill(email);
  await form.getByRole('button', { name: 'Continue' }).click();
  await form.getByLabel('Password', { exact: true }).fill('not the password');
  const refused = await holdWrite(page, '**/auth/login');
  await form.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expectPending(page, form);
  await (await refused.asked).continue();
  await expectSettled(page, form);
  await form.getByLabel('Password', { exact: true }).fill(PASSWORD);
  const code = await holdWrite(page, '**/api/auth/callback/**');
  await form.getByRole('button', { name: 'Sign in', exact: true }).click();
  const answer = await code.asked;
  await expectPending(page, form);
  await answer.continue();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Riverside Clinic');
  await expect(page.locator('main[data-pending]')).toHaveCount(0);
});

/** Holds back the next write to `url`; reads go through. `asked`: it has left the page. */
async function holdWrite(page: Page, url: string): Promise<{ asked: Promise<Route> }> {
  const { promise: asked, resolve } = Promise.withResolvers<Route>();
  let held = false;
  await page.route(url, async (route) => {
    if (held || route.request().method() === 'GET') return route.fallback();
    held = true;
    resolve(route);
  });
  return { asked };
}

function rowOf(page: Page, id: string): Locator {
  return page.locator(`tr[data-row="${id}"]`);
}

async function choose(page: Page, name: string, action: string): Promise<void> {
  await page
    .getByRole('button', { name: `Actions for ${name}` })
    .filter({ visible: true })
    .click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}

/** At once, not in a while: whoever sees what was done can wait for the mark. */
async function expectPending(page: Page, what: Locator): Promise<void> {
  expect(await page.locator('main').getAttribute('data-pending')).toBe('true');
  expect(await what.getAttribute('aria-busy')).toBe('true');
}

async function expectSettled(page: Page, what: Locator): Promise<void> {
  await expect(page.locator('main[data-pending]')).toHaveCount(0);
  await expect(what).not.toHaveAttribute('aria-busy');
}
