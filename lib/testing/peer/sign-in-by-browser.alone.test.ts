import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { CALLBACK, makeApp } from '../app.ts';
import { makeOwner, type Owner } from '../people.ts';
import { makeClient } from './peer-project.ts';
import { makeCli } from './run-cli.ts';
import { type PeerApi, startApi } from './start-api.ts';
import { openWebBrowser, type WebBrowser } from './web-browser.ts';

/** The peer's client and command line, unmodified, where a person signs in in a browser (contract §1.7). */
let api: PeerApi;
let owner: Owner;
let browser: WebBrowser;

beforeAll(async () => {
  api = await startApi();
  owner = await makeOwner();
  browser = await openWebBrowser(api.baseUrl, owner);
}, 60_000);
afterAll(() => api?.stop());

it('signInWithRedirect: to us, back with a code, and signed in', async () => {
  const app = await makeApp(owner);
  const medplum = makeClient(api.baseUrl);
  const login = { clientId: app.id, redirectUri: CALLBACK, scope: 'openid profile offline' };
  let address = '';
  const { location } = globalThis;
  Object.assign(globalThis, { location: { ...location, search: '', assign: (to: string) => (address = to) } });
  try {
    await medplum.signInWithRedirect(login);
  } finally {
    Object.assign(globalThis, { location });
  }
  const back = await browser.follow(address);
  expect(back.searchParams.get('state')).toBe(new URL(address).searchParams.get('state'));
  const profile = await medplum.processCode(back.searchParams.get('code')!, login);
  expect(profile).toMatchObject({ resourceType: 'Practitioner', name: [{ given: ['Ada'], family: 'Stone' }] });
  expect(medplum.getProject()).toMatchObject({ id: owner.projectId });
});

it('medplum login: the command line opens a browser, and knows who it is', async () => {
  const cli = await makeCli();
  try {
    const opened = join(cli.folder, 'opened');
    const opener = join(cli.folder, 'xdg-open');
    await writeFile(opener, `#!/bin/sh\nprintf %s "$1" > '${opened}.part' && mv '${opened}.part' '${opened}'\n`);
    await chmod(opener, 0o755);
    const signingIn = cli.run('login', '--base-url', `${api.baseUrl}/`);
    const address = await vi.waitFor(() => readFile(opened, 'utf8'), { timeout: 60_000, interval: 100 });
    const request = new URL(address);
    expect(request.searchParams.get('prompt')).toBe('login');
    const toSignIn = await fetch(request, { redirect: 'manual' });
    const page = new URL(toSignIn.headers.get('location')!, api.baseUrl);
    expect(page.pathname).toBe('/signin');
    // Has signed in there, a moment later.
    const fresh = await openWebBrowser(api.baseUrl, owner);
    const back = await fresh.follow(new URL(page.searchParams.get('next')!, api.baseUrl));
    expect(await (await fetch(back)).text()).toContain('Signed in as Ada Stone');
    expect(await signingIn).toMatchObject({ code: 0 });
    expect((await cli.run('whoami')).output).toContain('Ada Stone');
  } finally {
    await cli.remove();
  }
}, 120_000);
