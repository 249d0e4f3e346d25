import type { Route } from '@playwright/test';
import { deployedBot } from '../admissions.ts';
import { expect, test } from '../fixtures.ts';
import { inEveryLook } from '../looks.ts';
import { signUp, write } from '../sign-up.ts';

test('what somebody else saved of a webhook stays beside what is typed; where nothing is taken any more it says so', async ({
  page,
}) => {
  test.slow();
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/bots`);
  await write(page, 'POST', `/admin/projects/${project}/secrets`, [
    { name: 'LAB_KEY', valueString: 'a key of the lab' },
  ]);
  const bot = await deployedBot(page, project, 'Nightly', 'export const handler = () => 1;');
  const parts = { preset: { valueCode: 'github' }, secret: { valueString: 'LAB_KEY' } };
  const extension = {
    url: 'urn:gatehouse:bot-webhook-signature',
    extension: Object.entries(parts).map(([url, value]) => ({ url, ...value })),
  };
  const change = (...ops: object[]) => write(page, 'PATCH', `/fhir/R4/Bot/${bot}`, ops);
  await change(
    { op: 'add', path: '/publicWebhook', value: true },
    { op: 'add', path: '/extension', value: [extension] },
  );
  await page.goto(`/p/${project}/bots/${bot}?tab=connections`);
  const webhook = page.getByRole('region', { name: 'Webhook' });
  const save = webhook.getByRole('button', { name: 'Save webhook' });
  const stored = async () => (await page.request.get(`/fhir/R4/Bot/${bot}`)).json();

  // Another field, that the page does not know of when it is saved.
  await webhook.getByLabel('Tolerance, seconds').fill('60');
  await change({ op: 'add', path: '/rawBody', value: true });
  await save.click();
  await expect(save).toHaveCount(0);
  expect(await stored()).toMatchObject({ rawBody: true, publicWebhook: true });
  expect((await stored()).extension[0].extension).toContainEqual({ url: 'tolerance', valueInteger: 60 });
  await expect(webhook.getByRole('switch', { name: 'The bot gets the text' })).toBeChecked();

  // The same one: told, and nothing is taken away.
  await webhook.getByLabel('Tolerance, seconds').fill('70');
  const theirs = { ...extension, extension: [...extension.extension, { url: 'tolerance', valueInteger: 80 }] };
  await change({ op: 'replace', path: '/extension', value: [theirs] });
  await save.click();
  await expect(webhook.getByText('Somebody else changed this meanwhile.')).toBeVisible();
  await webhook.getByRole('button', { name: 'Discard' }).click();
  await expect(webhook.getByLabel('Tolerance, seconds')).toHaveValue('80');

  const { entry } = await (await page.request.get(`/fhir/R4/ProjectMembership?profile=Bot/${bot}`)).json();
  const off = [{ op: 'add', path: '/active', value: false }];
  await write(page, 'PATCH', `/admin/projects/${project}/members/${entry[0].resource.id}`, off);
  await write(page, 'POST', `/admin/projects/${project}/secrets`, []);
  await page.reload();
  await expect(webhook.getByText('The bot is turned off, so the address answers 403.')).toBeVisible();
  await expect(webhook.getByText('There is no secret LAB_KEY any more: all that is sent is refused.')).toBeVisible();
  await inEveryLook(page);
  await webhook.getByLabel('Who signs').selectOption('HMAC in hex, in a header');
  await expect(save).toBeDisabled();
  await webhook.getByRole('switch', { name: 'It has an address' }).click();
  await save.click();
  await expect(save).toHaveCount(0);
  expect((await stored()).extension).toBeUndefined();
});

test('what somebody else made of the settings meanwhile is told and stays; of another field it stays beside what is typed', async ({
  page,
}) => {
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/bots`);
  const bot = await deployedBot(page, project, 'Nightly', 'export const handler = () => 1;');
  const stored = async () => (await page.request.get(`/fhir/R4/Bot/${bot}`)).json();
  const change = (path: string, value: unknown) =>
    write(page, 'PATCH', `/fhir/R4/Bot/${bot}`, [{ op: 'add', path, value }]);
  await page.goto(`/p/${project}/bots/${bot}`);
  const open = page.getByRole('button', { name: 'Settings', exact: true });
  const settings = page.getByRole('dialog', { name: 'Bot settings' });
  const description = settings.getByLabel('Description');
  const save = settings.getByRole('button', { name: 'Save settings' });
  await open.click();
  await description.fill('Mine');
  await change('/description', 'Theirs');
  await page.reload();
  await open.click();
  await expect(description).toHaveValue('Mine');
  await save.click();
  await expect(settings.getByText('Somebody else changed the same meanwhile.')).toBeVisible();
  expect(await stored()).toMatchObject({ description: 'Theirs' });
  await settings.getByRole('button', { name: 'Cancel' }).click();
  await open.click();
  await expect(description).toHaveValue('Theirs');
  await expect(settings.getByRole('alert')).toHaveCount(0);

  await description.fill('Mine, and theirs');
  await change('/timeout', 20);
  await save.click();
  await expect(settings.getByRole('alert')).toBeVisible();
  await expect(settings.getByLabel('Time limit, seconds')).toHaveValue('20');
  await save.click();
  await expect(settings).toHaveCount(0);
  expect(await stored()).toMatchObject({ description: 'Mine, and theirs', timeout: 20 });
});

