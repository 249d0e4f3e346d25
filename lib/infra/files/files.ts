import type { Readable } from 'node:stream';
import { env } from '#lib/base/env.ts';
import { AppError } from '#lib/base/errors.ts';
import { refuseInRehearsal } from '../db/rehearsing.ts';
import { disk } from './disk.ts';
import type { Driver, Part } from './driver.ts';
import { s3 } from './s3.ts';

/** Where files are: in a folder of ours, or in a bucket. */
export type Place = 'files' | 's3';
/** By ids that we make, never by a caller's text. */
export type FileName = { projectId: string; key: string };
const DRIVERS: Record<Place, Driver> = { files: disk, s3 };

/** Where new files go. What stands elsewhere is read from there. */
export function placeOfNew(): Place {
  return env().BINARY_STORAGE === 'files' ? 'files' : 's3';
}

/** Stores a stream without holding it. Throws what the stream throws, and 503 where it cannot be kept; nothing is left then. */
export async function putFile(place: Place, name: FileName, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  refuseInRehearsal('store files');
  const source: { failure?: unknown } = {};
  try {
    await DRIVERS[place].put(pathOf(name), noted(bytes, source));
  } catch (cause) {
    if (source.failure !== undefined) throw source.failure;
    throw new AppError('unavailable', 'The file cannot be stored at the moment', { cause });
  }
}

/** Throws 503 where it is not to be had; what breaks off later is the stream's. */
export async function openFile(place: Place, name: FileName, part?: Part): Promise<Readable> {
  try {
    return await DRIVERS[place].open(pathOf(name), part);
  } catch (cause) {
    throw new AppError('unavailable', 'The file cannot be read at the moment', { cause });
  }
}

export async function dropFile(place: Place, name: FileName): Promise<void> {
  await DRIVERS[place].drop(pathOf(name));
}

/** At start. */
export async function checkFiles(): Promise<void> {
  await DRIVERS[placeOfNew()].check();
}

async function* noted(
  bytes: AsyncIterable<Uint8Array>,
  source: { failure?: unknown },
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* bytes;
  } catch (error) {
    source.failure = error;
    throw error;
  }
}

/** Ids that are made one after the other begin alike, and end differently: no folder has too many. */
function pathOf({ projectId, key }: FileName): string {
  return `${projectId}/${key.slice(-2)}/${key}`;
}
