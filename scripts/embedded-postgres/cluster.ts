import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import postgres from 'postgres';
import { within } from '#lib/base/within.ts';
import { findFreePort, isFreePort } from '#lib/infra/net/free-port.ts';
import { type Binaries, findBinaries } from './binaries.ts';
import { bufferMemory } from './buffer-memory.ts';
import { initialise } from './initialise.ts';
import { keepPassword } from './keep-password.ts';
import { findOwner, type Owner } from './owner.ts';
import { endPostmaster, isAlive, type Postmaster, readPostmaster } from './postmaster.ts';
import { reach } from './reach.ts';

export type ClusterOptions = {
  /** Holds `postgres/` (the cluster), `postgres-password` and `postgres.log`; and what the server signs in by (as-server.ts). */
  dataDir: string;
  /** False: no fsync, for tests only. */
  durable: boolean;
  /** Where it is to listen, if that is free. */
  port?: number;
};

export type Cluster = {
  /** To the database `gatehouse`, as its owner: by a socket where there is one, which costs both sides a tenth less. */
  url: string;
  /** The same over TCP, for what must be able to stand between. */
  tcpUrl: string;
  pid: number;
  /** `reused`: one that an earlier, killed process had left running. */
  how: 'new' | 'started' | 'reused';
  /** Fast shutdown, unless another process uses the cluster. Resolves to whether it was stopped. */
  release(): Promise<boolean>;
};

const START_LIMIT_MS = 60_000;
const IN_USE_LOCK = 7_310_001;
const ASK_LIMIT_MS = 5000;
const LOOPBACK = '127.0.0.1';
/** macOS has four less than Linux. */
const LONGEST_SOCKET_PATH = 103;

/** The embedded PostgreSQL of a data directory: made when it is not there, taken over when it still runs, started otherwise. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const home = join(options.dataDir, 'postgres');
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 });
  const owner = findOwner(home);
  const binaries = findBinaries(owner);
  const password = keepPassword(options.dataDir, 'postgres-password');
  const fresh = !existsSync(join(home, 'PG_VERSION'));
  if (fresh) initialise(home, binaries, owner, password, options.durable);
  refuseOtherVersion(home, binaries);
  const left = await findRunning(home, password);
  const running = left ?? (await startPostmaster(home, binaries, owner, password, options));
  const tcpUrl = urlOf(LOOPBACK, running.port, password, 'gatehouse');
  const url = hasSocket(home, running.port) ? urlOf(home, running.port, password, 'gatehouse') : tcpUrl;
  const release = await within(START_LIMIT_MS, announceUse(running, password));
  return { url, tcpUrl, pid: running.pid, how: left ? 'reused' : fresh ? 'new' : 'started', release };
}

/** One that was started by an earlier release has none, and a path that is longer than the kernel takes cannot be reached. */
function hasSocket(home: string, port: number): boolean {
  const socket = join(home, `.s.PGSQL.${port}`);
  return Buffer.byteLength(socket) <= LONGEST_SOCKET_PATH && existsSync(socket);
}

function refuseOtherVersion(home: string, binaries: Binaries): void {
  const version = readFileSync(join(home, 'PG_VERSION'), 'utf8').trim();
  if (version === binaries.majorVersion) return;
  throw new Error(
    `${home} was made by PostgreSQL ${version}; this is ${binaries.majorVersion}. Move the data with pg_dump, or choose another DATA_DIR.`,
  );
}

/** A postmaster that a killed process left behind. That it takes our password is the proof that it is ours. */
async function findRunning(home: string, password: string): Promise<Postmaster | undefined> {
  const deadline = Date.now() + START_LIMIT_MS;
  for (;;) {
    const left = readPostmaster(home);
    if (!left) return undefined;
    if (left.ready && (await answers(left.port, password))) return left;
    // It is still starting (recovery after a crash), or on its way down.
    if (Date.now() > deadline)
      throw new Error(
        `Another PostgreSQL (process ${left.pid}) holds ${home} and does not answer. Stop it and start again.`,
      );
    await pause(50);
  }
}

