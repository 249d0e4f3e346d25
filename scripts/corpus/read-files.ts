import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Resource } from '#lib/protocol/fhir/types.ts';
import { parseJson } from '#lib/protocol/json/json.ts';

/** A resource of a file, with where it stands there. */
export type Found = { from: string; resource: Resource };

/** The others refer to what stands in these. */
const FIRST = /^(?:hospital|practitioner)Information/;

/** Every resource of the JSON and NDJSON files of a folder, also where they are packed (.gz), those that others refer to first. */
export function* readFolder(folder: string): Generator<Found> {
  const paths = (readdirSync(folder, { recursive: true }) as string[])
    .filter((path) => /\.(?:json|ndjson)(?:\.gz)?$/.test(path) && statSync(join(folder, path)).isFile())
    .sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  for (const path of paths) yield* readOne(folder, path);
}

function rank(path: string): number {
  return FIRST.test(path.split('/').at(-1) ?? '') ? 0 : 1;
}

function* readOne(folder: string, path: string): Generator<Found> {
  const bytes = readFileSync(join(folder, path));
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  const isLines = /\.ndjson(?:\.gz)?$/.test(path);
  const parts = isLines ? text.split('\n').filter((line) => line.trim() !== '') : [text];
  for (const [at, part] of parts.entries()) {
    const value = parseJson(part);
    const from = isLines ? `${path}:${at + 1}` : path;
    if (typeof value === 'object' && value !== null && 'resourceType' in value)
      yield { from, resource: value as Resource };
  }
}
