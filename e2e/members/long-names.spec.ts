import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import { invite } from '../people.ts';
import { painted, settled } from '../settled.ts';
import { signUp } from '../sign-up.ts';

const headers = { 'sec-fetch-site': 'same-origin' };
/** No space to break at. */
const long = (letter: string, length: number) => letter.repeat(length);

test('names without a space break, and widen no screen', async ({ page }) => {
  const { project } = await signUp(page, long('P', 72));
  const email = `f-${project}@example.com`;
  const member = await invite(page, project, `${long('F', 120)} ${long('L', 120)}`, { email });
  const post = async (path: string, data: object) => {
    const answer = await page.request.post(path, { data, headers });
    expect(answer.status(), await answer.text()).toBeLessThan(300);
    return (await answer.json()).id as string;
  };
  const description = long('d', 400);
  const bot = await post(`/admin/projects/${project}/bot`, { name: long('B', 128), description });
  const client = await post(`/admin/projects/${project}/client`, { name: long('C', 128), description });
  const policy = await post('/fhir/R4/AccessPolicy', { resourceType: 'AccessPolicy', name: long('A', 200) });
  await invite(page, project, 'Ben Okafor', { accessPolicy: { reference: `AccessPolicy/${policy}` } });
  const SCREENS: [path: string, loaded: (page: Page) => Locator][] = [
    ['', () => page.getByRole('heading', { name: 'Needs attention' })],
    ['/members', () => page.getByText('Ben Okafor')],
    [`/members/${member.id}`, () => page.getByRole('tab', { name: 'Access' })],
    [`/members/${member.id}?tab=security`, () => page.getByText('Waiting for an answer')],
    [`/members/${member.id}?tab=activity`, () => page.getByRole('tabpanel').getByText('Ada Reyes')],
    [`/members/${member.id}?tab=history`, () => page.getByText('Added to the project')],
    ['/invites', () => page.getByText('Ben Okafor')],
    ['/invites?invite=one', () => page.getByLabel('First name')],
    ['/bots', () => page.getByText(long('B', 128))],
    [`/bots/${bot}`, () => page.getByRole('textbox', { name: /^Source code/ })],
    ['/clients', () => page.getByText(long('C', 128))],
    [`/clients/${client}`, () => page.getByRole('dialog')],
    ['/activity', () => page.getByText('Ada Reyes')],
    ['/settings', () => page.getByLabel('Description')],
    ['/../../account', () => page.getByText('Sessions')],
  ];
  for (const [path, loaded] of SCREENS) {
    await page.setViewportSize({ width: 1280, height: 844 });
    await page.goto(`/p/${project}${path}`);
    await expect(loaded(page).filter({ visible: true }).first()).toBeVisible({ timeout: 30_000 });
    await settled(page);
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 844 });
      await painted(page);
      expect.soft(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(width);
      expect.soft(await findCutOff(page), `${path} at ${width} px`).toEqual([]);
    }
  }
});

/** What stands beyond the right edge of a dialog, where nobody can scroll to it. */
function findCutOff(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const inside = [...document.querySelectorAll('[role=dialog] :is(fieldset, p, dd, button, input, select)')];
    const out = inside.filter((node) => node.checkVisibility() && node.getBoundingClientRect().right > innerWidth + 1);
    return out.map((node) => `${node.nodeName} ${node.textContent?.slice(0, 40)}`);
  });
}
