import { expect, test } from '../fixtures.ts';
import { inEveryLook, tabTo } from '../looks.ts';
import { invite, patchMember, readMember } from '../people.ts';
import { confirmed } from '../settled.ts';
import { signUp } from '../sign-up.ts';

test('a project requires a policy: who has none is shown without access, and nobody is added without one', async ({
  page,
}) => {
  test.slow();
  const { project } = await signUp(page);
  const ben = await invite(page, project, 'Ben Okafor');
  await patchMember(page, project, ben.id, [{ op: 'remove', path: '/accessPolicy' }]);
  await page.goto(`/p/${project}/members`);
  const row = page.getByRole('row', { name: /Ben Okafor/ });
  await expect(row).toContainText('Full access');

  await page.goto(`/p/${project}/settings`);
  const card = page.getByRole('region', { name: 'A policy for everyone' });
  await expect(card).toContainText('2 of them have none, and would have no access to records');
  const toggle = card.getByRole('switch', { name: 'Without a policy there is no access to records' });
  await tabTo(page, toggle);
  await page.keyboard.press('Space');
  await expect(page.getByText('Settings saved')).toBeVisible();
  await expect(toggle).toBeChecked();
  await expect(card).toContainText('2 of them have none, and no access to records');
  await expect(page.getByLabel('Default access of patients')).toContainText('None: each invite names one');
  await inEveryLook(page);

  const rail = page.getByRole('navigation', { name: 'Main' });
  await rail.getByRole('link', { name: 'Members' }).click();
  await expect(row).toContainText('No access');
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await expect(page.getByText('Where it has none, the invite is refused.')).toBeVisible();
  await page.keyboard.press('Escape');
  await rail.getByRole('link', { name: 'Clients' }).click();
  await expect(page.getByRole('table', { name: 'Clients' })).toContainText('No access');
  await rail.getByRole('link', { name: 'Overview' }).click();
  const attention = page.getByRole('region', { name: 'Needs attention' });
  await expect(attention).toContainText('Ben Okafor has no access policy, and so reaches no record');
  await attention.getByRole('link', { name: 'Edit access: Ben Okafor' }).click();
  await expect(page.getByText('so this member reaches no records')).toBeVisible();
  await inEveryLook(page);
  const save = page.getByRole('button', { name: 'Save access' });
  await page.getByRole('button', { name: 'Add a policy' }).click();
  await page.getByLabel('Policy', { exact: true }).selectOption('Default Practitioner Access Policy');
  await save.click();
  await expect(page.getByText('Access saved')).toBeVisible();
  await confirmed(page);
  // What the server would refuse is not asked for.
  await page.getByRole('button', { name: 'Take this policy away' }).click();
  await save.click();
  await expect(page.getByText('This project requires a policy: keep one, or deactivate the member.')).toBeVisible();
  await expect(page.getByRole('dialog', { name: /full access/ })).toHaveCount(0);
  await page.getByRole('button', { name: 'Discard' }).click();
  expect((await readMember(page, project, ben.id)).accessPolicy.reference).toMatch(/^AccessPolicy/);
});

test('a client and a bot are made with a policy where the project requires one', async ({ page }) => {
  test.slow();
  const { project } = await signUp(page);
  const headers = { 'sec-fetch-site': 'same-origin' };
  const data = [{ name: 'requirePolicy', valueBoolean: true }];
  const set = await page.request.post(`/admin/projects/${project}/settings`, { data, headers });
  expect(set.status(), await set.text()).toBe(200);

  await page.goto(`/p/${project}/clients`);
  await page.getByRole('button', { name: 'New client' }).click();
  const client = page.getByRole('dialog', { name: 'New client' });
  await expect(client.getByLabel('Access policy')).not.toContainText('Everything');
  await client.getByLabel('Name').fill('Lab feed');
  await client.getByRole('button', { name: 'Create client' }).click();
  await expect(client.getByText('Choose a policy: this project requires one')).toBeVisible();
  await client.getByRole('button', { name: 'Cancel' }).click();

  await page.goto(`/p/${project}/bots`);
  const template = page.getByRole('button', { name: 'Create Echo' });
  await template.click();
  await expect(page.getByText('Choose a policy: this project requires one')).toBeVisible();
  await inEveryLook(page);
  await page.getByRole('button', { name: 'New bot' }).first().click();
  const bot = page.getByRole('dialog', { name: 'New bot' });
  await bot.getByLabel('Name').fill('Intake');
  await bot.getByRole('button', { name: 'Create bot' }).click();
  await expect(bot.getByText('Choose a policy: this project requires one')).toBeVisible();
  await inEveryLook(page);
  await bot.getByLabel('Access policy').selectOption('Default Practitioner Access Policy');
  await bot.getByRole('button', { name: 'Create bot' }).click();
  await expect(page.getByRole('heading', { name: 'Intake' })).toBeVisible();
  const found = await page.request.get(`/fhir/R4/ProjectMembership?profile-type=Bot`);
  const [entry] = (await found.json()).entry;
  expect(entry.resource.accessPolicy.reference).toMatch(/^AccessPolicy/);
});
