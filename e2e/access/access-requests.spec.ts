import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import { inEveryLook, tabTo } from '../looks.ts';
import { findLink, type Mail } from '../mailbox.ts';
import { invite, readMember } from '../people.ts';
import { awake } from '../settled.ts';
import { PASSWORD, signIn, signUp, write } from '../sign-up.ts';

type MailTo = (address: string) => Promise<Mail>;

/** Who may read Observations alone, signed in in a browser of their own. */
async function enterWard(page: Page, project: string, { admin, mailTo, there }: Entering): Promise<string> {
  const rules = [{ resourceType: 'Observation', readonly: true }];
  const headers = { 'sec-fetch-site': 'same-origin' };
  const data = { resourceType: 'AccessPolicy', name: 'Ward', resource: rules };
  const made = await page.request.post('/fhir/R4/AccessPolicy', { data, headers });
  expect(made.status(), await made.text()).toBe(201);
  const membership = { admin, accessPolicy: { reference: `AccessPolicy/${(await made.json()).id}` } };
  const ben = await invite(page, project, 'Ben Okafor', { membership });
  const link = new URL(findLink(await mailTo(ben.email), '/setpassword/'));
  const form = { id: link.pathname.split('/').pop(), secret: link.hash.slice(1), password: PASSWORD };
  expect((await there.request.post('/auth/setpassword', { data: form })).status()).toBe(200);
  expect(await signIn(there, ben.email)).toBe(project);
  return ben.id;
}
type Entering = { admin: boolean; mailTo: MailTo; there: Page };

