import { readFileSync } from 'node:fs';
import { expect, test } from '../fixtures.ts';
import { inEveryLook } from '../looks.ts';
import { findLink } from '../mailbox.ts';
import { invite } from '../people.ts';
import { interceptFromNowOn } from '../settled.ts';
import { signUp } from '../sign-up.ts';

test('one person: the form as code, its faults on their fields, the link handed over once', async ({ page }) => {
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/members`);
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  const sheet = page.getByRole('dialog', { name: 'Invite' });
  await sheet.getByRole('button', { name: 'Send invitation' }).click();
  await expect(sheet.getByText('First name is required')).toBeVisible();
  await expect(sheet.getByText('Either email or externalId is required')).toBeVisible();
  await inEveryLook(page);
  await sheet.getByLabel('First name').fill('Ben');
  await sheet.getByLabel('Last name').fill("O'Kafor");
  const email = `ben-${Date.now()}@example.com`;
  await sheet.getByLabel('E-mail', { exact: true }).fill(email);
  await sheet.getByText('Default Patient Access Policy').click();
  await sheet.getByText('As code').click();
  const code = sheet.getByRole('region', { name: 'This invitation as code' });
  await expect(code).toContainText(`O'\\''Kafor`);
  await code.getByRole('button', { name: 'JSON', exact: true }).click();
  await expect(code).toContainText(`"email": "${email}"`);
  await sheet.getByText('More settings').click();
  await inEveryLook(page);
  await sheet.getByRole('switch', { name: 'Send the invitation by mail' }).click();
  await sheet.getByRole('switch', { name: 'Show me the link' }).click();
  await sheet.getByRole('button', { name: 'Add without mail' }).click();
  await expect(sheet.getByText("Ben O'Kafor is invited")).toBeVisible();
  await expect(sheet.getByText(/\/setpassword\/[0-9a-f-]+#/)).toBeVisible();
  await inEveryLook(page);
  await sheet.getByRole('button', { name: 'Invite another' }).click();
  await sheet.getByLabel('First name').fill('Ben');
  await sheet.getByLabel('Last name').fill('Again');
  await sheet.getByLabel('E-mail', { exact: true }).fill(email);
  // How the one before was told is kept with what is typed.
  await page.goto(`/p/${project}/members`);
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await expect(sheet.getByLabel('Last name')).toHaveValue('Again');
  await sheet.getByRole('button', { name: 'Add without mail' }).click();
  await expect(sheet.getByText('User is already a member of this project')).toBeVisible();
});

test('one person: policies with parameters, and every refusal in the row where it was typed', async ({ page }) => {
  const { project } = await signUp(page);
  const headers = { 'sec-fetch-site': 'same-origin' };
  const data = { resourceType: 'AccessPolicy', name: 'Ward nurse', resource: [{ resourceType: 'Patient' }] };
  const made = await page.request.post('/fhir/R4/AccessPolicy', { data, headers });
  const ward = (await made.json()).id;
  await page.goto(`/p/${project}/members?invite=one`);
  const sheet = page.getByRole('dialog', { name: 'Invite' });
  await expect(sheet.getByLabel('Parameter name')).toBeHidden();
  await sheet.getByLabel('First name').fill('Nora');
  await sheet.getByLabel('Last name').fill('Quist');
  const email = `nora-${project}@example.com`;
  await sheet.getByLabel('E-mail', { exact: true }).fill(email);
  await sheet.getByText('Default Patient Access Policy').click();
  await sheet.getByRole('button', { name: 'Policy with parameters' }).click();
  await sheet.getByRole('button', { name: 'Send invitation' }).click();
  await expect(sheet.getByText('Choose a policy, or take this one away')).toBeVisible();
  await expect(sheet.getByText('A parameter needs its name from the policy')).toBeVisible();
  await expect(sheet.getByLabel('Parameter value')).toHaveAccessibleDescription('A parameter needs a value');
  await inEveryLook(page);
  await sheet.getByLabel('Policy', { exact: true }).selectOption('Ward nurse');
  await sheet.getByLabel('Parameter name').fill('ward');
  await sheet.getByLabel('Parameter value').fill('Location/b2');
  await sheet.getByText('More settings').click();
  await sheet.getByLabel('User name').fill('nora.quist');
  await sheet.getByText('As code').click();
  const code = sheet.getByRole('region', { name: 'This invitation as code' });
  await code.getByRole('button', { name: 'JSON', exact: true }).click();
  const shown = JSON.parse((await code.locator('pre').textContent()) ?? '');
  expect(shown).toMatchObject({
    access: [
      { policy: { reference: expect.stringContaining('AccessPolicy/') } },
      {
        policy: { reference: `AccessPolicy/${ward}` },
        parameter: [{ name: 'ward', valueReference: { reference: 'Location/b2' } }],
      },
    ],
    membership: { userName: 'nora.quist' },
  });
  expect((await page.request.delete(`/fhir/R4/AccessPolicy/${ward}`, { headers })).ok()).toBe(true);
  await sheet.getByRole('button', { name: 'Send invitation' }).click();
  await expect(sheet.getByLabel('Policy', { exact: true })).toHaveAccessibleDescription(/does not exist/);
  await expect(sheet.getByLabel('Policy', { exact: true })).toBeFocused();
  await sheet.getByLabel('Policy', { exact: true }).selectOption('Default Practitioner Access Policy');
  await sheet.getByRole('button', { name: 'Send invitation' }).click();
  await expect(sheet.getByText('Nora Quist is invited')).toBeVisible();
  const found = await page.request.get(`/fhir/R4/ProjectMembership?name=Nora`, { headers });
  const [{ resource }] = (await found.json()).entry;
  expect(resource.userName).toBe('nora.quist');
  expect(resource.access[1].parameter).toEqual([
    { name: 'ward', valueReference: expect.objectContaining({ reference: 'Location/b2' }) },
  ]);
});

test('a list: every row is judged first, put right in place, then sent as one job that outlives the page', async ({
  page,
}) => {
  const { project } = await signUp(page);
  await invite(page, project, 'Old Member', { email: `old-${project}@example.com` });
  await page.goto(`/p/${project}/invites?invite=many`);
  const sheet = page.getByRole('dialog', { name: 'Invite' });
  await expect(sheet).toBeVisible();
  await inEveryLook(page);
  const rows = Array.from(
    { length: 12 },
    (_, n) => `Person${n},Family${n},person${n}-${project}@example.com,Practitioner,`,
  );
  const text = [
    'First name,Last name,E-mail,Type,Policy',
    ...rows,
    `Old,Member,old-${project}@example.com,,`,
    'Bad,Row,nowhere,,',
    `Last,Row,last-${project}@example.com,,`,
  ];
  await sheet.getByLabel('CSV file').setInputFiles({
    name: 'people.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(text.join('\n')),
  });
  await expect(sheet.getByText('2 rows will be left out')).toBeVisible();
  await expect(sheet.getByText('User is already a member of this project')).toBeVisible();
  await sheet.getByRole('button', { name: /To fix or leave out 2/ }).click();
  await inEveryLook(page);
  await sheet.getByLabel('E-mail, row 14').fill(`bad-${project}@example.com`);
  await sheet.getByRole('button', { name: 'Check again' }).click();
  // A stray Esc costs nothing.
  await page.keyboard.press('Escape');
  await expect(sheet).toBeHidden();
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await page.getByRole('button', { name: 'Many from a CSV' }).click();
  await sheet.getByRole('button', { name: 'Invite 14 people' }).click();
  await expect(sheet.getByText('The invitations are on their way')).toBeVisible();
  await page.goto(`/p/${project}/invites`);
  const jobs = page.getByRole('region', { name: 'Jobs' });
  await expect(jobs).toContainText('Invited 14 of 14', { timeout: 20_000 });
  const download = page.waitForEvent('download');
  await jobs.getByRole('link', { name: 'Result file' }).click();
  const results = readFileSync(await (await download).path(), 'utf8')
    .trim()
    .split('\r\n');
  // Numbered as in the list that was dropped; row 13 was left out.
  expect(results.map((line) => line.split(',')[0])).toEqual([
    'row',
    ...Array.from({ length: 12 }, (_, n) => `${n + 1}`),
    '14',
    '15',
  ]);
  await expect(page.getByRole('row')).toHaveCount(16);
});

test('what was put right in a list stays: on the way back, and when the last of a view is fine', async ({ page }) => {
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/invites?invite=many`);
  const sheet = page.getByRole('dialog', { name: 'Invite' });
  const text = `First name,Last name,E-mail,Type\nAda,One,one-${project}@example.com,\n,,nowhere,Nobody`;
  await sheet.getByLabel('Or paste it').fill(text);
  await sheet.getByRole('button', { name: 'Check the list' }).click();
  const email = sheet.getByLabel('E-mail, row 2');
  for (const reason of ['First name is required', 'Last name is required', 'email must be an e-mail address']) {
    await expect(sheet.getByText(reason)).toBeInViewport({ ratio: 1 });
    await expect(email).toHaveAccessibleDescription(new RegExp(reason));
  }
  await sheet.getByRole('button', { name: /To fix or leave out 1/ }).click();
  await email.fill(`two-${project}@example.com`);
  await sheet.getByRole('button', { name: 'Back' }).click();
  await sheet.getByRole('button', { name: 'Check the list' }).click();
  await expect(email).toHaveValue(`two-${project}@example.com`);
  await sheet.getByLabel('First name, row 2').fill('Bea');
  await sheet.getByLabel('Last name, row 2').fill('Two');
  await sheet.getByLabel('Type, row 2').fill('Patient');
  await sheet.getByRole('button', { name: 'Check again' }).click();
  await expect(sheet.getByText('Every row is fine')).toBeVisible();
  await expect(sheet.getByRole('button', { name: 'All 2' })).toHaveAttribute('aria-pressed', 'true');
  await expect(sheet.getByText(`two-${project}@example.com`)).toBeVisible();
  // Another text is another list.
  await sheet.getByRole('button', { name: 'Back' }).click();
  await sheet.getByLabel('Or paste it').fill(text.replace('Nobody', 'Patient'));
  await sheet.getByRole('button', { name: 'Check the list' }).click();
  await expect(email).toHaveValue('nowhere');
});

test('pending, extended, sent again, handed over, taken back', async ({ page, mailTo }) => {
  const { project } = await signUp(page);
  await invite(page, project, 'Chiara Moretti');
  const ben = await invite(page, project, 'Ben Okafor');
  const first = findLink(await mailTo(ben.email), '/setpassword/');
  await page.goto(`/p/${project}/invites`);
  const row = page.getByRole('row').filter({ hasText: 'Ben Okafor' });
  await expect(row).toContainText(/Mail (waiting|sent)/);
  await expect(page.getByRole('button', { name: /Invited 2/ })).toHaveAttribute('aria-pressed', 'true');
  await inEveryLook(page);
  const act = async (name: string) => {
    await row.getByRole('button', { name: 'Actions for Ben Okafor' }).click();
    await page.getByRole('menuitem', { name }).click();
  };
  await act('Seven more days');
  await expect(page.getByText('The link works for seven more days')).toBeVisible();
  await act('Send again');
  await expect(page.getByText('Invitation sent again')).toBeVisible();
  await expect.poll(async () => findLink(await mailTo(ben.email), '/setpassword/')).not.toBe(first);
  await act('Get a link to hand over');
  await page.getByRole('button', { name: 'Make the link' }).click();
  const told = page.getByRole('dialog', { name: 'The link for Ben Okafor' });
  await expect(told.getByText(/\/setpassword\//)).toBeVisible();
  await inEveryLook(page);
  await told.getByRole('button', { name: 'Done' }).click();
  await expect(row).toContainText('Link handed over');
  await act('Take back');
  await page.getByRole('button', { name: 'Take it back' }).click();
  await expect(row).toBeHidden();
  await page.getByRole('button', { name: /Taken back 1/ }).click();
  await expect(row).toBeVisible();
  await page.getByRole('button', { name: /Invite expired 0/ }).click();
  await expect(page.getByText('No invitation has run out')).toBeVisible();
  await inEveryLook(page);
});

test('a list that cannot be read keeps its filters and its button', async ({ page }) => {
  const { project } = await signUp(page);
  await interceptFromNowOn(page);
  await page.goto(`/p/${project}/invites`);
  await expect(page.getByText('No one is waiting')).toBeVisible();
  await page.route(/invites\?.*status=accepted/, (route) => route.fulfill({ status: 409 }));
  await page.getByRole('button', { name: 'Accepted' }).click();
  await expect(page.getByText('Could not load the invitations of this project')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Invite', exact: true })).toBeVisible();
  await page.getByRole('button', { name: /^Invited/ }).click();
  await expect(page.getByText('No one is waiting')).toBeVisible();

  await page.goto(`/p/${project}/activity`);
  await expect(page.getByText('Ada Reyes').first()).toBeVisible();
  await page.route(/audit\?.*outcome=failure/, (route) => route.fulfill({ status: 409 }));
  await page.getByLabel('Outcome').selectOption({ index: 2 });
  await expect(page.getByText('Could not load the activity of this project')).toBeVisible();
  await page.getByLabel('Outcome').selectOption({ index: 0 });
  await expect(page.getByText('Ada Reyes').first()).toBeVisible();
});
