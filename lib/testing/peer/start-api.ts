import { fork } from 'node:child_process';
import { findFreePort } from '#lib/infra/net/free-port.ts';

export type PeerApi = { baseUrl: string; stop(): Promise<void> };

/** The API in a process of its own, on this test file's database: what a client on the network meets. */
export async function startApi(settings: Record<string, string> = {}): Promise<PeerApi> {
  const port = await findFreePort();
  const baseUrl = `http://localhost:${port}`;
  const child = fork(`${import.meta.dirname}/api-server.ts`, [], {
    env: { ...process.env, NODE_ENV: 'production', PORT: String(port), BASE_URL: baseUrl, ...settings },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve());
    child.once('exit', (code) => reject(new Error(`The API ended with ${code}`)));
  });
  return {
    baseUrl,
    stop() {
      child.kill();
      return ended;
    },
  };
}
