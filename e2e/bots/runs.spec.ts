import { deployedBot, execute, patient, recorded } from '../admissions.ts';
import { expect, test } from '../fixtures.ts';
import { inEveryLook, tabTo } from '../looks.ts';
import { awake } from '../settled.ts';
import { signUp } from '../sign-up.ts';

const SLOW = `export async function handler(medplum, event) {
  await new Promise((resolve) => setTimeout(resolve, event.input.ms));
  return 'done';
}`;

const ADMITS = `export async function handler(medplum, event) {
  const { family } = event.input.name[0];
  console.log('admitting ' + family);
  await medplum.createResource({ resourceType: 'Basic', code: { text: 'seen' } });
  await medplum.searchResources('Basic', { code: 'x' });
  if (event.input.active === false) throw new Error('no bed for ' + family);
  return event.input;
}`;

test('a run is found by what narrows the list, opened by its address, revealed with a reason and run again', async ({
  page,
  expectAccessible,
}) => {
  test.slow();
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/runs`);
  await expect(page.getByRole('heading', { name: 'No bot has run yet' })).toBeVisible();
  await inEveryLook(page);

  const bot = await deployedBot(page, project, 'Admission', ADMITS);
  await execute(page, bot, [patient('Okonjo'), patient('Quist', false)]);
  await recorded(page, project, 2);
  await page.reload();
  const rows = page.getByRole('table', { name: 'Runs' }).getByRole('row');
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(1)).toContainText(/Admission\s*HTTP call\s*Failed\s*v1.*Ada Reyes/);
  await inEveryLook(page);

  await page.getByLabel('Status', { exact: true }).selectOption('Not OK');
  await expect(rows).toHaveCount(2);
  await page.getByLabel('Bot', { exact: true }).selectOption('Admission');
  await page.getByLabel('Version', { exact: true }).selectOption('v1');
  await expect(page).toHaveURL(/version=1/);
  await expect(rows).toHaveCount(2);
  await page.getByLabel('Time', { exact: true }).selectOption('Last hour');
  await page.getByLabel('Trigger', { exact: true }).selectOption('Schedule');
  await expect(page.getByRole('heading', { name: 'No run fits' })).toBeVisible();
  await expect(page).toHaveURL(/status=failing/);
  await expect(page).toHaveURL(/trigger=cron/);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'No run fits' })).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(rows).toHaveCount(3);

  // Whose run it was is looked for without telling the address.
  await page.getByLabel('Search what went into runs').fill('okonjo');
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(1)).toContainText('OK');
  expect(page.url()).not.toContain('okonjo');

  await rows.nth(1).getByRole('button').click();
  const sheet = page.getByRole('dialog', { name: 'Run', exact: true });
  await expect(sheet.getByRole('list', { name: 'Log lines' })).toContainText('admitting •••');
  await expect(sheet.getByRole('list', { name: 'Calls' })).toContainText(/createResource.*201.*after .* took /s);
  await expect(sheet.getByRole('list', { name: 'Calls' })).toContainText('searchResources Basic');
  await expect(sheet.getByRole('list', { name: 'What it wrote' })).toContainText(/^Basic\/[0-9a-f-]{36}\/_history\/1$/);
  await expect(sheet.getByRole('region', { name: 'Input' })).toContainText('"family": "•••"');
  await expect(sheet).not.toContainText('Okonjo');
  await inEveryLook(page);

  await page.reload();
  await sheet.getByRole('button', { name: 'Reveal…' }).click();
  const reveal = page.getByRole('dialog', { name: 'Reveal this run?' });
  await reveal.getByRole('button', { name: 'Reveal the run' }).click();
  await expect(reveal.getByText('Say why')).toBeVisible();
  await inEveryLook(page);
  await reveal.getByLabel('Why').fill('Ticket 4711');
  await page.keyboard.press('Enter');
  await expect(sheet.getByRole('list', { name: 'Log lines' })).toContainText('admitting Okonjo');
  await expect(sheet.getByRole('region', { name: 'Output' })).toContainText('"family": "Okonjo"');
  await sheet.getByRole('button', { name: 'Keep as a sample…' }).click();
  const keep = page.getByRole('dialog', { name: 'Keep a sample' });
  await keep.getByLabel('Name').fill('An admission');
  await keep.getByLabel('Answers of other servers').fill('{"fetch": [{"url": "ftp://x"}]}');
  await expect(keep.getByText('fetch.0.url: url must begin with https://')).toBeVisible();
  await inEveryLook(page);
  await keep.getByLabel('Answers of other servers').fill('{"fetch": [{"url": "https://lab.example/*", "body": "{}"}]}');
  await keep.getByRole('button', { name: 'Run it dry' }).click();
  await expect(keep.getByText('Would end well')).toBeVisible();
  await keep.getByRole('button', { name: 'Keep it, and expect this' }).click();
  await expect(keep).toHaveCount(0);
  const { rows: samples } = await (await page.request.get(`/admin/projects/${project}/bots/${bot}/samples`)).json();
  expect(samples).toMatchObject([{ name: 'An admission', stubs: { fetch: [{ url: 'https://lab.example/*' }] } }]);
  expect(samples[0].input.body).toContain('Okonjo');
  await sheet.getByRole('button', { name: 'Mask again' }).click();
  await expect(sheet).not.toContainText('Okonjo');

  await sheet.getByRole('button', { name: 'Run again…' }).click();
  const again = page.getByRole('dialog', { name: 'Run this again?' });
  await again.getByLabel('Version').selectOption('The one it ran on, v1');
  await expectAccessible();
  await again.getByRole('button', { name: 'Run again' }).click();
  await expect(page.getByText('It ran, and ended well')).toBeVisible();
  await expect(sheet.getByText('Replay', { exact: true })).toBeVisible();
  await sheet.getByRole('button', { name: 'An earlier run' }).click();
  await expect(sheet.getByText('HTTP call')).toBeVisible();
  await sheet.getByRole('button', { name: 'Close' }).click();
  await expect(rows).toHaveCount(4);
  await expect(page).toHaveURL(/\/runs$/);

  await page.goto(`/p/${project}/activity`);
  await expect(page.getByText(/looked at what went through a run/).first()).toBeVisible();
});

test('what runs is told while it does, and has ended when it has', async ({ page }) => {
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/runs`);
  const bot = await deployedBot(page, project, 'Slow', SLOW);
  const headers = { 'sec-fetch-site': 'same-origin' };
  const ended = page.request.post(`/fhir/R4/Bot/${bot}/$execute`, { data: { ms: 9000 }, headers });
  const running = async () => (await (await page.request.get(`/admin/projects/${project}/runs/running`)).json()).rows;
  await expect.poll(async () => (await running()).length).toBe(1);
  await page.reload();
  await page.getByRole('button', { name: '1 running' }).click();
  const sheet = page.getByRole('dialog', { name: 'Running now' });
  await expect(sheet.getByRole('list', { name: 'Running now' })).toContainText(
    /Slow\s*HTTP call · v1 · since .*Ada Reyes/s,
  );
  await inEveryLook(page);
  expect((await ended).status()).toBe(200);
  await expect(sheet.getByText('All of them have ended.')).toBeVisible({ timeout: 20_000 });
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: /running$/ })).toHaveCount(0);

  const stopped = page.request.post(`/fhir/R4/Bot/${bot}/$execute`, { data: { ms: 9900 }, headers });
  await expect.poll(async () => (await running()).length).toBe(1);
  await page.reload();
  await page.getByRole('button', { name: '1 running' }).click();
  await sheet.getByRole('button', { name: 'Stop Slow' }).click();
  expect([(await stopped).status(), await (await stopped).text()]).toEqual([400, expect.stringContaining('stopped')]);
  await expect(sheet.getByText('All of them have ended.')).toBeVisible({ timeout: 20_000 });
});

