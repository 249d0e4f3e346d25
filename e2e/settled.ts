import { expect, type Page, type Request } from '@playwright/test';

const inFlight = new WeakMap<Page, Set<Request>>();

/** From now on `settled` knows what this page waits for. */
export function watchRequests(page: Page): void {
  const open = new Set<Request>();
  inFlight.set(page, open);
  page.on('request', (request) => open.add(request));
  const close = (request: Request) => open.delete(request);
  page.on('requestfinished', close);
  page.on('requestfailed', close);
}

/**
 * To be called before a page is opened on which a test will intercept: what leaves in the moment in which the browser begins to do so is
 * neither intercepted nor told of.
 */
export async function interceptFromNowOn(page: Page): Promise<void> {
  await page.route('**/nothing-is-here', (route) => route.fallback());
}

/** Nothing is asked, nothing is loading, no change waits for its answer, and all of it is painted. */
export async function settled(page: Page): Promise<void> {
  const open = inFlight.get(page);
  if (!open) throw new Error('This page is not watched');
  const urls = () => [...open].map((request) => request.url());
  await expect(async () => {
    expect(urls()).toEqual([]);
    await painted(page);
    expect(await page.locator('[aria-busy=true], [data-pending]').filter({ visible: true }).count()).toBe(0);
    expect(urls()).toEqual([]);
  }).toPass({ intervals: [50] });
}

/** The browser has taken over what the server printed: keys and presses do something. */
export async function awake(page: Page): Promise<void> {
  const isReacts = () => Object.keys(document.querySelector('main') ?? {}).some((key) => key.startsWith('__react'));
  await page.waitForFunction(isReacts);
  await painted(page);
}

/** The server has answered whatever was to be changed from this page. What shows may be ahead of it. */
export async function confirmed(page: Page): Promise<void> {
  await expect(page.locator('main[data-pending]')).toHaveCount(0);
}

/** A sheet that closed has taken back its entry of the history: a reload at the same moment would be called off by that. */
export async function tookBack(page: Page): Promise<void> {
  await page.waitForFunction(() => window.history.state?.sheet === undefined);
}

/** What was decided up to now is on the screen, and stands still: colours change by transitions, and those of children follow their parents'. */
export async function painted(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frames = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const ends = ({ effect }: Animation) => effect?.getComputedTiming().endTime !== Infinity;
    const ending = () => document.getAnimations().filter((one) => one.playState === 'running' && ends(one));
    for (await frames(); ending().length > 0; await frames()) {
      await Promise.allSettled(ending().map(({ finished }) => finished));
    }
  });
}
