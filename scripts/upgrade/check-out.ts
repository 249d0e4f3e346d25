import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { progress, refuse } from '../progress.mjs';

/** Where there are no tags: what served before a run that goes on could be stopped. */
const BEFORE_TAGS = '4254cbdb';

/** The commit that is upgraded from. */
export function findOld(given: string | undefined): string {
  const name = given ?? (git('describe', '--tags', '--abbrev=0') || BEFORE_TAGS);
  return (
    git('rev-parse', '--verify', '--quiet', `${name}^{commit}`) || refuse(`${name} is no commit of this repository.`)
  );
}

/** Its files, packages and pages, in a folder that is kept: the next run has them. */
export async function checkOut(commit: string): Promise<string> {
  const folder = join(tmpdir(), `gatehouse-version-${commit.slice(0, 12)}`);
  if (!existsSync(join(folder, 'package.json'))) {
    git('worktree', 'prune');
    git('worktree', 'add', '--detach', folder, commit);
    if (!existsSync(folder)) refuse(`git could not check out ${commit} in ${folder}.`);
  }
  if (!existsSync(join(folder, 'node_modules')) && hasOurPackages(folder))
    cpSync('node_modules', join(folder, 'node_modules'), { recursive: true, verbatimSymlinks: true });
  await progress(`The old version, ${commit.slice(0, 7)}, in ${folder}`, async () => {
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', PREPARE], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
      encoding: 'utf8',
    });
    if (status !== 0) refuse(`It could not be built:\n${stderr}`);
  });
  return folder;
}

/** With its own means, in its folder. */
const PREPARE = `
  const { installWhenStale } = await import('./scripts/install.mjs');
  await installWhenStale(process.cwd());
  const { buildWhenStale } = await import('./scripts/build.ts');
  await buildWhenStale();`;

function hasOurPackages(folder: string): boolean {
  const lock = (root: string) => readFileSync(join(root, 'package-lock.json'), 'utf8');
  return lock(folder) === lock('.');
}

function git(...args: string[]): string {
  return spawnSync('git', args, { encoding: 'utf8' }).stdout?.trim() ?? '';
}
