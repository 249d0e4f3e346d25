import { deployedBot, execute, HEADERS, patient, recorded } from '../admissions.ts';
import { expect, test } from '../fixtures.ts';
import { inEveryLook, tabTo } from '../looks.ts';
import { invite, patchMember } from '../people.ts';
import { signUp, write } from '../sign-up.ts';

const ADMITS = `export async function handler(medplum, event) {
  const { family } = event.input.name[0];
  if (event.input.active === false) throw new Error('no bed for ' + family);
  return event.input;
}`;

test('a run is run again with another input by who has revealed it, and many at once', async ({ page }) => {
  test.slow();
  const { project } = await signUp(page);
  const bot = await deployedBot(page, project, 'Admission', ADMITS);
  await execute(page, bot, [patient('Okonjo'), patient('Quist', false)]);
  await recorded(page, project, 2);
  await page.goto(`/p/${project}/runs`);
  const rows = page.getByRole('table', { name: 'Runs' }).getByRole('row');
  await rows.nth(1).getByRole('button').click();
  const sheet = page.getByRole('dialog', { name: 'Run', exact: true });
  await sheet.getByRole('button', { name: 'Run again…' }).click();
  const again = page.getByRole('dialog', { name: 'Run this again?' });
  await expect(again.getByText('To change the input, reveal the run first.')).toBeVisible();
  await again.getByRole('button', { name: 'Cancel' }).click();
  await sheet.getByRole('button', { name: 'Reveal…' }).click();
  const reveal = page.getByRole('dialog', { name: 'Reveal this run?' });
  await reveal.getByLabel('Why').fill('Ticket 4711');
  await reveal.getByRole('button', { name: 'Reveal the run' }).click();
  await sheet.getByRole('button', { name: 'Run again…' }).click();
  const input = again.getByLabel('Input');
  await expect(input).toHaveValue(/Quist/);
  await input.fill(JSON.stringify(patient('Quist')));
  await expect(again.getByText('Changed: the audit log says so.')).toBeVisible();
  await inEveryLook(page);
  await again.getByRole('button', { name: 'Run again' }).click();
  await expect(page.getByText('It ran, and ended well')).toBeVisible();
  await sheet.getByRole('button', { name: 'Close' }).click();
  await expect(rows).toHaveCount(4);

  const boxes = page.getByRole('table', { name: 'Runs' }).getByRole('checkbox');
  for (const at of [1, 2]) await boxes.nth(at).check();
  await expect(page.getByText('2 runs chosen')).toBeVisible();
  await inEveryLook(page);
  await tabTo(page, page.getByRole('button', { name: 'Choose none' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Runs found' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(boxes.nth(0)).toBeFocused();
  for (const at of [1, 2]) await boxes.nth(at).check();
  // What another view does not show is not run by it.
  await page.getByLabel('Status', { exact: true }).selectOption('OK');
  await expect(page.getByText('2 runs chosen')).toHaveCount(0);
  await page.getByLabel('Status', { exact: true }).selectOption('Any status');
  for (const at of [1, 2]) await boxes.nth(at).check();
  await page.getByRole('button', { name: 'Run again…' }).click();
  await page.getByRole('button', { name: 'Run 2 runs again' }).click();
  // What went well with another input says nothing of the one that failed.
  await expect(page.getByText(/^Run again: 1 ended well, 1 did not, 0 could not be run, 0 left out\.$/)).toBeVisible();
});

test('an administrator whom a policy limits is offered nothing that shows what went through runs', async ({ page }) => {
  const { project, membership } = await signUp(page);
  const bot = await deployedBot(page, project, 'Admission', ADMITS);
  await execute(page, bot, [patient('Okonjo')]);
  await recorded(page, project, 1);
  const pat = await invite(page, project, 'Pat Quist', { resourceType: 'Patient' });
  await page.goto(`/p/${project}/settings`);
  await expect(page.getByRole('button', { name: 'Export the project' })).toBeVisible();
  await page.goto(`/p/${project}/runs`);
  await expect(page.getByLabel('Search what went into runs')).toBeVisible();
  const policy = { resourceType: 'AccessPolicy', name: 'Bots', resource: [{ resourceType: 'Bot' }] };
  await write(page, 'POST', '/fhir/R4/AccessPolicy', policy);
  const { entry } = await (await page.request.get('/fhir/R4/AccessPolicy?name=Bots')).json();
  const value = { reference: `AccessPolicy/${entry[0].resource.id}` };
  await invite(page, project, 'Ben Okafor', { membership: { admin: true } });
  await patchMember(page, project, membership, [{ op: 'add', path: '/accessPolicy', value }]);
  await page.reload();
  const rows = page.getByRole('table', { name: 'Runs' }).getByRole('row');
  await rows.nth(1).getByRole('button').click();
  const sheet = page.getByRole('dialog', { name: 'Run', exact: true });
  await expect(sheet.getByRole('button', { name: 'Run again…' })).toBeVisible();
  await expect(sheet.getByRole('button', { name: 'Reveal…' })).toHaveCount(0);
  await sheet.getByRole('button', { name: 'Run again…' }).click();
  const again = page.getByRole('dialog', { name: 'Run this again?' });
  await expect(again.getByLabel('Version')).toBeVisible();
  await expect(again.getByText(/reveal the run/)).toHaveCount(0);
  await again.getByRole('button', { name: 'Cancel' }).click();
  await page.keyboard.press('Escape');
  await expect(page.getByLabel('Search what went into runs')).toHaveCount(0);
  await page.goto(`/p/${project}/bots/${bot}`);
  await expect(page.getByRole('tab', { name: 'Secrets' })).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Samples' })).toHaveCount(0);
  await page.goto(`/p/${project}/bots/${bot}?tab=samples`);
  await expect(page.getByRole('tab', { name: 'Runs', exact: true })).toHaveAttribute('aria-selected', 'true');
  await page.goto(`/p/${project}/settings`);
  await expect(page.getByRole('heading', { name: 'Settings' }).first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Export the project' })).toHaveCount(0);
  await page.goto(`/p/${project}/members/${pat.id}`);
  await expect(page.getByRole('heading', { name: 'Pat Quist' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Export the record' })).toHaveCount(0);
});

test('a run that a policy denies something says what, and leads to where that is set', async ({ page }) => {
  const { project } = await signUp(page);
  const code = `export async function handler(medplum) {
    await medplum.createResource({ resourceType: 'Basic', code: { text: 'no' } });
  }`;
  const bot = await deployedBot(page, project, 'Limited', code);
  await page.goto(`/p/${project}/runs`);
  await write(page, 'POST', '/fhir/R4/AccessPolicy', {
    ...{ resourceType: 'AccessPolicy', name: 'Patients', resource: [{ resourceType: 'Patient' }] },
  });
  const { entry } = await (await page.request.get('/fhir/R4/AccessPolicy?name=Patients')).json();
  const value = { reference: `AccessPolicy/${entry[0].resource.id}` };
  const found = await (await page.request.get(`/fhir/R4/ProjectMembership?profile=Bot/${bot}`)).json();
  const membership = found.entry[0].resource.id;
  await patchMember(page, project, membership, [{ op: 'add', path: '/accessPolicy', value }]);
  await execute(page, bot, [patient('Okonjo')]);
  await recorded(page, project, 1);
  await page.goto(`/p/${project}/runs?status=failed`);
  await page.getByRole('table', { name: 'Runs' }).getByRole('row').nth(1).getByRole('button').click();
  const sheet = page.getByRole('dialog', { name: 'Run', exact: true });
  await expect(sheet.getByText('Denied by policy')).toBeVisible();
  await expect(sheet.getByRole('list', { name: 'What was denied' })).toContainText('createResource Basic');
  await inEveryLook(page);
  await sheet.getByRole('link', { name: 'it may as a member' }).click();
  await expect(page).toHaveURL(new RegExp(`/p/${project}/members/${membership}`));
});

test('the note of a cut loop is not run again: it leads to the dead letter of its event', async ({ page }) => {
  test.slow();
  const { project } = await signUp(page);
  const code = `export async function handler(medplum) {
    await medplum.createResource({ resourceType: 'Basic', code: { text: 'again' } });
  }`;
  const bot = await deployedBot(page, project, 'Echo', code);
  await page.goto(`/p/${project}/runs`);
  const channel = { type: 'rest-hook', endpoint: `Bot/${bot}` };
  const told = { resourceType: 'Subscription', status: 'active', reason: 'x', criteria: 'Basic', channel };
  await write(page, 'POST', '/fhir/R4/Subscription', told);
  await write(page, 'POST', '/fhir/R4/Basic', { resourceType: 'Basic', code: { text: 'first' } });
  const letters = async () =>
    (await page.request.get(`/admin/projects/${project}/dead-letters`, { headers: HEADERS })).text();
  await expect.poll(letters, { timeout: 60_000 }).toContain('Basic/');
  await page.goto(`/p/${project}/runs?status=failed`);
  await page.getByRole('table', { name: 'Runs' }).getByRole('row').nth(1).getByRole('button').click();
  const sheet = page.getByRole('dialog', { name: 'Run', exact: true });
  await expect(sheet.getByText('It was not begun')).toBeVisible();
  await expect(sheet.getByRole('button', { name: 'Run again…' })).toHaveCount(0);
  await inEveryLook(page);
  await sheet.getByRole('link', { name: 'dead letters' }).click();
  await expect(page).toHaveURL(new RegExp(`/p/${project}/dead-letters`));
  await expect(page.getByText('Echo').first()).toBeVisible();
});
