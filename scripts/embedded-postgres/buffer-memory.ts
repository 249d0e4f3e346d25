import { totalmem } from 'node:os';

const MIB = 1024 * 1024;
const [LEAST_MIB, MOST_MIB] = [256, 2048];

/**
 * `shared_buffers`, in MB: an eighth of the memory that this process may have, since the server and the runners of bots are on the same machine.
 * What PostgreSQL has there it need not copy from the system's own cache.
 */
export function bufferMemory(total = totalmem(), constrained = process.constrainedMemory()): number {
  const memory = constrained > 0 ? Math.min(total, constrained) : total;
  return Math.max(LEAST_MIB, Math.min(MOST_MIB, Math.floor(memory / 8 / MIB)));
}
