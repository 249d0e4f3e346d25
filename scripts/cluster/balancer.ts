import { spawn } from 'node:child_process';
import { openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { atEnd } from '../lifetime.ts';

const LONGEST_MS = 30_000;

/** HAProxy before these ports, on one of its own: a server that falls is passed by, one that is back is asked again. */
export async function startBalancer(home: string, port: number, ports: number[]): Promise<string> {
  const file = join(home, 'haproxy.cfg');
  writeFileSync(file, configuration(port, ports));
  const log = openSync(join(home, 'haproxy.log'), 'a');
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', log, log] });
  atEnd(async () => void child.kill('SIGTERM'));
  const base = `http://127.0.0.1:${port}`;
  const deadline = performance.now() + LONGEST_MS;
  while (!(await isWell(base))) {
    if (child.exitCode !== null || performance.now() > deadline) throw new Error('HAProxy does not serve');
    await pause(100);
  }
  return base;
}

/** What nobody has begun is asked of the next one; what may have been done is not asked again. */
function configuration(port: number, ports: number[]): string {
  const servers = ports.map((own, at) => `  server s${at} 127.0.0.1:${own} check inter 1s fall 2 rise 1`);
  return `global
  maxconn 1000
defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout check 5s
  option forwardfor
  option redispatch
  retries 2
  retry-on conn-failure
frontend gatehouse
  bind 127.0.0.1:${port}
  default_backend servers
backend servers
  balance leastconn
  option httpchk GET /healthcheck
${servers.join('\n')}
`;
}

async function isWell(base: string): Promise<boolean> {
  try {
    return (await fetch(`${base}/healthcheck`)).ok;
  } catch {
    return false;
  }
}
