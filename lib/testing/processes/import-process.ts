import { createImportCrew } from '#lib/domain/bulk-import/run-imports.ts';

/** Does imports until it is killed. */
process.once('disconnect', () => process.exit(0));
await createImportCrew().look();
