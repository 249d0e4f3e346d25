import { platform } from 'node:os';
import type { Owner } from './owner.ts';

/**
 * PostgreSQL's user may not be allowed to walk down to the directory, but the kernel lets a process into its own working
 * directory without walking; `spawn` enters it while we are still root.
 */
export function reach(dir: string, owner: Owner | undefined): string {
  return owner && platform() === 'linux' ? '/proc/self/cwd' : dir;
}
