import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type axe from 'axe-core';

const ENGINE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * What axe finds on the page as it stands, by all rules or by those named: "rule: what is wrong (where)". No page of ours has frames, so
 * it runs in the page itself, and only what is wrong comes back.
 */
export async function findViolations(page: Page, rules?: string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(ENGINE);
  return page.evaluate(async (runOnly) => {
    const engine = (window as unknown as { axe: typeof axe }).axe;
    const options: axe.RunOptions = {
      resultTypes: ['violations'],
      iframes: false,
      preload: false,
      ...(runOnly && { runOnly }),
    };
    const { violations } = await engine.run(document, options);
    return violations.map(
      ({ id, help, nodes }) => `${id}: ${help} (${nodes.map((node) => node.target.join(' ')).join(', ')})`,
    );
  }, rules);
}
