import { readFileSync } from 'node:fs';
import { expect, test } from '../fixtures.ts';
import { inEveryLook, tabTo } from '../looks.ts';
import { signUp, write } from '../sign-up.ts';

test('what was done stands there with names; filters live in the URL; an entry shows before and after', async ({
  page,
  expectAccessible,
}) => {
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/activity`);
  const rename = [{ op: 'add', path: '/name', value: 'Hillside Clinic' }];
  const requestId = await write(page, 'PATCH', `/fhir/R4/Project/${project}`, rename);
  await write(page, 'POST', `/admin/projects/${project}/client`, { name: 'Lab feed' });
  await page.reload();
  await expect(page.getByText('Ada Reyes changed the settings of Hillside Clinic')).toBeVisible();
  await expect(page.getByText('Ada Reyes made the client Lab feed')).toBeVisible();
  await inEveryLook(page);

  await page.getByLabel('Area').selectOption('Clients');
  await expect(page).toHaveURL(/area=clients/);
  await expect(page.getByText('changed the settings of')).toBeHidden();
  await page.reload();
  await expect(page.getByText('Ada Reyes made the client Lab feed')).toBeVisible();
  await page.getByRole('button', { name: 'Clear' }).click();

  await page.getByRole('button', { name: /changed the settings of/ }).click();
  const entry = page.getByRole('dialog', { name: 'Entry' });
  await expect(entry.getByText('Before: Riverside Clinic')).toBeVisible();
  await expect(entry.getByText('After: Hillside Clinic')).toBeVisible();
  await expect(entry).toContainText(requestId);
  await inEveryLook(page);
  await entry.getByRole('button', { name: 'All on Hillside Clinic' }).click();
  await expect(page.getByRole('button', { name: 'Remove the filter: On Hillside Clinic' })).toBeVisible();
  await expect(page.getByText('Ada Reyes made the client Lab feed')).toBeHidden();
  await page.getByLabel('To day').fill('2020-01-01');
  await expect(page.getByText('Nothing fits')).toBeVisible();
  await expectAccessible();

  await page.goto(`/p/${project}/activity`);
  await page.getByRole('button', { name: /made the client Lab feed/ }).click();
  await entry.getByRole('link', { name: /^ClientApplication\// }).click();
  await expect(page.getByRole('dialog', { name: 'Lab feed' })).toBeVisible();
  await expect(page).toHaveURL(/\/clients/);
});

test('by keyboard alone: open an entry and come back to it', async ({ page }) => {
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/activity`);
  await write(page, 'POST', `/admin/projects/${project}/client`, { name: 'Lab feed' });
  await page.reload();
  const entry = page.getByRole('main').getByRole('listitem').getByRole('button').first();
  await expect(entry).toBeVisible();
  await tabTo(page, entry);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Entry' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(entry).toBeFocused();

  await page.keyboard.press('j');
  await expect(page.getByRole('main').getByRole('listitem').getByRole('button').nth(1)).toBeFocused();
  await page.keyboard.press('k');
  await expect(entry).toBeFocused();
  await page.keyboard.press('f');
  await expect(page.getByLabel('Area')).toBeFocused();
});

test('what is filtered is kept as a file, by keyboard too, and the log says who took it', async ({ page }) => {
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/activity?area=clients`);
  await write(page, 'POST', `/admin/projects/${project}/client`, { name: 'Lab feed' });
  await page.reload();
  await expect(page.getByText('made the client Lab feed')).toBeVisible();
  for (const [name, file] of [
    [/^CSV/, 'activity.csv'],
    [/^NDJSON/, 'activity.ndjson'],
  ] as const) {
    await page.getByRole('button', { name: 'Export' }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('menuitem', { name })).toBeVisible();
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name }).click();
    const kept = await download;
    expect(kept.suggestedFilename()).toBe(file);
    const text = readFileSync(await kept.path(), 'utf8');
    expect(text).toContain('client.create');
    expect(text).not.toContain('login.grant');
    await expect(page.getByRole('button', { name: 'Export' })).toBeVisible();
  }
  await page.getByRole('button', { name: 'Clear' }).click();
  await expect(page.getByText(/took a copy of the audit log/).first()).toBeVisible();
});

test('the log is verified in the browser: as it is now, as a file, and with a head that was kept', async ({
  page,
  expectAccessible,
}) => {
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/activity/verify`);
  for (const name of ['Lab feed', 'Ward feed'])
    await write(page, 'POST', `/admin/projects/${project}/client`, { name });
  const ask = (path: string) =>
    page.evaluate(async (url) => (await fetch(url)).text(), `/admin/projects/${project}${path}`);
  // Rows are sealed beside those who write.
  await expect.poll(async () => JSON.parse(await ask('/audit/heads')).heads[0]?.seq ?? 0).toBeGreaterThan(1);
  await page.getByRole('button', { name: 'Show the head of now' }).click();
  const head = (await page.getByRole('main').locator('code').textContent()) ?? '';
  expect(head.split('.')).toHaveLength(3);
  await page.getByLabel('Heads that you kept').fill(head);
  await page.getByRole('button', { name: 'Verify the log as it is now' }).click();
  await expect(page.getByText('The log is whole')).toBeVisible();
  await inEveryLook(page);

  const lines = (await ask('/audit/export?format=chain')).trimEnd().split('\n');
  const row = lines.findIndex((line) => line.includes('"seq":2,'));
  const edited = lines.with(row, (lines[row] ?? '').replace('"outcome":0', '"outcome":4'));
  const buffer = Buffer.from(`${edited.join('\n')}\n`);
  await page.getByLabel('Exported chain').setInputFiles({ name: 'chain.ndjson', mimeType: 'text/plain', buffer });
  await expect(page.getByText('The chain is broken')).toBeVisible();
  await expect(page.getByText(/^Row 2 .* was changed/)).toBeVisible();
  await expectAccessible();
});

test('who could see a record at a moment, and who did', async ({ page, expectAccessible }) => {
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/activity/access`);
  await expect(page.getByText('Ask about a record')).toBeVisible();
  await write(page, 'POST', `/admin/projects/${project}/settings`, [{ name: 'auditReads', valueBoolean: true }]);
  await write(page, 'POST', '/fhir/R4/Patient', { resourceType: 'Patient' });
  const patient = await page.evaluate(async () => {
    const { entry } = await (await fetch('/fhir/R4/Patient')).json();
    return `Patient/${entry[0].resource.id}`;
  });
  await page.getByLabel('Record').fill(patient);
  // The moment is told by the minute.
  await page.getByLabel('Moment').fill('2020-05-03T12:00');
  await page.getByRole('button', { name: 'Look', exact: true }).click();
  await expect(page.getByText('There was no such record at that moment.')).toBeVisible();
  await page.evaluate((path) => fetch(path), `/fhir/R4/${patient}`);
  await expect(async () => {
    // What was read is written a moment later.
    const at = encodeURIComponent(new Date().toISOString());
    await page.goto(`/p/${project}/activity/access?resource=${patient}&at=${at}`);
    await expect(page.getByText('2 of 2 memberships looked at.')).toBeVisible({ timeout: 5000 });
    await expect(page.getByText('opened it')).toBeVisible({ timeout: 1000 });
  }).toPass();
  await inEveryLook(page);
  await expectAccessible();
});
