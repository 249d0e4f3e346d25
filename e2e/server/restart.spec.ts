import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { Page } from '@playwright/test';
import { expect as expectNow, test } from '../fixtures.ts';
import { withOwnServer } from '../own-server.ts';
import { interceptFromNowOn } from '../settled.ts';
import { signUpElsewhere } from '../sign-up.ts';

const server = withOwnServer(2);
// A server that starts takes the cores to itself.
const expect = expectNow.configure({ timeout: 20_000 });

test('a server that stops in the middle of a form costs nothing typed, and nobody is invited twice', async ({
  page,
  context,
}) => {
  test.setTimeout(240_000);
  await interceptFromNowOn(page);
  const project = await signUpElsewhere(page);
  const bot = await context.newPage();
  await bot.goto(`/p/${project}/bots`);
  await bot.getByRole('button', { name: 'Create Echo' }).click();
  const editor = bot.getByRole('textbox', { name: /^Source code/ });
  await expect(editor).toContainText('youSent');
  await editor.press('Control+Home');
  await bot.keyboard.type('// half a thought\n');
  await page.goto(`/p/${project}/members?invite=one`);
  const nora = await fillIn(page, 'Nora', 'Quist', project);

  await server.stop();
  await submit(page);
  await expectKept(page, 'Nora', 'Quist', nora);
  await bot.bringToFront();
  await bot.keyboard.press('Control+s');
  const told = bot.getByRole('region', { name: 'Notifications' });
  await expect(told).toContainText('The draft was not saved');
  await expect(told).toContainText('The server cannot be reached');
  await expect(editor).toContainText('// half a thought');
  await expect(bot.getByText('Unsaved changes')).toBeVisible();

  await server.start();
  await page.bringToFront();
  await submit(page);
  await expect(page.getByText('Nora Quist is invited')).toBeVisible();
  await bot.bringToFront();
  await bot.keyboard.press('Control+s');
  await expect(bot.getByText(/Draft saved/)).toBeVisible();
  await bot.reload();
  await expect(editor).toContainText('// half a thought');
  await expectOnce(page, nora);

  await page.bringToFront();
  // Killed after it has done the work, before it could say so.
  await page.getByRole('button', { name: 'Invite another' }).click();
  const omar = await fillIn(page, 'Omar', 'Reed', project);
  await page.route('**/invite', async (route) => {
    await route.fetch();
    await server.kill();
    await route.abort('connectionreset');
  });
  await submit(page);
  await expectKept(page, 'Omar', 'Reed', omar);
  await page.unroute('**/invite');
  await server.serves();
  await submit(page);
  await expect(page.getByText('Omar Reed is invited')).toBeVisible();
  await expectOnce(page, omar);
});

test('what is killed comes back by itself: the server, and PostgreSQL', async ({ request }) => {
  for (const kill of [server.kill, server.killPostgres]) {
    await kill();
    await server.serves();
  }
  expect((await request.get('/fhir/R4/metadata')).status()).toBe(200);
});

test('a server that cannot start says why in one line, and ends: with 78 when only other settings help', async () => {
  const ends = {
    'postgres://nobody@127.0.0.1:9/none': [1, 'connect ECONNREFUSED 127.0.0.1:9'],
    'postgres://nobody@127.0.0.1:9/none?sslmode=prefer': [78, expect.stringContaining('sslmode=prefer')],
  };
  for (const [DATABASE_URL, [exitCode, reason]] of Object.entries(ends)) {
    const env = { ...process.env, DATABASE_URL, AUTH_SECRET: 'x'.repeat(40), LOG_LEVEL: 'info' };
    const server = spawn(process.execPath, ['server.ts'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const [[code], said] = await Promise.all([once(server, 'exit'), text(server.stdout)]);
    const fatal = said.split('\n').filter((line) => line.includes('"level":60'));
    expect([code, fatal.length]).toEqual([exitCode, 1]);
    expect(JSON.parse(fatal[0] ?? '')).toMatchObject({ msg: 'cannot start', reason });
    expect(said).not.toContain('select');
  }
});

const sheet = (page: Page) => page.getByRole('dialog', { name: 'Invite' });

async function fillIn(page: Page, first: string, last: string, project: string): Promise<string> {
  const email = `${first.toLowerCase()}-${project}@example.com`;
  await sheet(page).getByLabel('First name').fill(first);
  await sheet(page).getByLabel('Last name').fill(last);
  await sheet(page).getByLabel('E-mail', { exact: true }).fill(email);
  return email;
}

async function submit(page: Page): Promise<void> {
  await sheet(page).getByRole('button', { name: 'Send invitation' }).click();
}

async function expectKept(page: Page, first: string, last: string, email: string): Promise<void> {
  await expect(
    sheet(page).getByText('The server cannot be reached. Check the connection and try again.'),
  ).toBeVisible();
  await expect(sheet(page).getByLabel('First name')).toHaveValue(first);
  await expect(sheet(page).getByLabel('Last name')).toHaveValue(last);
  await expect(sheet(page).getByLabel('E-mail', { exact: true })).toHaveValue(email);
}

/** One membership and one mail. */
async function expectOnce(page: Page, email: string): Promise<void> {
  const found = await page.request.get(
    `/fhir/R4/ProjectMembership?name:contains=${encodeURIComponent(email)}&_total=accurate`,
  );
  expect((await found.json()).total).toBe(1);
  const mails = async () => {
    const all = await (await page.request.get('/dev/mail', { headers: { accept: 'application/json' } })).json();
    return all.filter((mail: { recipient: string }) => mail.recipient === email).length;
  };
  // A mail that the killed process was at is taken up when its heartbeat has stopped.
  await expect.poll(mails, { timeout: 60_000 }).toBe(1);
}
