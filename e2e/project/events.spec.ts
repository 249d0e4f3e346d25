import type { Page } from '@playwright/test';
import { deployedBot } from '../admissions.ts';
import { expect, test } from '../fixtures.ts';
import { inEveryLook, tabTo } from '../looks.ts';
import { awake, settled } from '../settled.ts';
import { signUp } from '../sign-up.ts';

const HEADERS = { 'sec-fetch-site': 'same-origin' };
const FAILS = `export async function handler(medplum, event) { throw new Error('no bed for ' + event.input.name[0].family); }`;
const WORKS = `export async function handler(medplum) { await medplum.createResource({ resourceType: 'Basic', code: { text: 'seen' } }); }`;

test('events that were given up are seen by what is alike, run again when the bot is mended, or dropped', async ({
  page,
}) => {
  test.slow();
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/dead-letters`);
  await expect(page.getByRole('heading', { name: 'Nothing was given up' })).toBeVisible();
  await inEveryLook(page);

  const bot = await deployedBot(page, project, 'Admission', FAILS);
  const channel = { type: 'rest-hook', endpoint: `Bot/${bot}` };
  const subscription = { resourceType: 'Subscription', status: 'requested', reason: 'x', criteria: 'Patient', channel };
  await post(page, '/fhir/R4/Subscription', subscription);
  for (const family of ['Okonjo', 'Quist', 'Moretti'])
    await post(page, '/fhir/R4/Patient', { resourceType: 'Patient', name: [{ family }] });
  await given(page, project, 3);

  await page.goto(`/p/${project}`);
  await expect(page.getByText('First steps')).toBeVisible();
  await awake(page);
  await page.keyboard.press('g');
  await page.keyboard.press('d');
  const groups = page.getByRole('list', { name: 'Groups of dead letters' }).getByRole('listitem');
  await expect(groups).toHaveCount(1);
  await expect(groups).toContainText(/3 events.*Subscription.*Admission.*Error: no bed for •••/s);
  await expect(page.getByRole('main')).not.toContainText('Okonjo');
  await inEveryLook(page);

  await tabTo(page, page.getByRole('button', { name: 'Show them: 3 events of Admission' }));
  await page.keyboard.press('Enter');
  const sheet = page.getByRole('dialog', { name: 'Dead letters' });
  const events = sheet.getByRole('list', { name: 'Events' }).getByRole('listitem');
  await expect(events).toHaveCount(3);
  await expect(events.first()).toContainText(/Patient\/[0-9a-f-]{36}\/_history\/1/);
  await inEveryLook(page);
  await page.reload();
  await expect(events).toHaveCount(3);
  await events.first().getByRole('button', { name: /^Drop/ }).click();
  const drop = page.getByRole('dialog', { name: 'Drop this event?' });
  await inEveryLook(page);
  await drop.getByRole('button', { name: 'Drop the event' }).click();
  await expect(events).toHaveCount(2);
  await page.keyboard.press('Escape');
  await expect(sheet).toHaveCount(0);

  await post(page, `/fhir/R4/Bot/${bot}/$deploy`, { code: WORKS, filename: 'index.ts' });
  await page.goto(`/p/${project}/runs?tab=errors`);
  await inEveryLook(page);
  await page.getByRole('link', { name: '2 events were given up' }).click();
  await expect(page.getByText('Of one error')).toBeVisible();
  await expect(groups).toContainText('2 events');
  await inEveryLook(page);
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect(page.getByText('Of one error')).toHaveCount(0);
  await expect(groups).toContainText('2 events');
  await page.goto(`/p/${project}/bots/${bot}?tab=dead-letters`);
  await expect(groups).toContainText('2 events');
  await expect(groups).not.toContainText('Admission');
  await page.getByRole('button', { name: 'Run again… 2 events of Admission' }).click();
  await page.getByRole('dialog', { name: 'Run 2 events again?' }).getByRole('button', { name: 'Run again' }).click();
  await expect(page.getByRole('heading', { name: 'Nothing was given up' })).toBeVisible();
  await expect.poll(async () => (await (await page.request.get('/fhir/R4/Basic?_summary=count')).json()).total).toBe(2);
});

test('a bot’s times are told as they are typed, its webhook by whom it is signed, its hosts one by one', async ({
  page,
}) => {
  test.slow();
  const { project } = await signUp(page);
  const secret = { name: 'LAB_KEY', valueString: 'a key of the lab' };
  await post(page, `/admin/projects/${project}/secrets`, [secret]);
  const bot = await deployedBot(page, project, 'Nightly', WORKS);
  await page.goto(`/p/${project}/bots/${bot}?tab=connections`);
  const schedule = page.getByRole('region', { name: 'Schedule' });
  await schedule.getByLabel('Runs').selectOption('By a cron expression');
  await schedule.getByLabel('Cron expression').fill('61 8 * * *');
  await expect(schedule.getByText(/It names no time/)).toBeVisible();
  await schedule.getByLabel('Cron expression').fill('30 8 * * 1');
  await schedule.getByLabel('Time zone').fill('Asia/Tokyo');
  await expect(schedule.getByText('Next times, in Asia/Tokyo')).toBeVisible();
  const times = schedule.getByRole('region', { name: 'Next times' }).getByRole('listitem');
  await expect(times).toHaveCount(5);
  await expect(times.first()).toContainText(/Mon.*0?8:30/);
  await inEveryLook(page);
  await schedule.getByRole('button', { name: 'Save schedule' }).click();
  await expect(schedule.getByRole('button', { name: 'Save schedule' })).toHaveCount(0);
  await schedule.getByLabel('Runs').selectOption('At times of the day');
  await schedule.getByLabel('Times', { exact: true }).fill('06:00, 18:15');
  await schedule.getByLabel('Monday').check();
  await expect(times.first()).toContainText(/Mon.*0?6:(00|15)/);
  await inEveryLook(page);
  await schedule.getByRole('button', { name: 'Save schedule' }).click();
  await expect(schedule.getByRole('button', { name: 'Save schedule' })).toHaveCount(0);

  const webhook = page.getByRole('region', { name: 'Webhook' });
  await webhook.getByRole('switch', { name: 'It has an address' }).click();
  await webhook.getByLabel('Who signs').selectOption('HMAC in hex, in a header');
  await expect(webhook.getByRole('button', { name: 'Save webhook' })).toBeDisabled();
  await webhook.getByLabel('Secret').selectOption('LAB_KEY');
  await webhook.getByLabel('Header').fill('X-Lab-Signature');
  await expect(webhook.getByText(/\/webhook\/[0-9a-f-]{36}$/)).toBeVisible();
  await expect(webhook.getByRole('region', { name: 'Call it' })).toContainText('X-Lab-Signature: $SIGNATURE');
  await expect(webhook.getByText(/answers 403/)).toBeVisible();
  await inEveryLook(page);
  await webhook.getByRole('button', { name: 'Save webhook' }).click();
  await expect(webhook.getByRole('button', { name: 'Save webhook' })).toHaveCount(0);

  const operations = page.getByRole('region', { name: 'Operations' });
  await expect(operations.getByText('It does none.')).toBeVisible();
  const implementation = {
    url: 'https://medplum.com/fhir/StructureDefinition/operationDefinition-implementation',
    valueReference: { reference: `Bot/${bot}` },
  };
  await post(page, '/fhir/R4/OperationDefinition', {
    ...{
      resourceType: 'OperationDefinition',
      name: 'Admit',
      title: 'Admit somebody',
      code: 'admit',
      kind: 'operation',
    },
    ...{ status: 'active', system: false, type: true, instance: true, resource: ['Patient'] },
    extension: [implementation],
  });
  await page.reload();
  await expect(operations.getByRole('list', { name: 'Where $admit is called' }).getByRole('listitem')).toHaveText([
    '/fhir/R4/Patient/$admit',
    '/fhir/R4/Patient/[id]/$admit',
  ]);
  await inEveryLook(page);

  await page.getByRole('switch', { name: 'It is run with each' }).click();
  await expect(page.getByText('It is told of mail that bounces')).toBeVisible();

  const attempts = page.getByRole('region', { name: 'Attempts' });
  await attempts.getByLabel('Attempts').fill('19');
  await expect(attempts.getByRole('button', { name: 'Save attempts' })).toBeDisabled();
  await attempts.getByLabel('Attempts').fill('3');
  await attempts.getByRole('button', { name: 'Save attempts' }).click();
  await expect(attempts.getByRole('button', { name: 'Save attempts' })).toHaveCount(0);
  expect((await (await page.request.get(`/fhir/R4/Bot/${bot}`)).json()).extension).toContainEqual({
    url: 'urn:gatehouse:bot-event-attempts',
    valueInteger: 3,
  });

  const hosts = page.getByRole('region', { name: 'Hosts', exact: true });
  await hosts.getByLabel('It may call').selectOption('These alone');
  await hosts.getByLabel('Hosts', { exact: true }).fill('API.example.com');
  await hosts.getByRole('button', { name: 'Save hosts' }).click();
  await expect(hosts.getByText(/must be a host like/)).toBeVisible();
  await inEveryLook(page);
  await hosts.getByLabel('Hosts', { exact: true }).fill('api.example.com\n*.lab.example');
  await tabTo(page, hosts.getByRole('button', { name: 'Save hosts' }));
  await page.keyboard.press('Enter');
  await expect(hosts.getByRole('button', { name: 'Save hosts' })).toHaveCount(0);

  const stored = await (await page.request.get(`/fhir/R4/Bot/${bot}`)).json();
  expect(stored).toMatchObject({
    cronTiming: { repeat: { timeOfDay: ['06:00:00', '18:15:00'], dayOfWeek: ['mon'] } },
    publicWebhook: true,
    allowedHost: ['api.example.com', '*.lab.example'],
  });
  expect(stored.cronString).toBeUndefined();
  const { setting } = await (await page.request.get(`/fhir/R4/Project/${project}`)).json();
  expect(setting).toContainEqual({ name: 'botMailBounces', valueString: `Bot/${bot}` });
  await page.reload();
  await expect(schedule.getByLabel('Times', { exact: true })).toHaveValue('06:00, 18:15');
  await expect(webhook.getByLabel('Header')).toHaveValue('X-Lab-Signature');
});

test('who is no administrator is told so, and a list that does not load may be asked for again', async ({ page }) => {
  const { project } = await signUp(page);
  await page.route('**/dead-letters/groups*', (route) => route.fulfill({ status: 500, json: {} }));
  await page.route('**/hl7-feeds', (route) =>
    route.request().resourceType() === 'fetch' ? route.fulfill({ status: 403, json: {} }) : route.continue(),
  );
  await page.goto(`/p/${project}/dead-letters`);
  await expect(page.getByRole('heading', { name: 'Could not load the dead letters' })).toBeVisible({ timeout: 30_000 });
  await settled(page);
  await inEveryLook(page);
  await page.unroute('**/dead-letters/groups*');
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('heading', { name: 'Nothing was given up' })).toBeVisible();
  await page.goto(`/p/${project}/hl7-feeds`);
  await expect(page.getByRole('heading', { name: 'This needs another role' })).toBeVisible({ timeout: 30_000 });
  await inEveryLook(page);
});

async function post(page: Page, path: string, data: unknown): Promise<{ id: string }> {
  const answer = await page.request.post(path, { data, headers: HEADERS });
  expect(answer.status(), await answer.text()).toBeLessThan(300);
  return answer.json();
}

async function given(page: Page, project: string, count: number): Promise<void> {
  const read = async () => (await (await page.request.get(`/admin/projects/${project}/dead-letters`)).json()).rows;
  await expect.poll(async () => (await read()).length, { timeout: 60_000 }).toBe(count);
}
