import { expect, type JSHandle, type Locator, type Page } from '@playwright/test';
import { findViolations } from './accessible.ts';
import { awake, painted, settled } from './settled.ts';

/** The one rule that depends on the look. */
const CONTRAST = ['color-contrast'];
const DESK = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

/**
 * The page as it stands, as everybody sees it: what axe finds, contrast in light and dark, and at 1280 and 390 px nothing that sticks
 * out sideways. Ends at 1280 px, light. What only a phone shows is looked at screen by screen in screens.spec.ts.
 */
export async function inEveryLook(page: Page): Promise<void> {
  await show(page, DESK, 'light');
  expect(await findViolations(page)).toEqual([]);
  await expectNarrow(page, DESK.width);
  await show(page, DESK, 'dark');
  expect(await findViolations(page, CONTRAST), 'dark').toEqual([]);
  await show(page, PHONE, 'dark');
  await expectNarrow(page, PHONE.width);
  await show(page, DESK, 'light');
}

/** What axe finds, and contrast in light and dark, at the width that the page has. */
export async function expectReadable(page: Page): Promise<void> {
  const size = page.viewportSize()!;
  await show(page, size, 'dark');
  expect.soft(await findViolations(page, CONTRAST), `dark, ${page.url()}`).toEqual([]);
  await show(page, size, 'light');
  expect.soft(await findViolations(page), page.url()).toEqual([]);
}

async function show(page: Page, size: typeof DESK, colorScheme: 'dark' | 'light'): Promise<void> {
  await page.setViewportSize(size);
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  // In the new colours, before anybody measures their contrast.
  await painted(page);
}

async function expectNarrow(page: Page, width: number): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth), `${width} px`).toBeLessThanOrEqual(width);
  expect(await widestDialog(page), `a dialog at ${width} px`).toBeLessThanOrEqual(width);
}

/** A dialog is laid over the page: it widens nothing, and would be cut off. */
function widestDialog(page: Page): Promise<number> {
  return page.evaluate(() =>
    Math.max(0, ...[...document.querySelectorAll('[role=dialog], [role=alertdialog]')].map((node) => node.clientWidth)),
  );
}

const MOST_TABS = 80;

/** Goes on with Tab, as somebody without a mouse does, until `wanted` has the focus. */
export async function tabTo(page: Page, wanted: Locator): Promise<void> {
  for (let presses = 0; presses < MOST_TABS; presses++) {
    if (await wanted.evaluate((node) => node === document.activeElement).catch(() => false)) return;
    await page.keyboard.press('Tab');
  }
  await expect(wanted).toBeFocused({ timeout: 1 });
}

/**
 * Two presses on one spot, as an unsteady hand makes them, whatever has come to stand there by the second: it comes before anything is
 * sent of the first. Past what they set off.
 */
export async function pressTwice(page: Page, target: Locator): Promise<void> {
  await awake(page);
  await expect(target).toBeEnabled();
  await target.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await target.boundingBox())!;
  const press = () => page.mouse.click(x + width / 2, y + height / 2);
  const held = await holdWrites(page);
  await press();
  await held.evaluate(({ asked }) => asked);
  await press();
  await painted(page);
  await held.evaluate(({ release }) => release());
  await settled(page);
}

type Held = { asked: Promise<void>; release(): void };

/**
 * From now on what the page would write waits in it. Not on its way: a request that leaves in the moment in which the browser begins to
 * intercept is neither held nor told of.
 */
function holdWrites(page: Page): Promise<JSHandle<Held>> {
  return page.evaluateHandle((): Held => {
    const send = window.fetch;
    const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    window.fetch = async (input, init) => {
      if ((init?.method ?? 'GET') !== 'GET') {
        asked.resolve();
        await released.promise;
      }
      return send(input, init);
    };
    const release = () => {
      window.fetch = send;
      released.resolve();
    };
    return { asked: asked.promise, release };
  });
}
