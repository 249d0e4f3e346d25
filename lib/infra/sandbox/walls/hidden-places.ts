import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { env } from '#lib/base/env.ts';
import { sandboxPath } from '../host/sandbox-path.ts';

/** Where a system keeps what is somebody's, and the sockets of those who serve. */
const OTHERS = ['/dev/shm', '/home', '/media', '/mnt', '/opt', '/root', '/run', '/srv', '/tmp', '/var'];

/** What a runner process is not to see, but where Node and our sources are. `areAll`: DATA_DIR is among them. */
export function hiddenPlaces(): { places: string[]; areAll: boolean } {
  const project = path.resolve(sandboxPath('.'), '../../..');
  const needed = [process.execPath, project].map(real);
  const dataDir = real(path.resolve(env().DATA_DIR));
  const settings = ['.env', '.env.local'].flatMap((name) => [path.join(project, name), path.resolve(name)]);
  const all = [...new Set([dataDir, ...OTHERS, ...settings].filter(existsSync).map(real))];
  const places = all.filter((place) => !needed.some((file) => isWithin(file, place)));
  return { places, areAll: !existsSync(dataDir) || places.some((place) => isWithin(dataDir, place)) };
}

function isWithin(file: string, folder: string): boolean {
  return file === folder || file.startsWith(`${folder}${path.sep}`);
}

function real(file: string): string {
  return existsSync(file) ? realpathSync(file) : file;
}
