import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { env } from '#lib/base/env.ts';

/** The names of all files of a project, with those that are still coming. */
export function filesOf(projectId: string): string[] {
  const folder = join(resolve(env().DATA_DIR), 'files', projectId);
  if (!existsSync(folder)) return [];
  const all = readdirSync(folder, { recursive: true, withFileTypes: true });
  return all
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort();
}