async function startPostmaster(
  home: string,
  binaries: Binaries,
  owner: Owner | undefined,
  password: string,
  options: ClusterOptions,
): Promise<Postmaster> {
  const deadline = Date.now() + START_LIMIT_MS;
  for (;;) {
    const port = options.port && (await isFreePort(options.port)) ? options.port : await findFreePort();
    const child = spawn(binaries.postgres, ['-D', reach(home, owner), '-p', String(port), ...settings(options)], {
      ...owner,
      cwd: home,
      // A session of its own: Ctrl-C in the terminal must reach the server first, and PostgreSQL last.
      detached: true,
      stdio: ['ignore', 'ignore', openSync(join(options.dataDir, 'postgres.log'), 'a', 0o600)],
    });
    child.unref();
    const failed = new Promise<never>((_, reject) => child.once('error', reject));
    failed.catch(() => undefined);
    const started = await Promise.race([
      failed,
      waitUntilReady(home, child.pid, password, () => child.exitCode !== null || child.signalCode !== null, deadline),
    ]);
    if (started) return started;
    // A killed postmaster's last processes may hold its memory for a moment, or another process took the port.
    if (Date.now() > deadline)
      throw new Error(`PostgreSQL did not start; see ${join(options.dataDir, 'postgres.log')}`);
    await pause(200);
  }
}

async function waitUntilReady(
  home: string,
  pid: number | undefined,
  password: string,
  gone: () => boolean,
  deadline: number,
) {
  while (!gone() && Date.now() < deadline) {
    const postmaster = readPostmaster(home);
    if (postmaster?.ready && postmaster.pid === pid && (await answers(postmaster.port, password))) return postmaster;
    await pause(20);
  }
  return undefined;
}

const NOT_DURABLE = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  // As little as can be is written to a log that nothing will ever be recovered from.
  wal_level: 'minimal',
  max_wal_senders: 0,
};

function settings({ durable }: ClusterOptions): string[] {
  const values: Record<string, string | number> = {
    listen_addresses: LOOPBACK,
    // The data directory, which nobody else may enter.
    unix_socket_directories: '.',
    max_connections: 200,
    shared_buffers: durable ? `${bufferMemory()}MB` : '128MB',
    max_wal_size: durable ? '2GB' : '256MB',
    random_page_cost: 1.1,
    // New rows are known to the planner within seconds, not within a minute: one that knows of none reads lists row by row.
    autovacuum_naptime: '5s',
    jit: 'off',
    // Short statements only; and containers have little shared memory.
    max_parallel_workers_per_gather: 0,
    // The log must hold no health data: no statements, no parameters, no key values.
    log_min_error_statement: 'panic',
    log_parameter_max_length_on_error: 0,
    log_error_verbosity: 'terse',
    ...(durable ? {} : NOT_DURABLE),
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

function urlOf(host: string, port: number, password: string, database: string): string {
  return `postgres://gatehouse:${password}@${encodeURIComponent(host)}:${port}/${database}`;
}

async function answers(port: number, password: string): Promise<boolean> {
  const sql = connect(port, password);
  try {
    await within(ASK_LIMIT_MS, sql`select 1`);
    return true;
  } catch {
    return false;
  } finally {
    await sql.end({ timeout: 1 }).catch(() => undefined);
  }
}

function connect(port: number, password: string): postgres.Sql {
  return postgres(urlOf(LOOPBACK, port, password, 'postgres'), {
    max: 1,
    max_lifetime: null,
    connect_timeout: 5,
    fetch_types: false,
    onnotice: () => undefined,
  });
}

/** Every user of the cluster holds a shared lock on it, so the last one out can tell that it is the last. */
async function announceUse({ port, pid }: Postmaster, password: string): Promise<() => Promise<boolean>> {
  const sql = connect(port, password);
  const [database] = await sql`select 1 from pg_database where datname = 'gatehouse'`;
  if (!database) await sql.unsafe('create database gatehouse');
  await sql`select pg_advisory_lock_shared(${IN_USE_LOCK})`;
  const ask = async () => {
    const [row] =
      await sql`select pg_advisory_unlock_shared(${IN_USE_LOCK}), pg_try_advisory_lock(${IN_USE_LOCK}) as alone`;
    return row?.alone === true;
  };
  return async () => {
    // One that was killed may have left a process that takes the question, and answers nothing.
    const alone = isAlive(pid) && (await within(ASK_LIMIT_MS, ask()).catch(() => isAlive(pid)));
    await sql.end({ timeout: 1 }).catch(() => undefined);
    if (alone) await endPostmaster(pid);
    return alone;
  };
}
