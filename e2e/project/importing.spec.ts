import { createHash, randomBytes } from 'node:crypto';
import { type APIRequestContext, expect as expectNow } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import { inEveryLook } from '../looks.ts';
import { PASSWORD, signIn, signUp, write } from '../sign-up.ts';

const SERVERS_OWN = '00000000-0000-4000-8000-000000000001';

/** The project as another server would have it: with other ids, in the same order. */
async function exportElsewhere(request: APIRequestContext, token: string, project: string) {
  const authorization = `Bearer ${token}`;
  const answer = await request.get(`/admin/projects/${project}/export`, { headers: { authorization } });
  expectNow(answer.status()).toBe(200);
  const lines = (await answer.text()).trimEnd().split('\n');
  const end = JSON.parse(lines.at(-1)!);
  const elsewhere = (text: string) => text.replaceAll(/\b01([0-9a-f]{6}-[0-9a-f]{4}-7)/g, '02$1');
  const before = lines
    .slice(0, -1)
    .map((line) => `${elsewhere(line)}\n`)
    .join('');
  const sha256 = createHash('sha256').update(before).digest('hex');
  return Buffer.from(`${before}${JSON.stringify({ ...end, sha256 })}\n`);
}

test('who runs the server brings a project from another one, and is told which line of a file is wrong', async ({
  page,
  request,
  superadminToken,
}) => {
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/settings`);
  await write(page, 'POST', '/fhir/R4/Bot', { resourceType: 'Bot', name: 'Nightly', cronString: '0 3 * * *' });
  const file = await exportElsewhere(request, superadminToken, project);
  await expect(page.getByRole('heading', { name: 'Export everything' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Import a project' })).toHaveCount(0);

  const email = `root-${randomBytes(6).toString('hex')}@example.com`;
  const person = { firstName: 'Rita', lastName: 'Root', email, password: PASSWORD, sendEmail: false };
  const invited = await request.post(`/admin/projects/${SERVERS_OWN}/invite`, {
    headers: { authorization: `Bearer ${superadminToken}` },
    data: { resourceType: 'Practitioner', ...person, admin: true },
  });
  expect(invited.status(), await invited.text()).toBe(200);
  await page.context().clearCookies();
  await signIn(page, email);
  await page.goto(`/p/${SERVERS_OWN}/settings`);
  const card = page.getByRole('region', { name: 'Import a project' });
  await expect(card.getByRole('button', { name: 'Choose a file…' })).toBeVisible();
  const choose = (buffer: Buffer) =>
    card
      .getByLabel('File of a project')
      .setInputFiles({ name: 'clinic.ndjson', mimeType: 'application/x-ndjson', buffer });

  await choose(Buffer.from(file.toString().replace('Riverside', 'Overside')));
  await expect(card.getByRole('alert')).toContainText(
    'clinic.ndjson was not imported, and nothing of it was kept. Line',
  );
  await expect(card.getByRole('alert')).toContainText('The file was altered');
  await choose(file);
  await expect(card.getByText('Riverside Clinic is here')).toBeVisible();
  await expect(card.getByText('1 person needs a password')).toBeVisible();
  await expect(card.getByText('1 bot runs at its times here from now on')).toBeVisible();
  await card.scrollIntoViewIfNeeded();
  await inEveryLook(page);
  await choose(file);
  await expect(card.getByRole('alert')).toContainText('This project is on this server already');
});
