import { expect, test } from '../fixtures.ts';
import { inEveryLook, pressTwice, tabTo } from '../looks.ts';
import { invite, patchMember, readMember, removeMember } from '../people.ts';
import { confirmed } from '../settled.ts';
import { signUp } from '../sign-up.ts';

test('access, security, activity and JSON of a member', async ({ page, mailTo, expectAccessible }) => {
  const { project } = await signUp(page);
  const ben = await invite(page, project, 'Ben Okafor');
  await page.goto(`/p/${project}/members/${ben.id}`);
  await page.getByRole('button', { name: 'Add a policy' }).click();
  await page.getByLabel('Policy', { exact: true }).last().selectOption('Default Patient Access Policy');
  await page.getByRole('button', { name: 'Parameter', exact: true }).last().click();
  await page.getByLabel('Parameter name').fill('patient');
  await page.getByLabel('Parameter value').fill('Patient/p1');
  await inEveryLook(page);
  // A draft stays while another tab is looked at.
  await page.getByRole('tab', { name: 'JSON' }).click();
  await page.getByRole('tab', { name: 'Access' }).click();
  await expect(page.getByLabel('Parameter value')).toHaveValue('Patient/p1');
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByLabel('Role').selectOption('Administrator');
  await page.getByText('As code').click();
  await expect(page.getByRole('region', { name: 'This change as code' })).toContainText('"path": "/admin"');
  await expectAccessible();
  await page.getByRole('button', { name: 'Save access' }).click();
  await expect(page.getByText('Access saved')).toBeVisible();
  await confirmed(page);
  expect((await readMember(page, project, ben.id)).admin).toBe(true);

  await page.getByRole('tab', { name: 'Security' }).click();
  await expect(page.getByText('Waiting for an answer')).toBeVisible();
  await inEveryLook(page);
  await page.getByRole('button', { name: 'Send a reset link' }).click();
  await expect(page.getByText('Mail with a reset link sent')).toBeVisible();
  await expect.poll(async () => (await mailTo(ben.email)).text).toContain('/setpassword/');

  await page.getByRole('tab', { name: 'Activity' }).click();
  await expect(page.getByText('Reset link sent', { exact: true })).toBeVisible();
  await expect(page.getByText(/admin: (none|false) → true/)).toBeVisible();
  await inEveryLook(page);
  await page.getByRole('tab', { name: 'JSON' }).click();
  await expect(page.getByText('"resourceType": "ProjectMembership"')).toBeVisible();
  await expect(page).toHaveURL(/tab=json/);
  await inEveryLook(page);
});

test('access that is not finished is refused at its field; full access is asked for first', async ({
  page,
  expectAccessible,
}) => {
  const { project } = await signUp(page);
  const ben = await invite(page, project, 'Ben Okafor');
  await patchMember(page, project, ben.id, [{ op: 'remove', path: '/accessPolicy' }]);
  await page.goto(`/p/${project}/members/${ben.id}`);
  const policy = page.getByLabel('Policy', { exact: true });
  const save = page.getByRole('button', { name: 'Save access' });
  await page.getByRole('button', { name: 'Add a policy' }).click();
  await save.click();
  await expect(policy).toBeFocused();
  await expect(policy).toHaveAccessibleDescription('Choose a policy, or take this one away');
  await expect(page.getByText('Access saved')).toHaveCount(0);

  await policy.selectOption('Default Patient Access Policy');
  await page.getByRole('button', { name: 'Parameter', exact: true }).click();
  await page.getByLabel('Parameter value').fill('Patient/p1');
  await save.click();
  await expect(page.getByLabel('Parameter name')).toBeFocused();
  await expect(page.getByLabel('Parameter name')).toHaveAccessibleDescription(
    'A parameter needs its name from the policy',
  );
  await page.getByLabel('Parameter name').fill('patient');
  await page.getByLabel('Parameter value').fill('');
  await save.click();
  await expect(page.getByLabel('Parameter value')).toBeFocused();
  await expect(page.getByLabel('Parameter value')).toHaveAccessibleDescription('A parameter needs a value');
  await expectAccessible();
  await page.getByLabel('Parameter value').fill('Patient/p1');
  await save.click();
  await expect(page.getByText('Access saved')).toBeVisible();
  await confirmed(page);
  const limited = await readMember(page, project, ben.id);
  expect(limited.access[0].parameter).toEqual([{ name: 'patient', valueReference: { reference: 'Patient/p1' } }]);

  // Taking the policy away and adding an empty row was once full access without a word.
  await page.getByRole('button', { name: 'Take this policy away' }).click();
  await page.getByRole('button', { name: 'Add a policy' }).click();
  await save.click();
  await expect(policy).toBeFocused();
  await expect(page.getByText('As code')).toHaveCount(0);
  await page.getByRole('button', { name: 'Take this policy away' }).click();
  await save.click();
  const ask = page.getByRole('dialog', { name: 'Give Ben Okafor full access?' });
  await expect(ask).toContainText('no policy means full access');
  await expectAccessible();
  await ask.getByRole('button', { name: 'Cancel' }).click();
  await confirmed(page);
  expect((await readMember(page, project, ben.id)).access).toEqual(limited.access);
  await save.click();
  await ask.getByRole('button', { name: 'Give full access' }).click();
  await expect(ask).toHaveCount(0);
  await confirmed(page);
  const free = await readMember(page, project, ben.id);
  expect([free.access, free.accessPolicy]).toEqual([undefined, undefined]);
});

