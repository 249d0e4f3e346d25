import { prepareDatabase } from './database.ts';
import { end, startNode, withEnd } from './lifetime.ts';
import { prepareSettings, prepareSuperadmin } from './settings.ts';

/** `npm run dev`: `next dev` with the database and the settings of `npm start`. */
export function run(): Promise<void> {
  return withEnd(async () => {
    const settings = await prepareSettings('development');
    await prepareDatabase(settings);
    prepareSuperadmin(settings);
    // This machine only: without server.ts nobody tells the pages where a caller comes from.
    const place = ['--hostname', 'localhost', '--port', String(settings.PORT)];
    const next = startNode(['node_modules/next/dist/bin/next', 'dev', ...place], 5_000);
    next.once('exit', (code) => void end(code ?? 1));
  });
}
