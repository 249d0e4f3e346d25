import { expect, type Page } from '@playwright/test';

export const HEADERS = { 'sec-fetch-site': 'same-origin' };

/** Who is admitted; where `active` is false, the bots of these tests find no bed. */
export function patient(family: string, active = true) {
  return { resourceType: 'Patient', active, name: [{ family }] };
}

/** A bot with this code, live; resolves to its id. */
export async function deployedBot(page: Page, project: string, name: string, code: string): Promise<string> {
  const made = await page.request.post(`/admin/projects/${project}/bot`, { data: { name }, headers: HEADERS });
  const { id } = await made.json();
  const data = { code, filename: 'index.ts' };
  const deployed = await page.request.post(`/fhir/R4/Bot/${id}/$deploy`, { data, headers: HEADERS });
  expect(deployed.status(), await deployed.text()).toBe(200);
  return id;
}

/** One after the other: the last is the newest. */
export async function execute(page: Page, bot: string, inputs: readonly unknown[]): Promise<void> {
  const headers = { ...HEADERS, 'content-type': 'application/fhir+json' };
  for (const data of inputs) await page.request.post(`/fhir/R4/Bot/${bot}/$execute`, { data, headers });
}

/** Records of runs are written a moment after the answer. */
export async function recorded(page: Page, project: string, count: number): Promise<void> {
  const read = async () => (await (await page.request.get(`/admin/projects/${project}/runs?_count=100`)).json()).rows;
  await expect.poll(async () => (await read()).length).toBe(count);
}
