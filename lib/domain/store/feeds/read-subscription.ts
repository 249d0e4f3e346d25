import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import { env } from '#lib/base/env.ts';
import { AppError } from '#lib/base/errors.ts';
import { fhirBase } from '#lib/base/fhir-base.ts';
import { isPublicAddress } from '#lib/infra/net/public-address.ts';
import { MOST_ATTEMPTS } from '#lib/protocol/bots/event-attempts.ts';
import type { Expr } from '#lib/protocol/fhir/search/ir.ts';
import { parseSearch } from '#lib/protocol/fhir/search/parse-search.ts';
import { isIdentityType, isResourceType } from '#lib/protocol/fhir/type-ids.ts';

export type Op = 'create' | 'update' | 'delete';

/** R4's Subscription, as far as it is judged here. */
export type Subscription = {
  resourceType: 'Subscription';
  status?: string;
  criteria?: string;
  end?: string;
  error?: string;
  channel?: { type?: string; endpoint?: string; payload?: string; header?: string[] };
  extension?: {
    url?: string;
    valueCode?: unknown;
    valueInteger?: unknown;
    valueString?: unknown;
    valueBoolean?: unknown;
  }[];
};

/** A subscription, understood. `ops`: which changes it hears of; `attempts`: how often each is tried. */
export type Feed = {
  type: string;
  filter: Expr;
  ops: readonly Op[];
  /** FHIRPath over `%previous` and `%current`, which must be true of the change, too. */
  expression: string | undefined;
  /** An address; `Bot/<id>` or `Bot/$execute?identifier=`, which is run; of a WebSocket `ws:` and what those have in common that wait for the same. */
  endpoint: string;
  headers: Record<string, string>;
  hasPayload: boolean;
  secret: string | undefined;
  attempts: number;
  /** Of one resource one after the other, whatever is tried again. */
  isOrdered: boolean;
  /** Epoch milliseconds. */
  end: number;
};

const MAX_CRITERIA = 4096;
const MAX_HEADERS = 20;
const MAX_HEADER = 2048;
const MAX_ENDPOINT = 2048;
const MAX_EXPRESSION = 4096;
const DEFAULT_ATTEMPTS = 4;
/** What a bot does wrong once it mostly does wrong again. */
const BOT_ATTEMPTS = 1;

/** Bytes and logs are no records; and a subscription to subscriptions would hear of its own errors. */
const UNHEARD = new Set(['AuditEvent', 'Binary', 'Bundle', 'OperationOutcome', 'Parameters', 'Subscription']);
/** All others that begin so steer a search and are no condition. */
const CONDITIONS = new Set(['_content', '_id', '_lastUpdated', '_profile', '_security', '_source', '_tag', '_text']);
/** Ours to say, or of the connection. */
const OWN_HEADERS =
  /^(?:host|connection|content-length|content-type|transfer-encoding|upgrade|te|trailer|keep-alive|expect|proxy-.*|accept|x-signature|x-medplum-.*)$/i;
/** On a Subscription: what it is told of one resource comes in the order of its versions, also where one is tried again. */
const ORDERED = 'urn:gatehouse:subscription-ordered';
const PEER = /^https?:\/\/(?:www\.)?medplum\.com\/fhir\/StructureDefinition\//;

/** Whether changes of a type may be subscribed to at all. */
export function isHeard(type: string): boolean {
  return !UNHEARD.has(type) && !isIdentityType(type);
}

