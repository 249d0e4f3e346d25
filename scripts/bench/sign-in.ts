import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { decodeJwt } from 'jose';
import { encode } from 'next-auth/jwt';
import { progress, refuse } from '../progress.mjs';
import { ask, start } from './child.ts';
import { benchKnownOrNot } from './known-or-not.ts';
import { openProject, PASSWORD } from './open-project.ts';
import { request } from './request.ts';
import { type Job, type Measured, ONCE, type Scenario } from './scenario.ts';
import { ms, rate, toMarkdown } from './table.ts';

const CONNECTIONS = [1, 8, 32];
const SECONDS = 4;
const STORM_CONNECTIONS = 32;
const READERS = 8;
/** Those under way when a job ends have no answer, and are lost: of each job as many as it has connections. */
const REFRESH_TOKENS = 150;
const CALLBACK = 'https://app.example.com/callback';
const VERIFIER = 'p'.repeat(43);
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const JSON_TYPE = { 'content-type': 'application/json' };

type Made = { scenarios: Scenario[]; read: Scenario; storm: Scenario; people: string[] };

/** `npm run bench -- --sign-in`: what signing in costs: tokens, refreshes, introspection, codes; and what reads feel of a sign-in storm. */
export async function benchSignIn(base: string): Promise<void> {
  const options = { env: { TRUSTED_PROXIES: '1' } };
  await progress('Production server', () => start('../server.ts', options));
  const { scenarios, read, storm, people } = await progress('A project with an app', () => make(base));
  const [load, stormLoad] = [await start('bench/load.ts'), await start('bench/load.ts')];
  const lines: string[][] = [];
  for (const scenario of scenarios) {
    await progress(scenario.name, async () => lines.push(...(await measureAll(load, scenario, base))));
  }
  const felt = await progress('Reads during a sign-in storm', () => inStorm([load, stormLoad], read, storm, base));
  const apart = await progress('Known addresses and unknown ones', () => benchKnownOrNot(base, people));
  console.log(`\n${toMarkdown(['', 'Connections', 'Requests/s', 'p50 ms', 'p99 ms'], [...lines, ...felt])}`);
  console.log(`\n${apart}`);
}

async function measureAll(load: ChildProcess, scenario: Scenario, base: string): Promise<string[][]> {
  const lines: string[][] = [];
  for (const connections of CONNECTIONS) {
    await measure(load, scenario, base, connections, 1);
    const measured = await measure(load, scenario, base, connections, SECONDS);
    lines.push(toLine(connections === 1 ? scenario.name : '', connections, measured));
  }
  return lines;
}

async function inStorm([load, other]: [ChildProcess, ChildProcess], read: Scenario, storm: Scenario, base: string) {
  await measure(load, read, base, READERS, 1);
  const quiet = await measure(load, read, base, READERS, SECONDS);
  const [signIns, inStorm] = await Promise.all([
    measure(other, storm, base, STORM_CONNECTIONS, SECONDS + 2),
    measure(load, read, base, READERS, SECONDS),
  ]);
  return [
    toLine('Patient read, quiet', READERS, quiet),
    toLine('Patient read, in the storm', READERS, inStorm),
    toLine('… of sign-ins with a password', STORM_CONNECTIONS, signIns),
  ];
}

async function measure(load: ChildProcess, scenario: Scenario, url: string, connections: number, seconds: number) {
  const measured = await ask<Job, Measured>(load, { url, scenario, connections, seconds });
  if (measured.failed > 0) refuse(`${scenario.name}: ${measured.failed} requests failed`);
  return measured;
}

function toLine(name: string, connections: number, { perSecond, p50, p99 }: Measured): string[] {
  return [name, String(connections), rate(perSecond), ms(p50), ms(p99)];
}

