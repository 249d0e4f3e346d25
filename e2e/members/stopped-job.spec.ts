import { stopAmidRow } from '../database.ts';
import { expect, test } from '../fixtures.ts';
import { signUp, write } from '../sign-up.ts';

test('a row that ends after its job was stopped is counted, and the list read again', async ({ page }) => {
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/invites`);
  const rows = ['Bea', 'Cem'].map((firstName) => ({
    resourceType: 'Practitioner',
    firstName,
    lastName: 'Last',
    email: `${firstName}-${project}@example.com`,
    sendEmail: false,
  }));
  const body = { kind: 'invite', idempotencyKey: crypto.randomUUID(), rows, numbers: [1, 2] };
  await write(page, 'POST', `/admin/projects/${project}/jobs`, body);
  const states = async () =>
    (await (await page.request.get(`/admin/projects/${project}/jobs`)).json()).rows.map(
      (job: { state: string }) => job.state,
    );
  await expect.poll(states, { timeout: 20_000 }).toEqual(['done']);
  const { end } = await stopAmidRow(project);
  await page.reload();
  const jobs = page.getByRole('region', { name: 'Jobs' });
  await expect(jobs).toContainText('Invited 1 of 2');
  await expect(page.getByRole('row')).toHaveCount(3);
  const again = page.waitForRequest((request) => request.url().includes(`/admin/projects/${project}/invites?`));
  await end();
  await again;
  await expect(jobs).toContainText('Invited 2 of 2');
});
