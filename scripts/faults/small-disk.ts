import { atEnd } from '../lifetime.ts';
import { runCommand } from '../run-command.ts';

export type SmallDisk = { remove(): Promise<void> };

const MIB = 1500;

/** A disk of its own at a folder, small enough to be filled up. Undefined for who may not mount one. */
export async function makeSmallDisk(folder: string): Promise<SmallDisk | undefined> {
  const { code } = await runCommand('mount', ['-t', 'tmpfs', '-o', `size=${MIB}m,mode=700`, 'tmpfs', folder]);
  if (code !== 0) return undefined;
  let isMounted = true;
  const remove = async () => {
    if (isMounted) await runCommand('umount', ['-l', folder]);
    isMounted = false;
  };
  atEnd(remove);
  return { remove };
}
