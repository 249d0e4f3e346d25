import { randomBytes } from 'node:crypto';
import { expect, type Page } from '@playwright/test';

export type Invited = { id: string; email: string; name: string; profile: { reference: string } };

/** The cookie counts only for what our own pages send (Fetch Metadata). */
const headers = { 'sec-fetch-site': 'same-origin' };

/** Invites somebody over the API, as the person who is signed in in this page's browser. */
export async function invite(page: Page, project: string, name: string, more: object = {}): Promise<Invited> {
  const [firstName, lastName] = name.split(' ');
  const email = `${firstName}-${randomBytes(5).toString('hex')}@example.com`.toLowerCase();
  const data = { resourceType: 'Practitioner', firstName, lastName, email, ...more };
  const answer = await page.request.post(`/admin/projects/${project}/invite`, { data, headers });
  expect(answer.status(), await answer.text()).toBe(200);
  const { id, profile } = await answer.json();
  return { id, email, name, profile };
}

/** What the API says of a member now. */
export async function readMember(page: Page, project: string, id: string) {
  return (await page.request.get(`/admin/projects/${project}/members/${id}`)).json();
}

/** Changes a member behind the page's back. */
export async function patchMember(page: Page, project: string, id: string, patch: object[]): Promise<void> {
  const answer = await page.request.patch(`/admin/projects/${project}/members/${id}`, { data: patch, headers });
  expect(answer.status(), await answer.text()).toBe(200);
}

/** Removes a member behind the page's back. */
export async function removeMember(page: Page, project: string, id: string): Promise<void> {
  const answer = await page.request.delete(`/admin/projects/${project}/members/${id}`, { headers });
  expect(answer.status(), await answer.text()).toBeLessThan(300);
}
