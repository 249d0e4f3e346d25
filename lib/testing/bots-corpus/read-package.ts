import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BotFile } from '#lib/protocol/bots/files.ts';

const MODULES = join(import.meta.dirname, '../../../node_modules');
const OF_CODE = /(?:\.[mc]?js|\.json)$/;

/** What of an installed package would run, as it is deployed with a bot. */
export async function readPackage(name: string): Promise<BotFile[]> {
  const entries = await readdir(join(MODULES, name), { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && OF_CODE.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(MODULES.length + 1));
  return Promise.all(
    paths.map(async (path) => ({
      filename: `node_modules/${path}`,
      content: await readFile(join(MODULES, path), 'utf8'),
    })),
  );
}