/** Throws 422 with the element that cannot be honoured, 400 for a search that is none. */
export function readSubscription(projectId: string, subscription: Subscription): Feed {
  const { type, filter } = readCriteria(projectId, subscription.criteria ?? '');
  const { channel = {}, end } = subscription;
  if (channel.type !== 'rest-hook' && channel.type !== 'websocket')
    throw refused('channel.type', `${channel.type} is not supported: only rest-hook and websocket are`);
  const { payload } = channel;
  if (payload !== undefined && payload !== 'application/fhir+json' && payload !== 'application/json')
    throw refused('channel.payload', `${payload} is not supported: only application/fhir+json is`);
  const isSocket = channel.type === 'websocket';
  if (isSocket) refuseForSockets(subscription);
  const { attempts, ...extensions } = readExtensions(subscription.extension ?? []);
  const endpoint = isSocket ? socketFeed(subscription, extensions) : readEndpoint(channel.endpoint ?? '');
  return {
    type,
    filter,
    endpoint,
    headers: readHeaders(channel.header ?? []),
    hasPayload: payload !== undefined,
    end: end === undefined ? Number.POSITIVE_INFINITY : Date.parse(end),
    attempts: attempts ?? (endpoint.startsWith(BOT) ? BOT_ATTEMPTS : DEFAULT_ATTEMPTS),
    ...extensions,
  };
}

export function isSocketFeed({ endpoint }: Pick<Feed, 'endpoint'>): boolean {
  return endpoint.startsWith(SOCKET);
}

const SOCKET = 'ws:';

function socketFeed({ criteria = '' }: Subscription, { ops }: Pick<Feed, 'ops'>): string {
  const hash = createHash('sha256').update(`${ops.join()} ${criteria}`).digest('base64url');
  return `${SOCKET}${hash.slice(0, 16)}`;
}

/** What says where and how often is of no use where nobody is called. */
function refuseForSockets({ channel = {}, extension = [] }: Subscription): void {
  for (const name of ['endpoint', 'header'] as const) {
    if (channel[name] !== undefined) throw refused(`channel.${name}`, 'A websocket has none');
  }
  const isOther = (url: string) => url === ORDERED || (PEER.test(url) && !url.endsWith('-supported-interaction'));
  const at = extension.findIndex(({ url = '' }) => isOther(url));
  if (at >= 0) throw refused(`extension[${at}]`, 'A websocket knows subscription-supported-interaction alone');
}

function readCriteria(projectId: string, criteria: string): { type: string; filter: Expr } {
  if (criteria.length > MAX_CRITERIA) throw refused('criteria', `It has more than ${MAX_CRITERIA} characters`);
  const question = criteria.indexOf('?');
  const type = question < 0 ? criteria : criteria.slice(0, question);
  if (!isResourceType(type)) throw refused('criteria', 'It begins with a resource type: Type?parameter=value');
  if (!isHeard(type)) throw refused('criteria', `Changes of ${type} are not told to subscriptions`);
  const params = question < 0 ? [] : [...new URLSearchParams(criteria.slice(question + 1))];
  const other = params.find(([name]) => name.startsWith('_') && !CONDITIONS.has(name.split(':')[0]!));
  if (other) throw refused('criteria', `${other[0]} is not supported in the criteria of a subscription`);
  try {
    return { type, filter: parseSearch(type, params, projectId, { baseUrl: fhirBase(), isJudging: true }).filter };
  } catch (error) {
    if (error instanceof AppError) throw refused('criteria', error.message);
    throw error;
  }
}

const BOT = 'Bot/';
const BY_IDENTIFIER = 'Bot/$execute?identifier=';

/** How the bot is named that an endpoint runs: by its id or its identifier (`system|value`). Undefined for an address. */
export function botOf({ endpoint }: Pick<Feed, 'endpoint'>): { id: string } | { identifier: string } | undefined {
  if (endpoint.startsWith(BY_IDENTIFIER))
    return { identifier: new URLSearchParams(endpoint.slice(endpoint.indexOf('?'))).get('identifier') ?? '' };
  return endpoint.startsWith(BOT) ? { id: endpoint.slice(BOT.length) } : undefined;
}

