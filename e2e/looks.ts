import { expect, type Locator, type Page } from '@playwright/test';

const WIDTHS = [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
];

/** Runs a check at 390 and 1280 px, dark and light. Nothing may stick out sideways. Ends at 1280 px, light. */
export async function inEveryLook(page: Page, check: () => Promise<void>): Promise<void> {
  for (const size of WIDTHS) {
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.setViewportSize(size);
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      // Painted in the new colours before anybody measures their contrast.
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      expect(await page.evaluate(() => document.documentElement.scrollWidth), `${size.width} px`).toBeLessThanOrEqual(
        size.width,
      );
      expect(await widestDialog(page), `a dialog at ${size.width} px`).toBeLessThanOrEqual(size.width);
      await check();
    }
  }
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

/** Two presses on one spot, as an unsteady hand makes them, whatever has come to stand there by the second. Past what they set off. */
export async function pressTwice(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeEnabled();
  await target.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await target.boundingBox())!;
  for (const wait of [150, 1000]) {
    await page.mouse.click(x + width / 2, y + height / 2);
    await page.waitForTimeout(wait);
  }
}
