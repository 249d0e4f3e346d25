import { deployedBot, execute, HEADERS, patient, recorded } from '../admissions.ts';
import { expect, test } from '../fixtures.ts';
import { inEveryLook, tabTo } from '../looks.ts';
import { sharedServer } from '../server-database.ts';
import { signUp } from '../sign-up.ts';

const ADMITS = `export async function handler(medplum, event) {
  const { family } = event.input.name[0];
  if (event.input.active === false) throw new Error('no bed for ' + family);
  return event.input;
}`;

test('failures stand together by their fault, and lead to their runs; charts say the same in numbers', async ({
  page,
}) => {
  test.slow();
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/runs?tab=errors`);
  await expect(page.getByRole('heading', { name: 'No open errors' })).toBeVisible();
  const bot = await deployedBot(page, project, 'Admission', ADMITS);
  await execute(page, bot, [patient('Okonjo'), patient('Quist', false), patient('Reyes', false)]);
  await recorded(page, project, 3);
  await page.reload();
  const errors = page.getByRole('list', { name: 'Errors' }).getByRole('listitem');
  await expect(errors).toHaveCount(1);
  await expect(errors).toContainText(/no bed for •••.*Failed.*2 times · Admission · v1/s);
  await inEveryLook(page);
  await tabTo(page, errors.getByRole('link'));
  await page.keyboard.press('Enter');
  const rows = page.getByRole('table', { name: 'Runs' }).getByRole('row');
  await expect(rows).toHaveCount(3);
  await expect(page.getByText('Of one error')).toBeVisible();

  await page.getByRole('tab', { name: 'Charts' }).click();
  await expect(page.getByText(/3 ran, 2 did not end well/)).toBeVisible();
  await page.getByText('In numbers').click();
  await expect(page.getByRole('table', { name: 'Figures of runs' }).getByRole('row')).toHaveCount(25);
  // One of 24 hours is the first of its day.
  await expect(page.getByRole('cell', { name: '00:00', exact: true })).toHaveCount(1);
  await inEveryLook(page);
  await page.getByLabel('Time of the charts').selectOption('Last 30 days');
  await expect(page.getByRole('table', { name: 'Figures of runs' }).getByRole('row')).toHaveCount(31);

  await page.goto(`/p/${project}/bots/${bot}?tab=errors`);
  await expect(errors).toContainText('2 times');
  // All of one error at once: fixed, and run again on what is live.
  await page.getByRole('button', { name: /^Run again: / }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Run 2 runs again' }).click();
  await expect(page.getByText('Run again: 0 ended well, 2 did not, 0 could not be run, 0 left out.')).toBeVisible();
  await expect(errors).toContainText('4 times');
  // Four runs of two inputs, both of which have been run on what is live.
  await page.getByRole('button', { name: /^Run again: / }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Run 4 runs again' }).click();
  await expect(page.getByText('Run again: 0 ended well, 0 did not, 0 could not be run, 4 left out.')).toBeVisible();
  await page.getByRole('tab', { name: 'Charts' }).click();
  await expect(page.getByText(/5 ran, 4 did not end well/)).toBeVisible();
});

test('an error that somebody resolves leaves the open ones, and opens again when a run fails like this', async ({
  page,
}) => {
  test.slow();
  const { project } = await signUp(page);
  const bot = await deployedBot(page, project, 'Admission', ADMITS);
  await execute(page, bot, [patient('Quist', false)]);
  await recorded(page, project, 1);
  await page.goto(`/p/${project}/runs?tab=errors`);
  const errors = page.getByRole('list', { name: 'Errors' }).getByRole('listitem');
  await tabTo(page, page.getByRole('button', { name: /^Resolve: / }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'No open errors' })).toBeVisible();
  const which = page.getByLabel('Which errors');
  await expect(which).toBeFocused();
  await which.selectOption('Resolved');
  await expect(errors).toContainText(/Resolved by /);
  await inEveryLook(page);
  await execute(page, bot, [patient('Reyes', false)]);
  await recorded(page, project, 2);
  await page.reload();
  await expect(errors).toContainText(/2 times.*it has failed again since/s);
  await inEveryLook(page);
  await page.getByRole('button', { name: /^Resolve: / }).click();
  await which.selectOption('Resolved');
  await page.getByRole('button', { name: /^Open again: / }).click();
  await expect(page.getByRole('heading', { name: 'Nothing is resolved' })).toBeVisible();
  await which.selectOption('Open');
  await expect(errors).toHaveCount(1);
});

test('runs are followed as they come, held while they are paused, and none shifts who has scrolled', async ({
  page,
  expectAccessible,
}) => {
  test.slow();
  const { project } = await signUp(page);
  const bot = await deployedBot(page, project, 'Admission', ADMITS);
  await execute(page, bot, [patient('Okonjo')]);
  await recorded(page, project, 1);
  await page.goto(`/p/${project}/runs`);
  const rows = page.getByRole('table', { name: 'Runs' }).getByRole('row');
  await expect(rows).toHaveCount(2);
  await tabTo(page, page.getByRole('button', { name: 'Live', exact: true }));
  await page.keyboard.press('Enter');
  await expect(page.getByText('Following, no run yet').first()).toBeVisible();
  const offered = await page.evaluateHandle(() => {
    const seen = new Set<string>();
    const look = () => {
      for (const { textContent } of document.querySelectorAll('button')) seen.add(textContent);
    };
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
    return seen;
  });
  await execute(page, bot, [patient('Quist', false)]);
  await expect(page.getByText('Following, 1 new run').first()).toBeVisible();
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(1)).toContainText('Failed');
  // What follows by itself is not offered first.
  expect(await offered.evaluate((seen) => [...seen].filter((text) => /^Show/.test(text)))).toEqual([]);
  await page.getByRole('button', { name: 'Pause' }).click();
  await execute(page, bot, [patient('Reyes'), patient('Smith')]);
  await expect(page.getByRole('button', { name: 'Show 2 new' })).toBeVisible();
  await expect(rows).toHaveCount(3);
  await expectAccessible();
  // Seen at once; said so often that something else is heard, too.
  const said = page.getByRole('status').filter({ hasText: /^Paused/ });
  await expect(page.getByText('Paused, 3 new runs').first()).toBeVisible();
  await expect(said).toHaveText('Paused, 1 new run');
  await tabTo(page, page.getByRole('button', { name: 'Show 2 new' }));
  await page.keyboard.press('Enter');
  await expect(rows).toHaveCount(5);
  await expect(page.getByRole('button', { name: 'Resume' })).toBeFocused();
  await expect(said).toHaveText('Paused, 3 new runs', { timeout: 20_000 });
});

test('who follows when there is no place is told so, and follows when there is one', async ({ page }) => {
  const { project } = await signUp(page);
  await deployedBot(page, project, 'Admission', ADMITS);
  await page.goto(`/p/${project}/runs`);
  const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
  const headers = { ...HEADERS, accept: 'text/event-stream', cookie };
  const ending = new AbortController();
  // Each process has twenty places; connections are dealt to them in turn.
  for (let refused = 0; refused < 10; ) {
    const address = `${sharedServer()}/admin/projects/${project}/runs/live`;
    const { status } = await fetch(address, { headers, signal: ending.signal });
    refused = status === 429 ? refused + 1 : 0;
  }
  await page.getByRole('button', { name: 'Live', exact: true }).click();
  await expect(page.getByText(/Too many follow the runs.*goes on by itself/)).toBeVisible();
  await inEveryLook(page);
  ending.abort();
  await expect(page.getByText('Following, no run yet').first()).toBeVisible({ timeout: 20_000 });
  await expect(page.getByText(/Too many follow/)).toHaveCount(0);
});

test('administrators say when they are told of a bot', async ({ page }) => {
  test.slow();
  const { project } = await signUp(page);
  const bot = await deployedBot(page, project, 'Admission', ADMITS);
  await page.goto(`/p/${project}/bots/${bot}?tab=alerts`);
  await page.getByLabel('Percent of runs that fail').fill('101');
  await page.getByRole('button', { name: 'Save alerts' }).click();
  await expect(page.getByText('A whole number from 1 to 100')).toBeVisible();
  await page.getByLabel('Percent of runs that fail').fill('');
  await page.getByLabel('Within hours').fill('2');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Of how many percent they are to hear')).toBeVisible();
  await page.getByLabel('Percent of runs that fail').fill('50');
  await page.getByLabel('Addresses').fill('nobody@example.com');
  await page.keyboard.press('Enter');
  await expect(page.getByText('nobody@example.com is no address of an administrator of the project')).toBeVisible();
  await inEveryLook(page);
  await page.getByLabel('Addresses').fill('');
  await page.getByRole('button', { name: 'Save alerts' }).click();
  await expect(page.getByText('Alerts saved')).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Percent of runs that fail')).toHaveValue('50');
});
