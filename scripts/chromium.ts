import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { progress, refuse } from './progress.mjs';
import { runCommand } from './run-command.ts';

const DOWNLOAD_LIMIT_MS = 300_000;

/** Debian's Chromium without a window's frame: the same engine, and a sixth of the time for every new page. */
const SHELL = { path: '/usr/bin/chromium-headless-shell', name: 'chromium-headless-shell' };

/** A Chromium that runs: Debian's shell, Playwright's own or the system's, installed when there is none and it can be. Refuses otherwise. */
export async function prepareChromium(): Promise<string> {
  const there = await findChromium();
  if (there) return there;
  const installed = await progress(
    'Install Chromium',
    async () => (await installByApt()) ?? (await installByPlaywright()),
  );
  return (
    installed ??
    refuse(
      'The end-to-end tests need Chromium, and it could not be installed. Install it (`npx playwright install --with-deps chromium`, ' +
        'or as root `apt-get install chromium-headless-shell`), or set CHROMIUM_PATH to its program.',
    )
  );
}

async function findChromium(): Promise<string | undefined> {
  const places = [
    process.env.CHROMIUM_PATH,
    SHELL.path,
    chromium.executablePath(),
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
  ];
  for (const path of places) {
    // A download without the system's libraries is there and does not start.
    if (path && existsSync(path) && (await runCommand(path, ['--version'])).code === 0) return path;
  }
  return undefined;
}

async function installByPlaywright(): Promise<string | undefined> {
  await runCommand('playwright', ['install', 'chromium'], { limitMs: DOWNLOAD_LIMIT_MS });
  return findChromium();
}

async function installByApt(): Promise<string | undefined> {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return undefined;
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  await runCommand('apt-get', ['update', '-q'], { env });
  for (const name of [SHELL.name, 'chromium']) {
    const { code } = await runCommand('apt-get', ['install', '-y', '-q', '--no-install-recommends', name], { env });
    if (code === 0) return findChromium();
  }
  return undefined;
}