async function make(base: string): Promise<Made> {
  const { projectId, credentials, signIn, owner } = await openProject(base);
  const token = await signIn();
  const client = { name: 'App', redirectUris: [CALLBACK] };
  const app = await request(base, 'POST', `admin/projects/${projectId}/client`, { body: client, token });
  const patient = await request(base, 'POST', 'fhir/R4/Patient', { body: { resourceType: 'Patient' }, token });
  const proof = `client_id=${app.id}&client_secret=${app.secret}`;
  const cookie = await browserOf(owner.token);
  const path = `/oauth2/authorize?${authorizationOf(app.id)}`;
  await consent(base, path, cookie);
  const grants = Array.from({ length: REFRESH_TOKENS }, () => refreshToken(base, path, cookie, proof));
  const post = { method: 'POST', headers: FORM, answer: 'fixed' } as const;
  const people = await invitePeople(base, `admin/projects/${projectId}`, token);
  const login = { email: ONCE, password: PASSWORD, codeChallenge: VERIFIER, codeChallengeMethod: 'plain' };
  return {
    scenarios: [
      { name: 'Token by secret', path: '/oauth2/token', body: credentials, ...post },
      {
        name: 'Refresh',
        path: '/oauth2/token',
        body: `grant_type=refresh_token&${proof}&refresh_token=${ONCE}`,
        once: await Promise.all(grants),
        ...post,
      },
      { name: 'Introspect', path: '/oauth2/introspect', body: `${proof}&token=${token}`, ...post },
      { name: 'Authorize to code', path, method: 'GET', headers: { cookie }, answer: 'fixed', redirects: true },
    ],
    read: {
      name: 'Patient read',
      method: 'GET',
      path: `/fhir/R4/Patient/${patient.id}`,
      headers: { authorization: `Bearer ${token}` },
      answer: 'rows',
    },
    storm: {
      name: 'Sign-in with a password',
      method: 'POST',
      path: '/auth/login',
      headers: JSON_TYPE,
      body: JSON.stringify(login),
      answer: 'fixed',
      inTurn: people,
      fromAnywhere: true,
    },
    people,
  };
}

/** As many as wait at once and more: of one account ten passwords at once are guesses. */
function invitePeople(base: string, admin: string, token: string): Promise<string[]> {
  const invited = Array.from({ length: STORM_CONNECTIONS }, async (_, at) => {
    const email = `person-${at}@bench.example`;
    const person = { resourceType: 'Practitioner', firstName: 'Bench', lastName: 'Person', email, password: PASSWORD };
    await request(base, 'POST', `${admin}/invite`, { body: { ...person, scope: 'server', sendEmail: false }, token });
    return email;
  });
  return Promise.all(invited);
}

function authorizationOf(clientId: string): URLSearchParams {
  return new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: CALLBACK,
    scope: 'openid offline',
    state: 's-1',
    code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
    code_challenge_method: 'S256',
  });
}

/** The cookie that the console would have of this person. */
async function browserOf(token: string): Promise<string> {
  const { login_id: loginId, project: projectId } = decodeJwt(token);
  const session = await encode({ token: { loginId, projectId }, secret: process.env.AUTH_SECRET ?? '' });
  return `next-auth.session-token=${session}`;
}

async function consent(base: string, path: string, cookie: string): Promise<void> {
  const page = await follow(base, path, cookie);
  const response = await fetch(`${base}/auth/authorization`, {
    method: 'POST',
    headers: { cookie, 'sec-fetch-site': 'same-origin', ...JSON_TYPE },
    body: JSON.stringify({ request: page.search.slice(1), decision: 'allow' }),
  });
  if (!response.ok) throw new Error(`The consent was answered ${response.status}: ${await response.text()}`);
}

async function refreshToken(base: string, path: string, cookie: string, proof: string): Promise<string> {
  const code = (await follow(base, path, cookie)).searchParams.get('code');
  const form = `grant_type=authorization_code&${proof}&code=${code}&code_verifier=${VERIFIER}&redirect_uri=${CALLBACK}`;
  return (await request(base, 'POST', 'oauth2/token', { form })).refresh_token;
}

/** Where the browser is sent. */
async function follow(base: string, path: string, cookie: string): Promise<URL> {
  const response = await fetch(`${base}${path}`, { headers: { cookie }, redirect: 'manual' });
  const location = response.headers.get('location');
  if (location === null) throw new Error(`GET ${path} answered ${response.status}: ${await response.text()}`);
  return new URL(location, base);
}
