import { pace } from '#lib/base/pace.ts';
import { createImportCrew } from '#lib/domain/bulk-import/run-imports.ts';
import { lookAgain } from './look-again.ts';

/** Goes on with imports, also with those that a killed process left. Returns what stops it: each stops after what it is storing. */
export function startImports(): () => Promise<void> {
  const crew = createImportCrew();
  const stop = lookAgain(pace.importWatchMs, 'imports could not be looked for', () => crew.look());
  return async () => {
    await stop();
    await crew.stop();
  };
}
