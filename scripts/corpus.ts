import { existsSync } from 'node:fs';
import { findFreePort } from '#lib/infra/net/free-port.ts';
import { start } from './bench/child.ts';
import { openProject } from './bench/open-project.ts';
import { serverSettings } from './bench/server.ts';
import { startDatabase } from './bench.ts';
import { sortOut } from './corpus/expected.ts';
import { postAll } from './corpus/post-all.ts';
import { readFolder } from './corpus/read-files.ts';
import { end, withEnd } from './lifetime.ts';
import { progress, refuse } from './progress.mjs';

/**
 * `npm run corpus -- <folder>`: everything of a folder of FHIR, posted to the API on a database of its own, and read back. What is refused or
 * does not come back as it was sent is printed, and is a failure, but for what is known to break a rule (corpus/expected.ts).
 */
export function run([folder = '']: string[] = []): Promise<void> {
  return withEnd(async () => {
    if (!existsSync(folder)) refuse('npm run corpus -- <folder with .json, .ndjson or .ndjson.gz>');
    const url = await progress('PostgreSQL in a folder that is thrown away', startDatabase);
    const port = await findFreePort();
    const settings = { ...serverSettings(url, port), LOG_LEVEL: 'error' };
    await progress('The API', () => start('../lib/testing/peer/api-server.ts', { env: settings }));
    const { signIn } = await openProject(settings.BASE_URL);
    const server = { base: `${settings.BASE_URL}/fhir/R4`, authorization: `Bearer ${await signIn()}` };
    const { posted, equal, refused, different } = await progress(folder, () => postAll(server, readFolder(folder)));
    const { expected, unexpected } = sortOut(folder, refused);
    for (const line of expected) console.log(`Refused as expected: ${line}`);
    for (const line of [...unexpected, ...different]) console.log(line);
    console.log(
      `${posted} posted, ${equal} came back equal, ${different.length} otherwise, ${expected.length} refused as expected, ${unexpected.length} unexpected`,
    );
    await end(unexpected.length + different.length > 0 ? 1 : 0);
  });
}
