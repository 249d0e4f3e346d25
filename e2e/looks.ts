import { expect, type Locator, type Page, type Route } from '@playwright/test';
import { findViolations } from './accessible.ts';
import { painted, settled } from './settled.ts';

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
 * Two presses on one spot, as an unsteady hand makes them, whatever has come to stand there by the second: it comes before the server
 * has answered the first. Past what they set off.
 */
export async function pressTwice(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeEnabled();
  await target.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await target.boundingBox())!;
  const second = Promise.withResolvers<void>();
  const hold = async (route: Route) => {
    if (route.request().method() !== 'GET') await second.promise;
    await route.fallback();
  };
  await page.route('**', hold);
  const asked = page.waitForRequest((request) => request.method() !== 'GET');
  await page.mouse.click(x + width / 2, y + height / 2);
  await asked;
  await page.mouse.click(x + width / 2, y + height / 2);
  await painted(page);
  second.resolve();
  await settled(page);
  await page.unroute('**', hold);
}
