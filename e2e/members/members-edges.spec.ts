import { randomUUID } from 'node:crypto';
import { expect, test } from '../fixtures.ts';
import { inEveryLook } from '../looks.ts';
import { invite, patchMember, removeMember } from '../people.ts';
import { signUp } from '../sign-up.ts';

test('a change that somebody else has made asks nothing; one to somebody who was removed says so', async ({ page }) => {
  const { project } = await signUp(page);
  const ben = await invite(page, project, 'Ben Okafor');
  await page.goto(`/p/${project}/members`);
  const row = page.getByRole('row').filter({ hasText: 'Ben Okafor' });
  const act = async (name: string) => {
    await row.getByRole('button', { name: 'Actions for Ben Okafor' }).click();
    await page.getByRole('menuitem', { name }).click();
  };
  await expect(row).toContainText('Member');
  await patchMember(page, project, ben.id, [{ op: 'add', path: '/admin', value: true }]);
  await act('Make administrator');
  await expect(page.getByText('Already so').first()).toBeVisible();
  await expect(page.getByRole('dialog', { name: 'Somebody else changed this member' })).toBeHidden();
  await expect(row).toContainText('Admin');

  await removeMember(page, project, ben.id);
  await act('Make member');
  await expect(page.getByText('No longer a member of this project').first()).toBeVisible();
  await expect(row).toBeHidden();
});

test('a job that ends before it is stopped says so', async ({ page }) => {
  const { project } = await signUp(page);
  const ben = await invite(page, project, 'Ben Okafor');
  const jobs = `/admin/projects/${project}/jobs`;
  const data = { kind: 'promote', idempotencyKey: randomUUID(), members: [ben.id] };
  await page.request.post(jobs, { data, headers: { 'sec-fetch-site': 'same-origin' } });
  const read = async () => (await (await page.request.get(jobs)).json()).rows[0];
  await expect.poll(async () => (await read()).state).toBe('done');

  let late = true;
  const broken: Error[] = [];
  page.on('pageerror', (error) => broken.push(error));
  await page.route(`**${jobs}`, async (route) =>
    late
      ? route.fulfill({ json: { rows: [{ ...(await read()), state: 'running', done: 0, finishedAt: null }] } })
      : route.continue(),
  );
  await page.route(`**${jobs}/*/cancel`, (route) => {
    late = false;
    return route.continue();
  });
  await page.goto(`/p/${project}/members`);
  const tray = page.getByRole('region', { name: 'Jobs' });
  await tray.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByText('The job is over').first()).toBeVisible();
  await expect(tray).toContainText('Promoted 1 of 1');
  expect(broken).toEqual([]);
});

test('a page that the list does not reach leads to the first', async ({ page, expectAccessible }) => {
  const { project } = await signUp(page);
  await invite(page, project, 'Ben Okafor');
  // The second is further than any list goes.
  for (const list of ['members', 'invites']) {
    for (const number of [999, 99_999_999]) {
      await page.goto(`/p/${project}/${list}?page=${number}`);
      await expect(page.getByText('Nothing on this page')).toBeVisible();
      await expect(page.getByRole('button', { name: 'Clear filters' })).toBeHidden();
      await expectAccessible();
      await page.getByRole('button', { name: 'First page' }).click();
      await expect(page.getByRole('row').filter({ hasText: 'Ben Okafor' })).toBeVisible();
      await expect(page).toHaveURL(new RegExp(`/${list}$`));
    }
  }
});

test('what could not be learnt of a member is called unknown, and asked for again', async ({ page }) => {
  const { project } = await signUp(page);
  const ben = await invite(page, project, 'Ben Okafor');
  const facts = '**/member-facts?membership=*';
  await page.route(facts, (route) => route.fulfill({ status: 500, body: '' }));
  await page.goto(`/p/${project}/members`);
  const row = page.getByRole('row').filter({ hasText: 'Ben Okafor' });
  await expect(page.getByText('Some facts could not be loaded')).toBeVisible({ timeout: 20_000 });
  await expect(row.getByText('Unknown', { exact: true })).toHaveCount(4);
  await inEveryLook(page);
  await page.unroute(facts);
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(row).toContainText('Invited');
  await expect(page.getByText('Some facts could not be loaded')).toBeHidden();
  await page.goto(`/p/${project}/members/${ben.id}`);
  await expect(page.getByText('Invited', { exact: true }).first()).toBeVisible();
});
