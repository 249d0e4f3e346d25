import { randomBytes, randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { availableParallelism, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Env, parseEnv } from '#lib/base/env.ts';
import { WrongSettings } from '#lib/base/wrong-settings.ts';
import { parseAddress } from '#lib/infra/db/address.ts';
import { refuse, WrongSetting } from './progress.mjs';

export type Settings = Env & { embedded: boolean };

export type Superadmin = { clientId: string; clientSecret: string };

const PORT_WAIT_MS = 3000;

/** Reads `.env`, makes the secrets that are not given and keeps them in DATA_DIR, refuses what is wrong, and fills process.env for the children. `listens`: PORT is to be free. */
export async function prepareSettings(
  nodeEnv: 'production' | 'development',
  { listens = true } = {},
): Promise<Settings> {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const dataDir = resolve(given('DATA_DIR') ?? '.data');
  const embedded = !given('DATABASE_URL');
  const provisional = {
    ...process.env,
    NODE_ENV: nodeEnv,
    DATA_DIR: dataDir,
    DATABASE_URL: given('DATABASE_URL') ?? 'postgres://embedded',
    AUTH_SECRET: given('AUTH_SECRET') ?? 'x'.repeat(32),
    SERVER_PROCESSES: given('SERVER_PROCESSES') ?? String(fittingProcesses()),
  };
  const settings = check(provisional);
  if (listens) await refuseTakenPort(settings.PORT);
  openDataDir(dataDir);
  Object.assign(process.env, {
    NODE_ENV: nodeEnv,
    DATA_DIR: dataDir,
    NEXT_TELEMETRY_DISABLED: '1',
    PORT: String(settings.PORT),
    SERVER_PROCESSES: String(settings.SERVER_PROCESSES),
    AUTH_SECRET: given('AUTH_SECRET') ?? keepSecret(dataDir),
  });
  return { ...settings, embedded };
}

/** The super-admin client, made and kept in DATA_DIR unless the settings name it. Returns it only when this start made it: it is shown once. */
export function prepareSuperadmin({ DATA_DIR, SUPERADMIN_CLIENT_ID }: Settings): Superadmin | undefined {
  if (SUPERADMIN_CLIENT_ID) return undefined;
  const file = join(DATA_DIR, 'superadmin.json');
  const isNew = !existsSync(file);
  const made: Superadmin = { clientId: randomUUID(), clientSecret: randomBytes(32).toString('base64url') };
  if (isNew) writeFileSync(file, `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600 });
  const kept = JSON.parse(readFileSync(file, 'utf8')) as Superadmin;
  Object.assign(process.env, { SUPERADMIN_CLIENT_ID: kept.clientId, SUPERADMIN_CLIENT_SECRET: kept.clientSecret });
  return isNew ? kept : undefined;
}

const GIB = 2 ** 30;
/** So many fit into the 100 connections that a PostgreSQL takes by default (lib/infra/db/pool/pool-sizes.ts). */
const MOST_BY_DEFAULT = 4;

/** One to two cores, which leaves the other for PostgreSQL and bots, and one to a GiB: 1 on small machines. */
export function fittingProcesses(
  cores = availableParallelism(),
  // In a container, what it may have.
  memory = Math.min(process.constrainedMemory() || totalmem(), totalmem()),
): number {
  return Math.max(1, Math.min(MOST_BY_DEFAULT, Math.floor(cores / 2), Math.floor(memory / GIB)));
}

/** An empty value means "not set". */
function given(name: string): string | undefined {
  return process.env[name] || undefined;
}

function check(source: Record<string, string | undefined>): Env {
  try {
    const settings = parseEnv(source);
    parseAddress(settings.DATABASE_URL);
    for (const name of ['DATABASE_DIRECT_URL', 'DATABASE_OWNER_URL'] as const) {
      const url = settings[name];
      if (url && !given('DATABASE_URL')) throw new WrongSettings(`${name}: goes with DATABASE_URL`);
      if (url) parseAddress(url, name);
    }
    return settings;
  } catch (error) {
    throw new WrongSetting(error instanceof Error ? error.message : String(error));
  }
}

function openDataDir(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    chmodSync(dataDir, 0o700);
  } catch (error) {
    refuse(
      `DATA_DIR: ${dataDir} cannot be written (${(error as NodeJS.ErrnoException).code}). It may belong to another user.`,
    );
  }
}

function keepSecret(dataDir: string): string {
  const file = join(dataDir, 'auth-secret');
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString('base64url'), { mode: 0o600 });
  return readFileSync(file, 'utf8').trim();
}

/** A server whose launcher was killed a moment ago needs a moment to go. */
async function refuseTakenPort(port: number): Promise<void> {
  const deadline = Date.now() + PORT_WAIT_MS;
  for (;;) {
    const code = await tryPort(port);
    if (!code) return;
    if (code !== 'EADDRINUSE') refuse(`PORT: ${port} cannot be used (${code}).`);
    if (Date.now() > deadline) refuse(`PORT: ${port} is in use. Stop what listens there, or set another PORT.`);
    await pause(100);
  }
}

function tryPort(port: number): Promise<string | undefined> {
  return new Promise((done) => {
    const probe = createServer().once('error', (error: NodeJS.ErrnoException) => done(error.code));
    probe.listen(port, () => probe.close(() => done(undefined)));
  });
}
