import { constants } from 'node:fs';
import { access, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { env } from '#lib/base/env.ts';
import { WrongSettings } from '#lib/base/wrong-settings.ts';
import type { Driver } from './driver.ts';

const CHUNK = 256 * 1024;

/** Files below DATA_DIR. */
export const disk: Driver = { put, open: openPart, drop, check };

async function put(path: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  const file = toFile(path);
  const coming = partOf(file);
  const made = await mkdir(dirname(file), { recursive: true });
  try {
    const handle = await open(coming, 'wx', 0o600);
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(coming, file);
    await keepNames(dirname(file), made);
  } catch (error) {
    await drop(path);
    throw error;
  }
}

/** A file is there after a power cut when its folder says so, and a new folder when the one above does. */
async function keepNames(folder: string, made: string | undefined): Promise<void> {
  const last = made === undefined ? folder : dirname(made);
  for (let each = folder; ; each = dirname(each)) {
    const handle = await open(each, 'r');
    await handle.sync().finally(() => handle.close());
    if (each === last || each === dirname(each)) return;
  }
}

async function openPart(path: string, part?: { first: number; last: number }) {
  const handle = await open(toFile(path), 'r');
  const range = part && { start: part.first, end: part.last };
  return handle.createReadStream({ ...range, highWaterMark: CHUNK });
}

async function drop(path: string): Promise<void> {
  const file = toFile(path);
  await rm(partOf(file), { force: true });
  await rm(file, { force: true });
}

async function check(): Promise<void> {
  const folder = toFile('');
  try {
    await mkdir(folder, { recursive: true });
    await access(folder, constants.R_OK | constants.W_OK);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new WrongSettings(`DATA_DIR: no files can be kept in ${folder}: ${reason}`);
  }
}

function toFile(path: string): string {
  return join(resolve(env().DATA_DIR), 'files', path);
}

function partOf(file: string): string {
  return `${file}.part`;
}
