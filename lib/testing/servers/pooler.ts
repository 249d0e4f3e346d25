import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { findFreePort } from '#lib/infra/net/free-port.ts';

/** Where Debian puts it. */
const PGBOUNCER = '/usr/sbin/pgbouncer';

export function isPoolerInstalled(): boolean {
  return existsSync(PGBOUNCER);
}

export type Pooler = {
  /** As the one given, by way of it. */
  url: string;
  stop(): Promise<void>;
};

/** A PgBouncer that gives each transaction one of `size` connections to the database of `url`, whoever asks for it. */
export async function startPooler(url: string, size: number): Promise<Pooler> {
  const home = mkdtempSync(join(tmpdir(), 'gatehouse-pooler-'));
  const port = await findFreePort();
  const file = join(home, 'pgbouncer.ini');
  writeFileSync(file, configuration(new URL(url), port, size), { mode: 0o644 });
  const child = spawn(PGBOUNCER, [...asOwner(), file], { stdio: ['ignore', 'ignore', 'pipe'] });
  process.once('exit', () => child.kill());
  await untilUp(child);
  return {
    url: Object.assign(new URL(url), { host: `127.0.0.1:${port}` }).href,
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** It does not run as root either, but reads its settings before it becomes somebody else. */
function asOwner(): string[] {
  return process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
}

function configuration({ hostname, port: far, pathname, username, password }: URL, port: number, size: number): string {
  const database = pathname.slice(1);
  // It takes no empty one.
  const secret = password && `password='${decodeURIComponent(password)}'`;
  const login = `user=${decodeURIComponent(username)} ${secret}`;
  return `[databases]
${database} = host=${hostname} port=${far} dbname=${database} ${login} connect_query='set statement_timeout = 30000'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${size}
max_client_conn = 500
query_wait_timeout = 50
ignore_startup_parameters = statement_timeout
`;
}

async function untilUp(child: ChildProcess): Promise<void> {
  const said: string[] = [];
  for await (const line of createInterface({ input: child.stderr! })) {
    said.push(line);
    if (line.includes('process up')) return void child.stderr!.resume();
  }
  throw new Error(`PgBouncer does not start:\n${said.join('\n')}`);
}
