import { readdirSync, readFileSync } from 'node:fs';
import { IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import { Socket } from 'node:net';
import { join } from 'node:path';
import makeFhirJs from 'fhir.js';
import { Client as FhirKit } from 'fhir-kit-client';
import smart from 'fhirclient';
import { expect, it } from 'vitest';
import { makeCli } from './run-cli.ts';

/** Every public call of the clients that others publish is made by a test in this folder, or stands here with the reason. */
const here = import.meta.dirname;
const sources = readdirSync(here)
  .filter((name) => name.endsWith('.alone.test.ts') || name.endsWith('-project.ts'))
  .map((name) => readFileSync(join(here, name), 'utf8'));

type Left = Record<string, string>;

function expectEach(calls: Iterable<string>, left: Left, isMade: (call: string) => boolean): void {
  const all = [...new Set(calls)];
  const named = Object.values(left).flatMap((names) => names.split(', '));
  expect(all.filter((call) => !isMade(call) && !named.includes(call))).toEqual([]);
  expect(named.filter((call) => !all.includes(call))).toEqual([]);
}

/** In a test that has this client, and not another whose call has the same name. */
function isCalledBy(...marks: string[]): (name: string) => boolean {
  const its = sources.filter((source) => marks.some((mark) => source.includes(mark)));
  expect(its.length).toBeGreaterThan(0);
  return (name) => its.some((source) => new RegExp(`\\.${name}[(<]`).test(source));
}

/** Of an object and what it inherits. */
function methodsOf(one: object): string[] {
  const names: string[] = [];
  for (let it = one; it !== Object.prototype; it = Object.getPrototypeOf(it)) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(it))) {
      if (typeof value === 'function' && name !== 'constructor' && !name.startsWith('_')) names.push(name);
    }
  }
  return names;
}

it('MedplumClient', () => {
  const declared = readFileSync(
    createRequire(import.meta.url)
      .resolve('@medplum/core')
      .replace(/cjs\/index\.cjs$/, 'cjs/index.d.ts'),
    'utf8',
  );
  const [, body = ''] = /export declare class MedplumClient [^{]*\{([\s\S]*?)\n\}/.exec(declared) ?? [];
  const methods = [...body.matchAll(/^ {4}(?!private|protected)(?:get )?(\w+)[(<]/gm)].map(([, name]) => name!);
  expect(methods.length).toBeGreaterThan(100);
  const left = {
    'asks no server':
      'isInitialized, getInitPromise, getBaseUrl, getAuthorizeUrl, getTokenUrl, getLogoutUrl, getFhircastHubUrl, getCdsServicesUrl, getDefaultHeaders, clear, clearActiveLogin, invalidateUrl, invalidateAll, invalidateSearches, notifyResourceModified, ensureCodeChallenge, getExternalAuthRedirectUri, fhirSearchUrl, getCached, getCachedReference, setActiveLogin, isAuthenticated, getLogins, isLoading, getProjectMembership, getUserConfiguration, rateLimitStatus, setLogLevel, getLogLevel, setVerbose, unsubscribeFromCriteria, getMasterSubscriptionEmitter, keyValue, startPkce, wrappedFetch',
    'leads a browser elsewhere, which e2e does': 'signOutWithRedirect, signInWithExternalAuth',
    'of Google, whose sign-in has its own tests': 'startGoogleLogin',
    'XMLHttpRequest, which Node has not': 'uploadwithProgress',
    'asks by GraphQL': 'requestSchema',
    'a service that is not FHIR’s':
      'callCdsService, fhircastSubscribe, fhircastUnsubscribe, fhircastConnect, fhircastPublish, fhircastGetContext',
  };
  expectEach(
    methods.filter((name) => name !== 'constructor'),
    left,
    isCalledBy('MedplumClient', 'peer-project.ts'),
  );
});

it('fhir-kit-client', () => {
  expectEach(methodsOf(FhirKit.prototype), { 'others call it': 'baseSearch' }, isCalledBy('fhir-kit-client'));
});

it('fhir.js', () => {
  const client = makeFhirJs({ baseUrl: 'http://localhost', auth: { user: '', pass: '' } });
  const calls = Object.entries(client).flatMap(([name, its]) =>
    typeof its === 'function' ? [name] : Object.keys(its),
  );
  expectEach(calls, { 'only DSTU2 and before had it': 'document, profile, validate' }, isCalledBy('fhir.js'));
});

it('fhirclient', () => {
  const none = async () => undefined as never;
  const sdk = smart(new IncomingMessage(new Socket()) as never, undefined as never, {
    get: none,
    set: none,
    unset: none,
  });
  const client = sdk.client({ serverUrl: 'http://localhost' });
  const calls = [sdk, client, client.patient, client.encounter, client.user].flatMap(methodsOf);
  expectEach(
    calls,
    {
      'asks no server':
        'getPatientId, getEncounterId, getIdToken, getUserId, getUserType, getAuthorizationHeader, getState, getRequestDefaults, byCode, byCodes, getPath, connect',
      'others call it': 'resolveRef, resolveReferences, fetchReferences',
      'authorize and ready in one, of a page of its own': 'init',
    },
    isCalledBy('fhirclient'),
  );
});

it('@medplum/cli', async () => {
  const cli = await makeCli();
  try {
    const commandsOf = async (...of: string[]) => {
      const [, listed = ''] = (await cli.run(...of, '--help')).output.split('\nCommands:\n');
      return [...listed.matchAll(/^ {2}([a-z][\w-]*)/gm)].map(([, name]) => name!).filter((name) => name !== 'help');
    };
    const top = await commandsOf();
    const groups = ['project', 'bulk', 'bot', 'agent', 'profile', 'aws', 'hl7'];
    const inner = await Promise.all(
      groups.map(async (group) => (await commandsOf(group)).map((name) => `${group} ${name}`)),
    );
    const commands = [...top.filter((name) => !groups.includes(name)), ...inner.flat()];
    expect(commands.length).toBeGreaterThan(25);
    const left = {
      'of their cloud, not of a server':
        'aws init, aws list, aws describe, aws update-config, aws update-server, aws update-app, aws update-bucket-policies',
      'their agents, which contract §5.6 leaves out':
        'agent status, agent ping, agent push, agent reload-config, agent upgrade',
      'keeps a file at home': 'profile set, profile remove, profile list, profile describe',
      'listens itself': 'hl7 listen',
    };
    const isRun = (command: string) => {
      const words = command.split(' ').map((word) => `'${word}'`);
      return sources.some((source) => new RegExp(`(run|json)\\(\\s*${words.join(',\\s*')}`).test(source));
    };
    expectEach(commands, left, isRun);
  } finally {
    await cli.remove();
  }
});
