import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startNode } from './lifetime.ts';
import { progress, refuse } from './progress.mjs';

const SOURCES = ['app', 'components', 'lib', 'public'];
const FILES = [
  'next.config.mjs',
  'postcss.config.mjs',
  'instrumentation.ts',
  'tsconfig.json',
  'package.json',
  'package-lock.json',
];
const STAMP = '.next/gatehouse-sources';

/** Builds when any source differs from those of the last build. */
export async function buildWhenStale(): Promise<void> {
  const hash = hashSources();
  if (existsSync('.next/BUILD_ID') && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === hash) return;
  await progress('Build the pages', async () => {
    await build();
    writeFileSync(STAMP, hash);
  });
}

function hashSources(): string {
  const hash = createHash('sha256');
  const add = (path: string) => hash.update(`${path}\0`).update(readFileSync(path)).update('\0');
  for (const file of FILES) if (existsSync(file)) add(file);
  for (const folder of SOURCES) {
    const entries = existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : [];
    const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    for (const path of paths.sort()) if (!/\.test\.tsx?$/.test(path)) add(path);
  }
  return hash.digest('hex');
}

async function build(): Promise<void> {
  process.env.NEXT_TELEMETRY_DISABLED = '1';
  const child = startNode(['node_modules/next/dist/bin/next', 'build'], 5_000, 'pipe');
  let output = '';
  child.stdout?.on('data', (text) => (output += text));
  child.stderr?.on('data', (text) => (output += text));
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) refuse(`The build failed:\n${output}`);
}