test('the address to sign in with is changed for the project’s own people, and by nobody but them for others', async ({
  page,
  mailTo,
}) => {
  const { project, email } = await signUp(page);
  const rosa = await invite(page, project, 'Rosa Lind', { resourceType: 'Patient' });
  const ben = await invite(page, project, 'Ben Okafor');
  await page.goto(`/p/${project}/members/${ben.id}?tab=security`);
  await expect(page.getByText('only they change it')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Change e-mail' })).toHaveCount(0);
  await page.goto(`/p/${project}/members/${rosa.id}?tab=security`);
  await page.getByRole('button', { name: 'Change e-mail' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change the e-mail?' });
  const field = dialog.getByLabel('New e-mail');
  await expect(field).toBeFocused();
  for (const [address, refusal] of [
    ['nonsense', 'must be an e-mail address'],
    [email, 'This e-mail address is taken'],
  ]) {
    await field.fill(address!);
    await dialog.getByRole('button', { name: 'Change e-mail' }).click();
    await expect(field).toHaveAccessibleDescription(new RegExp(refusal!));
  }
  await inEveryLook(page);
  const fresh = `rosa-${project}@example.com`;
  await field.fill(fresh);
  await dialog.getByRole('button', { name: 'Change e-mail' }).click();
  await expect(page.getByText('The e-mail is changed')).toBeVisible();
  await expect(page.getByRole('main').getByText(fresh).first()).toBeVisible();
  await confirmed(page);
  expect((await readMember(page, project, rosa.id)).user.display).toBe(fresh);
  expect((await mailTo(fresh)).text).toContain('/setpassword/');
});

test('a member that is not there says so, with a way to try again', async ({ page, expectAccessible }) => {
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/members/00000000-0000-4000-8000-000000000000`);
  await expect(page.getByText('Could not load this member')).toBeVisible();
  await expectAccessible();
});

test('history: every version in words, one restored and taken back; who was removed comes back from their own page', async ({
  page,
}) => {
  const { project } = await signUp(page);
  const ben = await invite(page, project, 'Ben Okafor');
  await patchMember(page, project, ben.id, [{ op: 'add', path: '/admin', value: true }]);
  await page.goto(`/p/${project}/members/${ben.id}?tab=history`);
  const newest = page.getByRole('list', { name: 'Versions' }).locator('> li').first();
  await expect(newest).toContainText(/Changed.*by Ada Reyes/);
  await expect(newest).toContainText('Role: Member → Admin');
  await inEveryLook(page);

  // By keyboard alone.
  const restore = page.getByRole('button', { name: 'Restore version 1' });
  await tabTo(page, restore);
  await page.keyboard.press('Enter');
  await expect(page.getByText('As in version 1 again')).toBeVisible();
  await expect(newest).toContainText('Role: Admin → Member');
  await confirmed(page);
  expect((await readMember(page, project, ben.id)).admin ?? false).toBe(false);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(newest).toContainText('Version 4');
  await confirmed(page);
  expect((await readMember(page, project, ben.id)).admin).toBe(true);

  await removeMember(page, project, ben.id);
  await page.reload();
  await expect(page.getByText('No longer a member of this project')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Ben Okafor' })).toBeVisible();
  await expect(newest).toContainText('Removed from the project');
  await inEveryLook(page);
  await page.getByRole('button', { name: 'Bring back' }).press('Enter');
  await expect(newest).toContainText('Brought back');
  await expect(page.getByRole('tab', { name: 'History' })).toBeVisible();
  await confirmed(page);
  expect((await readMember(page, project, ben.id)).admin).toBe(true);
});

test('pressed twice by mistake: one mail, one version', async ({ page }) => {
  const { project } = await signUp(page);
  const ben = await invite(page, project, 'Ben Okafor');
  const calls: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && calls.push(request.url()));
  await page.goto(`/p/${project}/members/${ben.id}?tab=security`);
  await pressTwice(page, page.getByRole('button', { name: 'Send a reset link' }));
  await expect(page.getByText('Mail with a reset link sent')).toBeVisible();
  expect(calls).toHaveLength(1);
  await pressTwice(page, page.getByRole('button', { name: 'Send again' }));
  await expect(page.getByText('Invitation sent again')).toBeVisible();
  expect(calls).toHaveLength(2);

  await patchMember(page, project, ben.id, [{ op: 'add', path: '/admin', value: true }]);
  await patchMember(page, project, ben.id, [{ op: 'remove', path: '/accessPolicy' }]);
  await page.goto(`/p/${project}/members/${ben.id}?tab=history`);
  await pressTwice(page, page.getByRole('button', { name: 'Restore version 1' }));
  await expect(page.getByText('As in version 1 again')).toBeVisible();
  expect(calls).toHaveLength(3);
  await confirmed(page);
  expect((await readMember(page, project, ben.id)).admin ?? false).toBe(false);
});

test('one’s own earlier versions are shown, and restored by somebody else only', async ({ page }) => {
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/members`);
  await page.getByRole('link', { name: 'Ada Reyes' }).click();
  await page.getByRole('tab', { name: 'History' }).click();
  await expect(page.getByRole('list', { name: 'Versions' })).toContainText('Added to the project');
  await expect(page.getByRole('button', { name: /^Restore/ })).toHaveCount(0);
});
