import { readFileSync } from 'node:fs';
import type { Download, Page } from '@playwright/test';
import { fillMembers } from '../fill-members.ts';
import { expect as expectNow, test } from '../fixtures.ts';
import { signUp } from '../sign-up.ts';

// So much on two cores, which other specs use as well.
const expect = expectNow.configure({ timeout: 20_000 });
const MEMBERS = 10_000;
const ROWS = 5000;

test('ten thousand members: listed, searched, sorted, paged, exported; a job over all of them is stopped', async ({
  page,
}) => {
  test.setTimeout(240_000);
  const { project, membership } = await signUp(page);
  await fillMembers(project, membership, MEMBERS);
  const list = page.getByRole('table');

  await measure(page, 'list', () => page.goto(`/p/${project}/members`));
  await expect(page.getByText(`1–20 of 10,001`)).toBeVisible();
  await measure(page, 'search', () => page.getByLabel(/Search members/).fill('04242'));
  await expect(list.getByRole('row')).toHaveCount(2);
  await expect(list.getByRole('link', { name: 'Row 04242' })).toBeVisible();
  await measure(page, 'search by address', () => page.getByLabel(/Search members/).fill(`row-00777-${project}`));
  await expect(list.getByRole('link', { name: 'Row 00777' })).toBeVisible();
  await expect(list.getByRole('row')).toHaveCount(2);
  await page.getByLabel(/Search members/).fill('');
  await expect(page.getByText(`1–20 of 10,001`)).toBeVisible();
  await measure(page, 'sort', () => page.getByRole('button', { name: /^Name/ }).click());
  await expect(list.getByRole('row').nth(1)).toContainText('Row 10000');
  await measure(page, 'last page', () => page.goto(`/p/${project}/members?page=501`));
  await expect(page.getByText('10,001–10,001 of 10,001')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Next page' })).toBeDisabled();
  await measure(page, 'page before', () => page.getByRole('button', { name: 'Previous page' }).click());
  await expect(page.getByText('9,981–10,000 of 10,001')).toBeVisible();

  await page.getByRole('checkbox', { name: 'Select this page' }).check();
  await page.getByRole('button', { name: 'Select all 10,001 that match' }).click();
  await expect(page.getByRole('region', { name: 'Selected members' })).toContainText('10,001 selected');
  const exported = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  const lines = await linesOf(await exported);
  expect(lines).toHaveLength(MEMBERS + 2);
  expect(new Set(lines).size).toBe(lines.length);

  await page.getByRole('button', { name: 'Deactivate', exact: true }).click();
  await page.getByRole('dialog').getByRole('textbox').fill('deactivate');
  await page.getByRole('button', { name: 'Deactivate 10,001 members' }).click();
  const jobs = page.getByRole('region', { name: 'Jobs' });
  await expect(jobs).toContainText(/Deactivating [1-9][\d,]* of 10,001/);
  await jobs.getByRole('button', { name: 'Stop' }).click();
  await expect(jobs).toContainText('Stopped');
  const result = page.waitForEvent('download');
  await jobs.getByRole('link', { name: 'Result file' }).click();
  const outcomes = (await linesOf(await result)).slice(1);
  expect(outcomes).toHaveLength(MEMBERS + 1);
  expect(outcomes.filter((line) => line.includes(',cancelled,')).length).toBeGreaterThan(0);
  const done = outcomes.filter((line) => line.includes(',done,')).length;
  await page.goto(`/p/${project}/members?status=deactivated`);
  await expect(page.getByText(new RegExp(` of ${done.toLocaleString('en')}$`))).toBeVisible();
});

test('five thousand rows of a CSV: dropped, judged, put right in place, sent as one job that outlives the tab', async ({
  page,
  context,
}) => {
  test.setTimeout(240_000);
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/invites?invite=many`);
  const sheet = page.getByRole('dialog', { name: 'Invite' });
  const address = (row: number) =>
    row === 1234 ? 'nowhere' : `row${row === 4999 ? 4998 : row}-${project}@example.com`;
  const rows = Array.from(
    { length: ROWS },
    (_, at) => `Row,${at === 2500 ? '' : `Number${at}`},${address(at)},Practitioner,false`,
  );
  await dropFile(page, ['First name,Last name,E-mail,Type,sendEmail', ...rows].join('\r\n'));

  await expect(sheet.getByText('3 rows will be left out')).toBeVisible();
  const grid = sheet.getByRole('table', { name: 'Rows of the list' });
  await sheet.getByRole('button', { name: /^All 5,000/ }).click();
  await expect(grid).toHaveAttribute('aria-rowcount', String(ROWS + 1));
  await expect.poll(() => grid.getByRole('row').count()).toBeLessThan(40);
  await grid.locator('..').press('End');
  await expect(grid.getByRole('row').last()).toHaveAttribute('aria-rowindex', String(ROWS + 1));
  expect(await grid.getByRole('row').count()).toBeLessThan(40);

  await sheet.getByRole('button', { name: /To fix or leave out 3/ }).click();
  await expect(grid.getByRole('row')).toHaveCount(4);
  await sheet.getByLabel('E-mail, row 1235').fill(`row1234-${project}@example.com`);
  await sheet.getByLabel('Last name, row 2501').fill('Number2500');
  await sheet.getByLabel('E-mail, row 5000').fill(`row4999-${project}@example.com`);
  await sheet.getByRole('button', { name: 'Check again' }).click();
  await expect(sheet.getByText('Every row is fine')).toBeVisible();
  await sheet.getByRole('button', { name: 'Invite 5,000 people' }).click();
  await expect(sheet.getByText('The invitations are on their way')).toBeVisible();
  await page.close();

  const again = await context.newPage();
  await again.goto(`/p/${project}/invites`);
  const jobs = again.getByRole('region', { name: 'Jobs' });
  await expect(jobs).toContainText(/Inviting [1-9][\d,]* of 5,000/);
  await expect(jobs.getByRole('progressbar')).toBeVisible();
  // To the last row in jobs.test.ts.
  await jobs.getByRole('button', { name: 'Stop' }).click();
  await expect(jobs).toContainText('Stopped');
  const download = again.waitForEvent('download');
  await jobs.getByRole('link', { name: 'Result file' }).click();
  const outcomes = (await linesOf(await download)).slice(1);
  expect(outcomes).toHaveLength(ROWS);
  const created = outcomes.filter((line) => line.includes(',created,')).length;
  expect(outcomes.filter((line) => line.includes(',cancelled,'))).toHaveLength(ROWS - created);
  await expect(again.getByRole('button', { name: `Invited ${created.toLocaleString('en')}` })).toBeVisible();
});

/** How long the server was at the search that `act` sets off. */
async function measure(page: Page, what: string, act: () => Promise<unknown>): Promise<void> {
  const answer = page.waitForResponse(
    (response) => response.url().includes('/fhir/R4/ProjectMembership?') && response.url().includes('_include'),
  );
  await act();
  const request = (await answer).request();
  await (await answer).finished();
  const { requestStart, responseStart } = request.timing();
  report(what, responseStart - requestStart);
}

function report(what: string, ms: number): void {
  process.stdout.write(`scale: ${what} ${Math.round(ms)} ms\n`);
}

/** As a file manager does it. */
async function dropFile(page: Page, text: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle((content) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([content], 'people.csv', { type: 'text/csv' }));
    return transfer;
  }, text);
  await page.getByText('Drop a CSV here').dispatchEvent('drop', { dataTransfer });
}

async function linesOf(download: Download): Promise<string[]> {
  return readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\r\n');
}