/** By its address alone: what its name stands for is looked at when it is asked (fetch-outside.ts). */
function readEndpoint(endpoint: string): string {
  if (/^Bot\/[0-9a-f-]{36}$/.test(endpoint)) return endpoint;
  if (endpoint.startsWith(BY_IDENTIFIER) && endpoint.length <= MAX_ENDPOINT) {
    const given = [...new URLSearchParams(endpoint.slice(endpoint.indexOf('?')))];
    const [[, identifier = ''] = []] = given;
    if (given.length === 1 && identifier && !identifier.endsWith('|')) return endpoint;
    throw refused('channel.endpoint', 'Bot/$execute has one parameter: identifier=value, or identifier=system|value');
  }
  const { FETCH_PRIVATE_ADDRESSES: anywhere } = env();
  const url = endpoint.length <= MAX_ENDPOINT && URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  const isAllowed = url?.protocol === 'https:' || (anywhere && url?.protocol === 'http:');
  if (!url || !isAllowed)
    throw refused('channel.endpoint', 'It must be an https address, Bot/<id> or Bot/$execute?identifier=');
  if (url.username || url.password) throw refused('channel.endpoint', 'Credentials belong in channel.header');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isInside = isIP(host) === 0 ? /(?:^|\.)(?:localhost|internal|local)\.?$/i.test(host) : !isPublicAddress(host);
  if (isInside && !anywhere) throw refused('channel.endpoint', `${host} is no public address`);
  return endpoint;
}

function readHeaders(lines: readonly string[]): Record<string, string> {
  if (lines.length > MAX_HEADERS) throw refused('channel.header', `There may be ${MAX_HEADERS} at most`);
  const entries = lines.map((line, at) => {
    const [, name = '', value = ''] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t\x20-\x7e]*)$/.exec(line) ?? [];
    if (!name || line.length > MAX_HEADER) throw refused(`channel.header[${at}]`, 'It is no header: Name: value');
    if (OWN_HEADERS.test(name)) throw refused(`channel.header[${at}]`, `${name} cannot be given`);
    return [name.toLowerCase(), value.trim()] as const;
  });
  return Object.fromEntries(entries);
}

type Extensions = Pick<Feed, 'ops' | 'secret' | 'expression' | 'isOrdered'> & { attempts: number | undefined };

/** The peer's own (contract §5.6), and ours. Of others of the peer's none is honoured. */
function readExtensions(extensions: NonNullable<Subscription['extension']>): Extensions {
  const read: Extensions = { ...PLAIN, ops: ['create', 'update'] };
  for (const [at, { url = '', valueCode, valueInteger, valueString, valueBoolean }] of extensions.entries()) {
    const wrong = (text: string) => refused(`extension[${at}]`, text);
    if (url === ORDERED) {
      if (typeof valueBoolean !== 'boolean') throw wrong('Whether it is told in order is a valueBoolean');
      read.isOrdered = valueBoolean;
    }
    if (!PEER.test(url)) continue;
    const name = url.replace(PEER, '');
    if (name === 'subscription-supported-interaction') {
      if (!isOp(valueCode)) throw wrong(`${name} is create, update or delete`);
      read.ops = [valueCode];
    } else if (name === 'subscription-max-attempts') {
      const isSound =
        Number.isInteger(valueInteger) && Number(valueInteger) >= 1 && Number(valueInteger) <= MOST_ATTEMPTS;
      if (!isSound) throw wrong(`${name} is a whole number from 1 to ${MOST_ATTEMPTS}`);
      read.attempts = Number(valueInteger);
    } else if (name === 'subscription-secret') {
      if (typeof valueString !== 'string' || !valueString) throw wrong(`${name} has a valueString`);
      read.secret = valueString;
    } else if (name === 'fhir-path-criteria-expression') {
      if (typeof valueString !== 'string' || !valueString || valueString.length > MAX_EXPRESSION)
        throw wrong(`${name} has a valueString of ${MAX_EXPRESSION} characters at most`);
      if (read.expression !== undefined) throw wrong(`${name} stands twice`);
      read.expression = valueString;
    } else {
      throw wrong(`${name} is not supported yet`);
    }
  }
  return read;
}

const PLAIN = { secret: undefined, attempts: undefined, expression: undefined, isOrdered: false };

function isOp(value: unknown): value is Op {
  return value === 'create' || value === 'update' || value === 'delete';
}

function refused(element: string, text: string): AppError {
  return new AppError('business-rule', text, { expression: `Subscription.${element}` });
}
