// Plain JavaScript without dependencies: it runs before there are any.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { progress, refuse } from './progress.mjs';

/** `npm ci` empties node_modules, so the stamp is there only when the installation came to its end. */
const STAMP = 'node_modules/.cache/gatehouse/installed';

/** Installs what package-lock.json of `root` names, unless exactly that was installed the last time. */
export async function installWhenStale(/** @type {string} */ root) {
  const stamp = join(root, STAMP);
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  await progress('Install the packages of package-lock.json', async () => install(root));
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, wanted);
}

/** No package here needs its install script: what they would do, we do ourselves or do not need. */
function install(/** @type {string} */ root) {
  const flags = [
    '--ignore-scripts',
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  const { status, stderr, error } = spawnSync('npm', ['ci', ...flags], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (status !== 0) refuse(`npm ci failed:\n${stderr ?? error}`);
}
