import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

/** Of Node's built-ins those that a bot may import, and what they are declared with. */
const NODE =
  /^(?:assert|buffer|buffer\.buffer|crypto|events|globals\.typedarray|path|process|querystring|stream|string_decoder|timers|url|util|zlib|(?:stream|timers|path|util|assert)\/\w+)\.d\.ts$/;
const LIBRARY = /^lib\.(?:es5|es20\d\d.*|esnext.*|decorators.*|webworker)\.d\.ts$/;

let packed: Promise<Buffer<ArrayBuffer>> | undefined;

/**
 * What the editor of bots knows, as gzipped JSON of file names and texts: the compiler (`/typescript.js`), and the declarations of the
 * language, the Web, Node and the peer. 15 MB of text, read of the installed packages when the first editor asks, and kept packed.
 */
export function readBotTypes(): Promise<Buffer<ArrayBuffer>> {
  packed ??= pack().catch((error) => {
    packed = undefined;
    throw error;
  });
  return packed;
}

async function pack(): Promise<Buffer<ArrayBuffer>> {
  const require = createRequire(import.meta.url);
  const typescript = createRequire(require.resolve('@typescript/typescript6')).resolve('@typescript/old');
  const core = path.join(path.dirname(require.resolve('@medplum/core')), '../esm');
  const fhir = path.dirname(require.resolve('fhirtypes-of-peer/package.json'));
  const node = path.dirname(require.resolve('@types/node/package.json'));
  const parts = await Promise.all([
    readFolder(path.dirname(typescript), '', /^typescript\.js$/),
    readFolder(path.dirname(typescript), '/lib', LIBRARY),
    readFolder(core, '/node_modules/@medplum/core', /^index\.d\.ts$/),
    readFolder(path.join(fhir, 'dist'), '/node_modules/@medplum/fhirtypes', /^\w+\.d\.ts$/),
    readFolder(node, '/node_modules/@types/node', NODE),
  ]);
  const files = Object.fromEntries(parts.flat());
  return (await promisify(gzip)(JSON.stringify(files))) as Buffer<ArrayBuffer>;
}

async function readFolder(folder: string, as: string, wanted: RegExp): Promise<[string, string][]> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => wanted.test(name)).sort();
  return Promise.all(
    names.map(
      async (name): Promise<[string, string]> => [`${as}/${name}`, await readFile(path.join(folder, name), 'utf8')],
    ),
  );
}
