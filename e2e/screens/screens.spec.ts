import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import { expectReadable } from '../looks.ts';
import { invite } from '../people.ts';
import { settled } from '../settled.ts';
import { signUp } from '../sign-up.ts';

const MOST = 0.02;

/** Each screen by its path, and what stands there when it has loaded. */
const SCREENS: readonly [path: string, loaded: (page: Page) => ReturnType<Page['getByText']>][] = [
  ['/register', (page) => page.getByRole('button', { name: 'Continue' })],
  ['/signin', (page) => page.getByRole('button', { name: 'Continue' })],
  ['/resetpassword', (page) => page.getByRole('button', { name: 'Send the link' })],
  ['/lostaddress', (page) => page.getByRole('link', { name: 'Sign in and change it' })],
  ['/p/:project', (page) => page.getByText('First steps')],
  ['/p/:project/members', (page) => page.getByRole('link', { name: 'Ben Okafor' })],
  ['/p/:project/members/:member', (page) => page.getByRole('heading', { name: 'Ben Okafor' })],
  ['/p/:project/members/:member?tab=security', (page) => page.getByText('Waiting for an answer')],
  ['/p/:project/members/:member?tab=activity', (page) => page.getByRole('tabpanel').getByText('Ada Reyes')],
  ['/p/:project/members/:member?tab=history', (page) => page.getByText('Added to the project')],
  ['/p/:project/members/:member?tab=json', (page) => page.getByText('"resourceType": "ProjectMembership"')],
  ['/p/:project/invites', (page) => page.getByText('Ben Okafor')],
  ['/p/:project/invites?invite=one', (page) => page.getByLabel('First name')],
  ['/p/:project/invites?invite=many', (page) => page.getByLabel('Or paste it')],
  ['/p/:project/bots', (page) => page.getByText('Night report')],
  ['/p/:project/bots/:bot', (page) => page.getByRole('textbox', { name: /^Source code/ })],
  ['/p/:project/runs', (page) => page.getByText('No bot has run yet')],
  ['/p/:project/bots/:bot?tab=connections', (page) => page.getByRole('switch', { name: 'It is run with each' })],
  ['/p/:project/dead-letters', (page) => page.getByText('Nothing was given up')],
  ['/p/:project/hl7-feeds', (page) => page.getByText('Nobody sends yet')],
  ['/p/:project/clients', (page) => page.getByRole('button', { name: /client/i })],
  ['/p/:project/access-policies', (page) => page.getByText('Default Admin Access Policy')],
  ['/p/:project/access-policies/:policy', (page) => page.getByText('The server would take it.')],
  ['/p/:project/access-policies/:policy?tab=history', (page) => page.getByRole('list', { name: 'Versions' })],
  ['/p/:project/access-reviews', (page) => page.getByText('No review was started yet')],
  ['/p/:project/access-requests', (page) => page.getByText('Nobody waits for an answer')],
  ['/p/:project/break-glass', (page) => page.getByText('Nobody broke the glass')],
  ['/p/:project/access-test', (page) => page.getByText('Ask what somebody may do')],
  ['/p/:project/activity/access', (page) => page.getByLabel('Record')],
  ['/p/:project/activity', (page) => page.getByText('Ada Reyes')],
  ['/p/:project/settings', (page) => page.getByLabel('Name', { exact: true })],
  ['/account', (page) => page.getByText('Sessions')],
];

for (const width of [1280, 390]) {
  test(`every screen stands still while it loads, and can be read in light and dark, at ${width} px`, async ({
    page,
  }) => {
    test.slow();
    await page.setViewportSize({ width, height: 844 });
    const { project } = await signUp(page);
    const ben = await invite(page, project, 'Ben Okafor');
    await invite(page, project, 'Chiara Moretti', { admin: true });
    const headers = { 'sec-fetch-site': 'same-origin' };
    const bot = await page.request.post(`/admin/projects/${project}/bot`, { data: { name: 'Night report' }, headers });
    expect(bot.status(), await bot.text()).toBeLessThan(300);
    const data = {
      resourceType: 'AccessPolicy',
      name: 'Ward',
      resource: [{ resourceType: 'Patient', readonly: true }],
    };
    const policy = await page.request.post('/fhir/R4/AccessPolicy', { data, headers });
    expect(policy.status(), await policy.text()).toBe(201);
    const ids = { project, member: ben.id, bot: (await bot.json()).id, policy: (await policy.json()).id };
    await watchShifts(page);
    for (const [path, loaded] of SCREENS) {
      // What moves by an animation counts as well.
      await page.emulateMedia({ reducedMotion: 'no-preference' });
      await page.goto(path.replace(/:(project|member|bot|policy)/g, (_, name: keyof typeof ids) => ids[name]));
      await expect(loaded(page).filter({ visible: true }).first()).toBeVisible({ timeout: 30_000 });
      await settled(page);
      const { sum, nodes } = await readShifts(page);
      expect.soft(sum, `${path} moves ${nodes}`).toBeLessThan(MOST);
      await expectReadable(page);
    }
  });
}

type Shifts = { sum: number; nodes: string };

/** Sums what moved without anybody's doing (CLS), on every page that is opened from now on. */
async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: Shifts = { sum: 0, nodes: '' };
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const shift = entry as unknown as { value: number; hadRecentInput: boolean; sources: { node?: Element }[] };
        if (shift.hadRecentInput) continue;
        shifts.sum += shift.value;
        shifts.nodes += shift.sources.map(({ node }) => ` <${node?.nodeName} ${node?.className}>`).join('');
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

function readShifts(page: Page): Promise<Shifts> {
  return page.evaluate(() => (window as unknown as { shifts: Shifts }).shifts);
}
