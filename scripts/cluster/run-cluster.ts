import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { SERVER_SCOPE } from '#lib/base/ids.ts';
import { findFreePort } from '#lib/infra/net/free-port.ts';
import { breachesOf, openLedger, toTable } from '../faults/ledger.ts';
import { type MailStandIn, startMailStandIn } from '../faults/mail-stand-in.ts';
import { makeProject, type Project } from '../faults/project.ts';
import { settled } from '../faults/run-faults.ts';
import { openSite, type Site } from '../faults/site.ts';
import { verify } from '../faults/verify.ts';
import { MAILS_PER_SECOND, work } from '../faults/work.ts';
import { type Answers, openAnswers } from './answers.ts';
import { startBalancer } from './balancer.ts';
import type { Nodes } from './nodes.ts';
import { type Place, STRIKES, type Working } from './strikes.ts';

/** Between two events: so much is written in good order. */
const CALM_MS = 5000;
/** By chance one of so many projects lies on the node that is wanted, but for once in a million. */
const TRIES = 20;

/** Writes in a project on each of two nodes while one event comes after the other; resolves to what was broken of what was promised. */
export async function runCluster(home: string, nodes: Nodes): Promise<string[]> {
  const mail = await startMailStandIn();
  const { base, servers } = await startServers(home, nodes.url, mail);
  const strong = await nodes.holderOf(SERVER_SCOPE);
  const weak = strong === 1 ? 2 : 1;
  const [hit, spared] = [begin(await makeOn(nodes, base, weak)), begin(await makeOn(nodes, base, strong))];
  const place: Place = { nodes, servers, weak, hit, spared };
  const breaches: string[] = [];
  for (const { name, strike } of STRIKES) {
    await pause(CALM_MS);
    const began = performance.now();
    const before = hit.asked() + spared.asked();
    const struck = await Promise.race([strike(place), hit.fails, spared.fails]);
    breaches.push(...struck.map((breach) => `${name}: ${breach}`));
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    console.log(`✓ ${name}  ${seconds} s, ${hit.asked() + spared.asked() - before} asked meanwhile`);
  }
  await pause(CALM_MS);
  await Promise.all([hit.end(), spared.end()]);
  await settled(nodes.sql);
  for (const { name, working } of [
    { name: 'where a node fell', working: hit },
    { name: 'beside it', working: spared },
  ]) {
    console.log(`\nThe project ${name}; slowest answer ${working.answers.slowestMs()} ms\n`);
    breaches.push(...working.answers.breaches(), ...(await judge(nodes, working, mail)));
  }
  for (const server of servers) await server.stop();
  return breaches;
}

async function startServers(home: string, url: string, mail: MailStandIn) {
  const port = await findFreePort();
  const settings = {
    DATABASE_URL: url,
    BASE_URL: `http://127.0.0.1:${port}`,
    AUTH_SECRET: randomUUID(),
    SUPERADMIN_CLIENT_ID: randomUUID(),
    SUPERADMIN_CLIENT_SECRET: randomUUID(),
    RESEND_API_KEY: 're_stand_in',
    RESEND_BASE_URL: mail.url,
    TRUSTED_PROXIES: '1',
  };
  const servers: Site[] = [];
  for (const name of ['server-1', 'server-2']) {
    mkdirSync(join(home, name));
    servers.push(await openSite(join(home, name), settings));
  }
  await Promise.all(servers.map((server) => server.serves()));
  const base = await startBalancer(
    home,
    port,
    servers.map((server) => Number(new URL(server.base).port)),
  );
  return { base, servers };
}

type Made = { project: Project; answers: Answers };

async function makeOn(nodes: Nodes, base: string, node: number): Promise<Made> {
  for (let tried = 0; tried < TRIES; tried++) {
    const answers = openAnswers();
    const project = await makeProject(base, `p${randomUUID().slice(0, 8)}.example`, answers.hear);
    if ((await nodes.holderOf(project.projectId)) === node) return { project, answers };
  }
  throw new Error(`No project came to lie on node ${node}`);
}

function begin({ project, answers }: Made): Working {
  const ledger = openLedger();
  let isWorking = true;
  // In two projects.
  const working = work(project, ledger, () => isWorking, MAILS_PER_SECOND / 2);
  const fails = working.then(() => []);
  fails.catch(() => undefined);
  return {
    fails,
    project,
    ledger,
    answers,
    asked: () => Object.values(ledger).reduce((sum, entries) => sum + entries.length, 0),
    async end() {
      isWorking = false;
      await working;
    },
  };
}

async function judge({ sql }: Nodes, { project, ledger }: Working, mail: MailStandIn): Promise<string[]> {
  const verdicts = await verify(sql, project.projectId, ledger, mail);
  console.log(toTable(ledger, verdicts));
  return breachesOf(verdicts);
}
