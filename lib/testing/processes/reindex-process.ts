import { once } from 'node:events';
import { reindex } from '#lib/domain/store/reindex.ts';

/** A reindex to be killed: of the project that it is given, in small steps. Tells its parent of each, and takes the next when it is told to. */
process.once('disconnect', () => process.exit(0));
const projectId = process.argv[2];
await reindex(
  { projectId },
  {
    batch: 3,
    onProgress: async (progress) => {
      process.send?.(progress);
      await once(process, 'message');
    },
  },
);
