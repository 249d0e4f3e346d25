import { expect, type Locator, type Page } from '@playwright/test';
import { signUp } from './sign-up.ts';

/** Code that writes, and asks for a secret by name. */
export const WRITES = `export async function handler(medplum, event) {
  await medplum.createResource({ resourceType: 'Basic', code: { text: 'made' } });
  await medplum.searchResources('Task');
  return { changed: event.secrets.LAB_KEY !== undefined };
}
`;

const sourceOf = (page: Page) => page.getByRole('textbox', { name: /^Source code/ });

/** Somebody new with a project and a bot made from the Echo template, on the bot's page. */
export async function createEcho(page: Page): Promise<{ project: string; user: string; editor: Locator }> {
  const { project, user } = await signUp(page);
  await page.goto(`/p/${project}/bots`);
  await page.getByRole('button', { name: 'Create Echo' }).click();
  const editor = sourceOf(page);
  await expect(editor).toContainText('youSent');
  return { project, user, editor };
}

/** The same bot in another tab, where a first line is written that this one does not know of. */
export async function writeElsewhere(page: Page): Promise<Page> {
  const other = await page.context().newPage();
  await other.goto(page.url());
  await expect(sourceOf(other)).toContainText('youSent');
  await sourceOf(other).press('Control+Home');
  await other.keyboard.type('// theirs\n');
  return other;
}