test('by keyboard alone, and on a phone: go to the runs, to older ones, open one, close it, narrow the list', async ({
  page,
}) => {
  test.slow();
  const { project } = await signUp(page);
  const bot = await deployedBot(page, project, 'Admission', ADMITS);
  await execute(
    page,
    bot,
    Array.from({ length: 27 }, (_, at) => patient(`Quist ${at}`, at > 0)),
  );
  await recorded(page, project, 27);
  await page.goto(`/p/${project}`);
  await expect(page.getByText('First steps')).toBeVisible();
  await awake(page);
  await page.keyboard.press('g');
  await page.keyboard.press('r');
  await expect(page.getByRole('heading', { name: 'Runs', level: 1 })).toBeVisible();
  const rows = page.getByRole('table', { name: 'Runs' }).getByRole('row');
  await expect(rows).toHaveCount(26);
  await tabTo(page, rows.nth(25).getByRole('button'));
  await tabTo(page, page.getByRole('button', { name: 'Older runs' }));
  await page.keyboard.press('Enter');
  await expect(rows).toHaveCount(28);
  await expect(page.getByRole('button', { name: 'Older runs' })).toHaveCount(0);

  await page.keyboard.press('j');
  await expect(rows.nth(1).getByRole('button')).toBeFocused();
  await page.keyboard.press('Enter');
  const sheet = page.getByRole('dialog', { name: 'Run', exact: true });
  await expect(sheet.getByRole('heading', { name: 'Calls' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(sheet).toHaveCount(0);
  await expect(rows.nth(1).getByRole('button')).toBeFocused();
  await page.keyboard.press('f');
  await expect(page.getByLabel('Status', { exact: true })).toBeFocused();
  await page.keyboard.type('Failed');
  await expect(rows).toHaveCount(2);

  await page.setViewportSize({ width: 390, height: 844 });
  const cards = page.getByRole('list', { name: 'Runs' }).getByRole('listitem');
  await expect(cards).toHaveCount(1);
  await cards.getByRole('button', { name: 'Admission' }).click();
  await expect(sheet.getByRole('region', { name: 'Message' })).toContainText('no bed for •••');
  await inEveryLook(page);
});

test('runs that come while the list is read are shown when it is, and stay', async ({ page }) => {
  const { project } = await signUp(page);
  const bot = await deployedBot(page, project, 'Admission', ADMITS);
  const { promise: isLetGo, resolve: letGo } = Promise.withResolvers<void>();
  let answered = 0;
  // As it was before they ran, and late.
  await page.route(/\/runs\?/, async (route) => {
    const response = await route.fetch();
    answered += 1;
    await isLetGo;
    await route.fulfill({ response });
  });
  await page.goto(`/p/${project}/runs`);
  await expect.poll(() => answered).toBe(1);
  const followed = page.waitForResponse(/\/runs\/live/);
  await page.getByRole('button', { name: 'Live', exact: true }).click();
  await followed;
  await page.getByRole('button', { name: 'Pause' }).click();
  await execute(page, bot, [patient('Reyes'), patient('Smith', false)]);
  const show = page.getByRole('button', { name: 'Show 2 new' });
  await show.press('Enter');
  await expect(show).toBeFocused();
  letGo();
  const rows = page.getByRole('table', { name: 'Runs' }).getByRole('row');
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(1)).toContainText('Failed');
  await expect(show).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Resume' })).toBeFocused();
});
