import { Agent, get } from 'node:http';
import { expect, test } from '../fixtures.ts';
import { withOwnServer } from '../own-server.ts';

const server = withOwnServer(4, { SERVER_PROCESSES: '2', METRICS_TOKEN: 'a-token-of-this-test' });

/** A status, or how the connection broke. */
function ask(url: string, agent?: Agent): Promise<string> {
  return new Promise((resolve) => {
    get(url, { agent: agent ?? false }, (answer) => {
      answer.resume().once('end', () => resolve(String(answer.statusCode)));
    }).once('error', (error: NodeJS.ErrnoException) => resolve(String(error.code)));
  });
}

/** Asks for these all the time, on connections that are kept. What it returns ends that, and resolves to what came. */
function askAllTheTime(urls: string[]): () => Promise<Set<string>> {
  const agent = new Agent({ keepAlive: true });
  const came = new Set<string>();
  let isOver = false;
  const asking = urls.map(async (url) => {
    while (!isOver) came.add(await ask(url, agent));
  });
  return async () => {
    isOver = true;
    await Promise.all(asking);
    agent.destroy();
    return came;
  };
}

/** Each has answered for the API and for a page, and whichever is asked tells of both. */
async function expectBoth(base: string | undefined): Promise<void> {
  await expect(async () => {
    await Promise.all(['/signin', '/healthcheck'].map((path) => ask(`${base}${path}`)));
    const told = await fetch(`${base}/metrics`, { headers: { authorization: 'Bearer a-token-of-this-test' } });
    const text = await told.text();
    for (const process of [1, 2]) {
      expect(text).toContain(`gatehouse_process_up{process="${process}"} 1`);
      for (const route of ['page', '/healthcheck'])
        expect(text).toContain(`_count{method="GET",route="${route}",status="200",process="${process}"}`);
    }
    expect(text.match(/^gatehouse_database_up/gm)).toHaveLength(1);
  }).toPass({ timeout: 60_000 });
}

test('two processes on one port: each has the API and the pages, and whichever is asked tells of both', async ({
  baseURL,
}) => {
  await expectBoth(baseURL);
});

test('replaced one after the other, nobody notices', async ({ baseURL }) => {
  test.setTimeout(180_000);
  const before = server.processes();
  const paths = ['/fhir/R4/metadata', '/fhir/R4/metadata', '/healthcheck', '/signin'];
  const end = askAllTheTime(paths.map((path) => `${baseURL}${path}`));
  server.reload();
  await expect
    .poll(() => server.processes().filter((pid) => before.includes(pid)).length, { timeout: 120_000 })
    .toBe(0);
  expect(await end()).toEqual(new Set(['200']));
  expect(server.processes()).toHaveLength(2);
});

test('while one is killed and comes back, the other serves', async ({ baseURL }) => {
  test.setTimeout(180_000);
  const [first = 0, second = 0] = server.processes();
  for (const killed of [second, first]) {
    process.kill(killed, 'SIGKILL');
    for (let at = 0; at < 10; at += 1) expect(await ask(`${baseURL}/fhir/R4/metadata`)).toBe('200');
    // The pages are one process's: asked while it starts they are waited for, and on a busy machine asked for again.
    await expect.poll(() => ask(`${baseURL}/signin`), { timeout: 60_000 }).toBe('200');
    await expectBoth(baseURL);
  }
});

test('a connection that was given to a process, which is killed before it takes it, is dealt to another', async ({
  baseURL,
}) => {
  const [, stuck = 0] = server.processes();
  process.kill(stuck, 'SIGSTOP');
  const came: string[] = [];
  const asked = Array.from({ length: 4 }, async () => came.push(await ask(`${baseURL}/healthcheck`)));
  await expect.poll(() => came).toEqual(['200', '200', '200']);
  process.kill(stuck, 'SIGKILL');
  await Promise.all(asked);
  expect(came).toEqual(['200', '200', '200', '200']);
  await expect.poll(() => server.processes().length, { timeout: 60_000 }).toBe(2);
});
