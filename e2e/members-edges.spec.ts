import { randomUUID } from 'node:crypto';
import { expect, test } from './fixtures.ts';
import { invite } from './people.ts';
import { signUp } from './sign-up.ts';

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
