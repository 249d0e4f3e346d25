import { env } from '#lib/base/env.ts';
import { AppError } from '#lib/base/errors.ts';
import { allowsHost } from '#lib/protocol/bots/allowed-hosts.ts';
import type { FetchStub, Stubs } from '#lib/protocol/bots/dry-run.ts';
import { allOk } from '#lib/protocol/fhir/outcome.ts';
import { hostRefused } from '../runs/fetch/fetch-for-bot.ts';

/** Undefined for a call that is answered as in every run. */
export type Stubbed = { target: string | null; answer: () => unknown };

/** What leaves us: never done in a dry run, but answered by what the request says, or refused; as in a run, where `hosts` has not the address. */
export function answerByStub(
  method: string,
  args: readonly unknown[],
  stubs: Stubs,
  hosts: readonly string[] | undefined,
): Stubbed | undefined {
  if (method === 'fetch') return byFetch(args, stubs.fetch ?? [], hosts);
  if (method === 'sendEmail' || isMail(method, args)) return { target: null, answer: () => byMail(stubs) };
  if (method === 'executeBot') return { target: null, answer: () => refuse('run another bot') };
  return undefined;
}

/** By the peer's client, which posts it to a route of ours. */
function isMail(method: string, [request]: readonly unknown[]): boolean {
  const { path } = (request ?? {}) as Record<string, unknown>;
  if (method !== 'api' || typeof path !== 'string') return false;
  // As the route is found by it: `/email/v1/./send` is the same.
  return URL.parse(path, 'https://own.example')?.pathname.endsWith('/email/v1/send') === true;
}

function byMail({ mail = false }: Stubs): unknown {
  return mail ? allOk() : refuse('send mail: say stubs.mail, and it is answered as if it had');
}

/** Whether one of these names an address of ours, and says what is answered there; not one that is for all addresses. */
export function namesOwn(method: string, args: readonly unknown[], { fetch = [] }: Stubs): boolean {
  if (method !== 'fetch') return false;
  const ours = fetch.filter(({ url }) => url.startsWith(`${env().BASE_URL}/`));
  return findStub(toRequest(args), ours) !== undefined;
}

function findStub(
  { url, method }: { url: string; method: string },
  stubs: readonly FetchStub[],
): FetchStub | undefined {
  return stubs.find((each) => fits(each.url, url) && (each.method === undefined || each.method === method));
}

function byFetch(args: readonly unknown[], stubs: readonly FetchStub[], hosts: readonly string[] | undefined): Stubbed {
  const { url, method } = toRequest(args);
  const stub = findStub({ url, method }, stubs);
  const address = URL.parse(url);
  const target = `${method} ${address?.host ?? 'an address'}`;
  if (address && !allowsHost(hosts, address.hostname)) {
    const { code, message: text } = hostRefused(address.hostname);
    return { target, answer: () => ({ failed: { code, text } }) };
  }
  if (!stub) return { target, answer: () => refuse(`fetch: no stub answers ${target}`) };
  const { status, headers = {}, body: text = '' } = stub;
  const answer = { url, status, statusText: '', headers: Object.entries(headers), isRedirected: false, text };
  return { target, answer: () => answer };
}

function fits(pattern: string, url: string): boolean {
  return pattern.endsWith('*') ? url.startsWith(pattern.slice(0, -1)) : url === pattern;
}

function toRequest([first, second]: readonly unknown[]): { url: string; method: string } {
  const given = (typeof first === 'object' && first !== null ? first : (second ?? {})) as Record<string, unknown>;
  const url = typeof first === 'string' ? first : given.url;
  const method = typeof given.method === 'string' ? given.method.toUpperCase() : 'GET';
  return { url: typeof url === 'string' ? url : '', method };
}

function refuse(what: string): never {
  throw new AppError('business-rule', `A dry run does not ${what}`);
}