test('a member asks where a door is closed, an administrator gives it for a time, and it is theirs at once', async ({
  page,
  browser,
  baseURL,
  mailTo,
}) => {
  test.slow();
  const { project } = await signUp(page);
  const there = await (await browser.newContext({ baseURL })).newPage();
  const ben = await enterWard(page, project, { admin: false, mailTo, there });
  await page.goto(`/p/${project}`);
  const rules = [{ resourceType: 'Patient', criteria: 'Patient?gender=%gender', readonly: true }];
  await write(page, 'POST', '/fhir/R4/AccessPolicy', {
    resourceType: 'AccessPolicy',
    name: 'On call',
    resource: rules,
  });

  // A page of administrators: what is asked for there are records.
  await there.goto(`/p/${project}/members`);
  await expect(there.getByRole('heading', { name: 'This needs another role' })).toBeVisible();
  await inEveryLook(there);
  await tabTo(there, there.getByRole('button', { name: 'Request access' }));
  await there.keyboard.press('Enter');
  const dialog = there.getByRole('dialog', { name: 'Request access' });
  await expect(dialog.getByText('Pages for administrators come with that role')).toBeVisible();
  await dialog.getByRole('button', { name: 'Send the request' }).click();
  await expect(dialog.getByText('Name a type, such as Patient')).toBeVisible();
  await expect(dialog.getByText('Say why')).toBeVisible();
  await inEveryLook(there);
  await dialog.getByLabel('Resource type').fill('Nonsense');
  await dialog.getByLabel('Why').fill('On call this week');
  await there.keyboard.press('Enter');
  await expect(dialog.getByText('resourceType is no type')).toBeVisible();
  await dialog.getByLabel('Resource type').fill('Patient');
  await there.keyboard.press('Enter');
  await expect(there.getByText('Your request is sent')).toBeVisible();
  await expect(dialog).toHaveCount(0);

  // The administrator: by a key, without a pointer.
  await page.goto(`/p/${project}`);
  await awake(page);
  await page.keyboard.press('g');
  await page.keyboard.press('q');
  await expect(page.getByRole('heading', { name: 'Access requests' })).toBeVisible();
  const list = page.getByRole('list', { name: 'Access requests' });
  await expect(list.getByRole('listitem')).toHaveCount(1);
  await inEveryLook(page);
  await tabTo(page, list.getByRole('link', { name: 'Ben Okafor asks to read Patient' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Ben Okafor asks to read Patient' })).toBeVisible();
  await expect(page.getByText('On call this week')).toBeVisible();
  await inEveryLook(page);
  await page.getByRole('button', { name: 'Grant…' }).click();
  const sheet = page.getByRole('dialog', { name: 'Grant access' });
  await sheet.getByRole('button', { name: 'Grant access' }).click();
  await expect(sheet.getByText('Choose a policy', { exact: true }).filter({ visible: true })).toBeVisible();
  await sheet.getByLabel('Policy').selectOption('On call');
  await sheet.getByRole('button', { name: 'Parameter' }).click();
  await sheet.getByLabel('Parameter name').fill('gender');
  await sheet.getByLabel('Parameter value').fill('female');
  await sheet.getByRole('button', { name: 'For 8 hours' }).click();
  await sheet.getByRole('button', { name: 'What would this change?' }).click();
  await expect(sheet.getByText('One member touched')).toBeVisible();
  await sheet.getByLabel('Answer').fill('Until the morning');
  await inEveryLook(page);
  await sheet.getByRole('button', { name: 'Grant access' }).click();
  await expect(page.getByText('The access is given')).toBeVisible();
  await expect(page.getByText('Granted', { exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: 'On call' })).toBeVisible();
  await inEveryLook(page);
  const { access } = await readMember(page, project, ben);
  expect(access).toMatchObject([{ parameter: [{ name: 'gender', valueString: 'female' }] }]);

  // And theirs: what came of it, and one more that is withdrawn.
  expect((await there.request.get('/fhir/R4/Patient')).status()).toBe(200);
  await there.goto(`/p/${project}`);
  await there.getByRole('link', { name: 'Ask for access, and see what you asked for' }).click();
  const own = there.getByRole('list', { name: 'Access that you asked for' });
  await expect(own.getByText('Until the morning')).toBeVisible();
  const region = there.getByRole('region', { name: 'Access that you asked for' });
  await region.getByRole('button', { name: 'Request access' }).click();
  await dialog.getByLabel('I need to').selectOption('change');
  await dialog.getByLabel('Resource type').fill('Observation');
  await dialog.getByLabel('Why').fill('To mend a typing error');
  await there.keyboard.press('Enter');
  await expect(own.getByRole('listitem')).toHaveCount(2);
  await inEveryLook(there);
  await own.getByRole('button', { name: 'Withdraw: change Observation' }).click();
  await expect(there.getByText('The request is withdrawn')).toBeVisible();
  await expect(own.getByText('Withdrawn', { exact: true })).toBeVisible();
});

test('who is refused by a policy asks by the id of the refusal; it is refused with a reason, which they read', async ({
  page,
  browser,
  baseURL,
  mailTo,
}) => {
  test.slow();
  const { project } = await signUp(page);
  const there = await (await browser.newContext({ baseURL })).newPage();
  await enterWard(page, project, { admin: true, mailTo, there });
  await page.goto(`/p/${project}/access-requests`);
  await expect(page.getByRole('heading', { name: 'Nobody waits for an answer' })).toBeVisible();
  await inEveryLook(page);

  // What a policy refuses has an id, and by that the page that is closed asks.
  const url = /\/access-requests\?/;
  await there.goto(`/p/${project}`);
  const decision = await there.evaluate(async () => {
    return (await fetch('/fhir/R4/Patient')).headers.get('x-gatehouse-decision');
  });
  const refusal = { status: 403, headers: { 'x-gatehouse-decision': decision! }, json: {} };
  await there.route(url, (route) => route.fulfill(refusal));
  await there.goto(`/p/${project}/access-requests`);
  await expect(there.getByRole('heading', { name: 'Your policies do not open this' })).toBeVisible();
  await inEveryLook(there);
  await there.unroute(url);
  await tabTo(there, there.getByRole('button', { name: 'Request access' }));
  await there.keyboard.press('Enter');
  const request = there.getByRole('dialog', { name: 'Request access' });
  await expect(request.getByText(decision!)).toBeVisible();
  await inEveryLook(there);
  await request.getByLabel('Why').fill('For the round');
  await there.keyboard.press('Enter');
  await expect(there.getByText('Your request is sent')).toBeVisible();
  await page.goto(`/p/${project}`);
  await expect(page.getByText('Ben Okafor asks for access, and waits for an answer')).toBeVisible();
  await page.getByRole('link', { name: 'Answer: Ben Okafor' }).click();
  await expect(page.getByRole('link', { name: 'What was refused, and by which rules' })).toBeVisible();
  const address = page.url();
  // One’s own is another’s to decide.
  await there.goto(address);
  await expect(there.getByText('another administrator decides about it')).toBeVisible();
  await expect(there.getByRole('button', { name: 'Grant…' })).toHaveCount(0);
  await inEveryLook(there);

  await page.getByRole('button', { name: 'Refuse…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Refuse this request' });
  await dialog.getByRole('button', { name: 'Refuse the request' }).click();
  await expect(dialog.getByText('Say why')).toBeVisible();
  await inEveryLook(page);
  await dialog.getByLabel('Why not').fill('The ward asks for you');
  await page.keyboard.press('Enter');
  await expect(page.getByText('The request is refused')).toBeVisible();
  await page.getByRole('link', { name: 'What was refused, and by which rules' }).click();
  await expect(page.getByText('Ben Okafor was refused search of Patient')).toBeVisible();
  await page.goto(`/p/${project}/access-requests?state=refused`);
  await expect(page.getByText('For the round')).toBeVisible();
  await page.goto(`/p/${project}/access-requests/${project}`);
  await expect(page.getByText('Could not load this access request')).toBeVisible();
  await inEveryLook(page);

  await there.goto('/account');
  await expect(there.getByText('The ward asks for you')).toBeVisible();
});
