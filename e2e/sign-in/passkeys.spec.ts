import type { Page } from '@playwright/test';
import { ageSignIns } from '../database.ts';
import { expect, test } from '../fixtures.ts';
import { inEveryLook, tabTo } from '../looks.ts';
import { awake, settled } from '../settled.ts';
import { PASSWORD, signUp } from '../sign-up.ts';

type Device = { isTheirs(yes: boolean): Promise<void>; count(): Promise<number> };

/** The browser offers nothing by itself: a device of a test would take that for a press. */
async function withoutOffers(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.PublicKeyCredential.isConditionalMediationAvailable = async () => false;
  });
}

/** A device with a screen lock that keeps passkeys, and whose owner unlocks it until `isTheirs` says otherwise. */
async function plugIn(page: Page): Promise<Device> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    isTheirs: async (isUserVerified) => {
      await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
    },
    count: async () => (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
  };
}

async function onPhone(page: Page, look: () => Promise<void>): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 });
  await look();
  await page.setViewportSize({ width: 1280, height: 800 });
}

test('added on the account page, a passkey signs in with one press, until it is removed', async ({
  page,
  mailTo,
  expectAccessible,
}) => {
  const device = await plugIn(page);
  await withoutOffers(page);
  const { email, project } = await signUp(page);
  await page.goto('/account');
  await expect(page.getByText('You have none yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(page.getByText('Passkey added')).toBeVisible();
  expect(await device.count()).toBe(1);
  const list = page.getByRole('list', { name: 'Passkeys' });
  await expect(list.getByRole('listitem')).toContainText('never used');
  expect((await mailTo(email)).subject).toBe('A passkey was added to your account');

  await list.getByRole('button', { name: /^Rename/ }).click();
  await page.getByLabel('Name', { exact: true }).fill('Blue phone');
  await page.getByRole('button', { name: 'Save the name' }).click();
  await expect(list.getByText('Blue phone')).toBeVisible();
  await settled(page);
  await inEveryLook(page);
  await onPhone(page, expectAccessible);

  await page.context().clearCookies();
  await page.goto(`/signin?next=/p/${project}/members`);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page).toHaveURL(`/p/${project}/members`);

  await page.goto('/account');
  await expect(list.getByRole('listitem')).toContainText('last used');
  await list.getByRole('button', { name: 'Remove Blue phone' }).click();
  await page.getByRole('button', { name: 'Remove the passkey' }).click();
  await expect(page.getByText('You have none yet.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Passkeys' })).toBeFocused();

  await page.context().clearCookies();
  await page.goto('/signin');
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page.getByText('This passkey does not sign in here')).toBeVisible();
  await inEveryLook(page);
  await onPhone(page, expectAccessible);
});

test('by keyboard alone: the password again when the sign-in is old, and nothing is said to who turns away', async ({
  page,
  expectAccessible,
}) => {
  const device = await plugIn(page);
  await withoutOffers(page);
  const { project } = await signUp(page);
  await ageSignIns(project);
  await page.goto('/account');
  await awake(page);
  await tabTo(page, page.getByRole('button', { name: 'Add a passkey' }));
  await page.keyboard.press('Enter');
  const password = page.getByLabel('Your password', { exact: true });
  await expect(password).toBeFocused();
  await page.keyboard.type('not this one');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Incorrect password')).toBeVisible();
  await expectAccessible();
  await password.fill(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Passkey added')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Passkeys' })).toBeFocused();

  await page.context().clearCookies();
  await device.isTheirs(false);
  await page.goto(`/signin?next=/p/${project}/members`);
  await awake(page);
  const button = page.getByRole('button', { name: 'Sign in with a passkey' });
  await tabTo(page, button);
  await page.keyboard.press('Enter');
  await settled(page);
  await expect(button).toBeEnabled();
  await expect(page.getByText(/could not be used|does not sign in/)).toHaveCount(0);
  await device.isTheirs(true);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/p/${project}/members`);
});

test('where the address is typed the browser offers it; what is refused there is told, and not tried again by itself', async ({
  page,
}) => {
  const device = await plugIn(page);
  const { project } = await signUp(page);
  await page.goto('/account');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(page.getByText('Passkey added')).toBeVisible();
  await page.context().clearCookies();
  await page.goto(`/signin?next=/p/${project}/members`);
  await expect(page).toHaveURL(`/p/${project}/members`);

  await page.goto('/account');
  await page.getByRole('button', { name: /^Remove / }).click();
  await page.getByRole('button', { name: 'Remove the passkey' }).click();
  await expect(page.getByText('You have none yet.')).toBeVisible();
  expect(await device.count()).toBe(1);
  await page.context().clearCookies();
  let shown = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/auth/passkey/verify')) shown += 1;
  });
  await page.goto('/signin');
  await expect(page.getByLabel('E-mail')).toHaveAttribute('autocomplete', 'username webauthn');
  await expect(page.getByText('This passkey does not sign in here')).toBeVisible();
  await settled(page);
  expect(shown).toBe(1);
});
