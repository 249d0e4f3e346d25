import { openSender } from '#lib/testing/hl7.ts';
import { deployedBot } from '../admissions.ts';
import { expect, test } from '../fixtures.ts';
import { inEveryLook, tabTo } from '../looks.ts';
import { signUp, write } from '../sign-up.ts';

const KEEPS = `export async function handler(medplum, event) { if (String(event.input).includes('A08')) throw new Error('not these'); return null; }`;

test('an HL7 v2 feed is made, sent to, looked into without names, run again, turned off and removed', async ({
  page,
}) => {
  test.slow();
  const { project } = await signUp(page);
  await deployedBot(page, project, 'Admissions bot', KEEPS);
  await page.goto(`/p/${project}`);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'HL7 v2 feeds' }).click();
  await expect(page.getByRole('heading', { name: 'Nobody sends yet' })).toBeVisible();
  await inEveryLook(page);
  await page.getByRole('button', { name: 'New feed' }).click();
  const dialog = page.getByRole('dialog', { name: 'New HL7 v2 feed' });
  await dialog.getByRole('button', { name: 'Make feed' }).click();
  await expect(dialog.getByText('Choose the bot that gets its messages')).toBeVisible();
  await inEveryLook(page);
  await dialog.getByLabel('Name').fill('North wing');
  await dialog.getByLabel('Bot', { exact: true }).selectOption('Admissions bot');
  const port = Number(await dialog.getByLabel('Port').inputValue());
  await dialog.getByLabel('Addresses').fill('everywhere');
  await dialog.getByRole('button', { name: 'Make feed' }).click();
  await expect(dialog.getByText(/must be an IP address/)).toBeVisible();
  await dialog.getByLabel('Addresses').fill('127.0.0.0/8');
  await page.keyboard.press('Tab');
  await dialog.getByRole('button', { name: 'Make feed' }).click();
  const feed = page.getByRole('list', { name: 'HL7 v2 feeds' }).getByRole('listitem');
  await expect(feed).toContainText('North wing');
  await expect(feed.getByText('Listening', { exact: true })).toBeVisible({ timeout: 30_000 });

  const sender = await openSender(port);
  for (const [at, event] of ['A01', 'A08'].entries()) expect(await sender.send(message(event, at))).toContain('MSA|AA');
  sender.socket.destroy();
  const failed = feed.locator('dl > div', { hasText: 'Failed' });
  await expect(failed).toContainText('1', { timeout: 60_000 });
  await expect(feed.locator('dl > div', { hasText: 'Received' })).toContainText('2');
  await inEveryLook(page);

  await tabTo(page, feed.getByRole('button', { name: 'Messages of North wing' }));
  await page.keyboard.press('Enter');
  const sheet = page.getByRole('dialog', { name: 'Messages of North wing' });
  const messages = sheet.getByRole('list', { name: 'Messages' }).getByRole('listitem');
  await expect(messages).toHaveCount(2);
  await inEveryLook(page);
  await sheet.getByLabel('State').selectOption('Failed');
  await expect(messages).toHaveCount(1);
  await messages.getByRole('button').click();
  await expect(sheet.getByRole('region', { name: 'Message', exact: true })).toContainText('PID|1||•••');
  await expect(sheet.getByRole('region', { name: 'What went wrong' })).toContainText('not these');
  await expect(sheet).not.toContainText('Okonjo');
  await inEveryLook(page);
  await sheet.getByRole('button', { name: 'Reveal…' }).click();
  const revealing = page.getByRole('dialog', { name: 'Reveal this message?' });
  await revealing.getByRole('button', { name: 'Reveal the message' }).click();
  await expect(revealing.getByText('Say why')).toBeVisible();
  await revealing.getByLabel('Why').fill('A bed is missing');
  await page.keyboard.press('Enter');
  await expect(revealing).toHaveCount(0);
  await expect(sheet.getByRole('region', { name: 'Message', exact: true })).toContainText('Okonjo^Ada');
  await sheet.getByRole('button', { name: 'Run again…' }).click();
  await page
    .getByRole('dialog', { name: 'Run this message again?' })
    .getByRole('button', { name: 'Run again' })
    .click();
  await expect(page.getByText('The message runs again')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(sheet).toHaveCount(0);

  await feed.getByRole('switch', { name: 'North wing is on' }).click();
  await expect(feed.getByText('Off', { exact: true })).toBeVisible();
  await expect(failed).toContainText('1', { timeout: 60_000 });
  const change = feed.getByRole('button', { name: 'Change North wing' });
  const changing = page.getByRole('dialog', { name: 'Change North wing' });
  await change.click();
  await changing.getByLabel('Name').fill('Mine');
  const feeds = `/admin/projects/${project}/hl7-feeds`;
  const [{ id, version, state, createdAt, ...told }] = (await (await page.request.get(feeds)).json()).rows;
  await write(page, 'PUT', `${feeds}/${id}`, { ...told, allowedAddress: ['10.0.0.0/8'] });
  await page.keyboard.press('Enter');
  await expect(changing.getByText('Close this, and open it again')).toBeVisible();
  await changing.getByRole('button', { name: 'Cancel' }).click();
  await expect(feed).toContainText('from 10.0.0.0/8');
  await change.click();
  await changing.getByLabel('Name').fill('South wing');
  await page.keyboard.press('Enter');
  await expect(feed).toContainText('South wing');
  await feed.getByRole('button', { name: 'Remove South wing' }).click();
  await page
    .getByRole('dialog', { name: 'Remove South wing?' })
    .getByRole('button', { name: 'Remove the feed' })
    .click();
  await expect(page.getByRole('heading', { name: 'Nobody sends yet' })).toBeVisible();
});

function message(event: string, at: number): string {
  const header = `MSH|^~\\&|HIS|North|Gatehouse|X|2026010112000${at}||ADT^${event}|${at}|P|2.5`;
  return [header, `EVN|${event}|20260101120000`, 'PID|1||4711^^^H||Okonjo^Ada||19700101|F', 'PV1|1|I', ''].join('\r');
}