test('what is typed of connections and alerts is there when one comes back, and takes nothing of somebody else away', async ({
  page,
}) => {
  test.slow();
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/bots`);
  const bot = await deployedBot(page, project, 'Nightly', 'export const handler = () => 1;');
  await page.goto(`/p/${project}/bots/${bot}?tab=alerts`);
  const percent = page.getByLabel('Percent of runs that fail');
  await percent.fill('20');
  await page.getByRole('tab', { name: 'Connections' }).click();
  const card = (name: string) => page.getByRole('region', { name, exact: true });
  const attempts = card('Attempts').getByLabel('Attempts');
  await card('Schedule').getByLabel('Runs').selectOption('By a cron expression');
  await card('Schedule').getByLabel('Cron expression').fill('0 8 * * *');
  await attempts.fill('3');
  await card('Hosts').getByLabel('It may call').selectOption('These alone');
  await card('Hosts').getByLabel('Hosts').fill('api.example.com');
  await card('Webhook').getByRole('switch', { name: 'It has an address' }).click();
  await card('Webhook').getByLabel('Who signs').selectOption('GitHub');
  await card('Webhook').getByRole('link', { name: 'the secrets of the project' }).click();
  await expect(page).toHaveURL(/settings#secrets$/);
  await page.goBack();
  await expect(card('Schedule').getByLabel('Cron expression')).toHaveValue('0 8 * * *');
  await expect(attempts).toHaveValue('3');
  await expect(card('Hosts').getByLabel('Hosts')).toHaveValue('api.example.com');
  await expect(card('Webhook').getByLabel('Who signs')).toHaveValue('github');

  const theirs = { url: 'urn:gatehouse:bot-event-attempts', valueInteger: 5 };
  await write(page, 'PATCH', `/fhir/R4/Bot/${bot}`, [{ op: 'add', path: '/extension', value: [theirs] }]);
  const failure = { percent: 30, hours: 1, minimum: 1 };
  await write(page, 'PUT', `/admin/projects/${project}/bots/${bot}/alert`, { failure });
  await page.reload();
  await expect(attempts).toHaveValue('3');
  await card('Attempts').getByRole('button', { name: 'Save attempts' }).click();
  await expect(card('Attempts').getByText('Somebody else changed this meanwhile.')).toBeVisible();
  await card('Attempts').getByRole('button', { name: 'Discard' }).click();
  await expect(attempts).toHaveValue('5');
  for (const name of ['Schedule', 'Hosts', 'Webhook'])
    await card(name).getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('tab', { name: 'Alerts' }).click();
  await expect(percent).toHaveValue('20');
  await page.getByRole('button', { name: 'Save alerts' }).click();
  await expect(page.getByText('Somebody else changed the same meanwhile.')).toBeVisible();
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(percent).toHaveValue('30');
  const drafts = () => page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.includes(':draft:')));
  expect(await drafts()).toEqual([]);

  await write(page, 'PUT', `/admin/projects/${project}/bots/${bot}/alert`, { failure, silentHours: 7 });
  await percent.fill('40');
  await page.getByRole('button', { name: 'Save alerts' }).click();
  await expect(page.getByText('Somebody else changed the rest meanwhile')).toBeVisible();
  await expect(page.getByLabel('Hours without a run that went well')).toHaveValue('7');
  await page.getByRole('button', { name: 'Save alerts' }).click();
  await expect(page.getByText('Alerts saved')).toBeVisible();
  await expect(percent).toHaveValue('40');
  expect(await drafts()).toEqual([]);
});

test('what is typed while a part of a bot, or its alerts, are on their way stays, and is saved next', async ({
  page,
}) => {
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/bots`);
  const bot = await deployedBot(page, project, 'Nightly', 'export const handler = () => 1;');
  /** What is sent there waits until what this gives back is called. */
  const hold = async (address: string) => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const waits = async (route: Route) => {
      if (route.request().method() === 'PUT') await held;
      await route.continue();
    };
    await page.route(address, waits);
    return release;
  };
  await page.goto(`/p/${project}/bots/${bot}?tab=connections`);
  const card = page.getByRole('region', { name: 'Hosts', exact: true });
  const hosts = card.getByLabel('Hosts');
  await card.getByLabel('It may call').selectOption('These alone');
  await hosts.fill('a.example.com');
  const goesOn = await hold(`**/fhir/R4/Bot/${bot}`);
  await card.getByRole('button', { name: 'Save hosts' }).click();
  await hosts.fill('a.example.com\nb.example.com');
  goesOn();
  const stored = async () => (await (await page.request.get(`/fhir/R4/Bot/${bot}`)).json()).allowedHost;
  await expect.poll(stored).toEqual(['a.example.com']);
  await expect(hosts).toHaveValue('a.example.com\nb.example.com');
  // By key: what says that it was saved may lie over it.
  await card.getByRole('button', { name: 'Save hosts' }).press('Enter');
  await expect.poll(stored).toEqual(['a.example.com', 'b.example.com']);

  await page.goto(`/p/${project}/bots/${bot}?tab=alerts`);
  await page.getByLabel('Percent of runs that fail').fill('20');
  const alertsGoOn = await hold('**/alert');
  await page.getByRole('button', { name: 'Save alerts' }).click();
  await page.getByLabel('Hours without a run that went well').fill('3');
  alertsGoOn();
  await expect(page.getByText('Alerts saved')).toBeVisible();
  await expect(page.getByLabel('Hours without a run that went well')).toHaveValue('3');
  await page.getByRole('button', { name: 'Save alerts' }).press('Enter');
  const alerts = async () => (await page.request.get(`/admin/projects/${project}/bots/${bot}/alert`)).json();
  await expect.poll(alerts).toMatchObject({ failure: { percent: 20 }, silentHours: 3 });
});
