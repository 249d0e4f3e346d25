import { appendFileSync, chownSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import { findFreePort } from '#lib/infra/net/free-port.ts';
import { atEnd } from '../lifetime.ts';
import { runCommand } from '../run-command.ts';
import { POSTGRES } from './install.ts';

/** A PostgreSQL of Debian's. */
export type Server = { dir: string; port: number };

const SETTINGS = `
listen_addresses = '127.0.0.1'
max_connections = 300
wal_level = logical
max_prepared_transactions = 300
max_wal_senders = 20
max_replication_slots = 20
log_lock_waits = on
`;
export const DATABASE = 'gatehouse';

/** In a folder `name` of `home`, until the end. `more`: of its settings; with `fsync = off` a server that is killed loses nothing, a machine that falls does. */
export async function startServer(home: string, name: string, more: string): Promise<Server> {
  const server = { dir: join(home, name), port: await findFreePort() };
  chownSync(home, Number((await runCommand('id', ['-u', 'postgres'])).output), -1);
  await as('initdb', ['-D', server.dir, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8']);
  const own = `port = ${server.port}\nunix_socket_directories = '${home}'\n`;
  appendFileSync(join(server.dir, 'postgresql.conf'), SETTINGS + own + more);
  atEnd(() => control(server, 'stop', '-m', 'immediate').catch(() => undefined));
  await control(server, 'start');
  return server;
}

export function urlOf({ port }: Server, database = DATABASE): string {
  return `postgres://postgres@127.0.0.1:${port}/${database}`;
}

export async function inDatabase(server: Server, database: string, statement: string): Promise<void> {
  const sql = postgres(urlOf(server, database), { max: 1, onnotice: () => undefined });
  await sql.unsafe(statement).finally(() => sql.end({ timeout: 1 }));
}

export function control({ dir }: Server, ...what: string[]): Promise<void> {
  return as('pg_ctl', ['-D', dir, '-l', `${dir}.log`, '-w', '-t', '60', ...what]);
}

/** PostgreSQL does not run as root. Its output goes nowhere: what it starts keeps the pipe open. */
async function as(program: string, args: string[]): Promise<void> {
  const command = [join(POSTGRES, 'bin', program), ...args].map((word) => `'${word}'`).join(' ');
  const { code } = await runCommand('runuser', [
    '-u',
    'postgres',
    '--',
    'sh',
    '-c',
    `cd / && ${command} >/dev/null 2>&1`,
  ]);
  if (code === 0) return;
  const log = `${args[1]}.log`;
  throw new Error(`${program} failed: ${existsSync(log) ? readFileSync(log, 'utf8').slice(-500) : code}`);
}
