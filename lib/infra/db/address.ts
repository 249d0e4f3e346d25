import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import type postgres from 'postgres';
import { env } from '#lib/base/env.ts';
import { WrongSettings } from '#lib/base/wrong-settings.ts';

/** Where the database is, who asks, and how the connection is protected; as the pg of pg-boss takes it. */
export type Address = {
  host: string;
  port: number;
  database: string;
  user: string;
  password: string;
  ssl: ConnectionOptions | false;
};

const MODES = ['disable', 'require', 'no-verify', 'verify-ca', 'verify-full'] as const;
const PARAMETERS = new Set(['sslmode', 'sslrootcert', 'sslcert', 'sslkey']);
const DEFAULT_PORT = 5432;
/** As pg-boss has it: a server that takes a connection and says nothing is away. */
const CONNECT_SECONDS = 10;

/** That of DATABASE_URL: for what is over with its transaction. */
export function databaseAddress(): Address {
  return parseAddress(env().DATABASE_URL);
}

/** That of another node of the database's cluster, for the same person and with the same protection. */
export function nodeAddress({ host, port }: Pick<Address, 'host' | 'port'>): Address {
  const url = new URL(env().DATABASE_URL);
  url.hostname = host.includes(':') ? `[${host}]` : host;
  url.port = String(port);
  return parseAddress(url.href);
}

/** For what lives as long as its session: LISTEN, leases, records, jobs. */
export function directAddress(): Address {
  return isShared() ? parseAddress(directUrl(), 'DATABASE_DIRECT_URL') : databaseAddress();
}

export function directUrl(): string {
  return env().DATABASE_DIRECT_URL ?? env().DATABASE_URL;
}

/** Whether a pooler may give each transaction another connection of the server's: then nothing is set on one, or prepared. */
export function isShared(): boolean {
  return env().DATABASE_DIRECT_URL !== undefined;
}

class Unfit extends Error {}

/**
 * The one reading of a postgres:// URL. postgres.js and the pg of pg-boss each have their own, and take `sslmode` for different things:
 * here it means what it means to libpq (PostgreSQL, "SSL Support"). Throws `WrongSettings` for what would not be honoured.
 */
export function parseAddress(text: string, setting = 'DATABASE_URL'): Address {
  try {
    return readAddress(text);
  } catch (error) {
    throw error instanceof Unfit ? new WrongSettings(`${setting}: ${error.message}`) : error;
  }
}

function readAddress(text: string): Address {
  const url = new URL(text);
  for (const name of url.searchParams.keys()) {
    if (url.searchParams.getAll(name).length > 1) refuse(`${name} is given twice`);
    if (!PARAMETERS.has(name)) refuse(`${name} is not supported; these are: ${[...PARAMETERS].join(', ')}`);
  }
  const host = decodeURIComponent(url.hostname).replace(/^\[(.+)\]$/, '$1');
  if (!host || host.includes(',')) refuse('must name one host');
  const user = decodeURIComponent(url.username);
  return {
    host,
    port: Number(url.port) || DEFAULT_PORT,
    database: decodeURIComponent(url.pathname.slice(1)) || user,
    user,
    password: decodeURIComponent(url.password),
    ssl: readTls(url.searchParams, host),
  };
}

type Options = Pick<
  postgres.Options<Record<string, postgres.PostgresType>>,
  keyof Address | 'path' | 'connect_timeout'
>;

/** As postgres.js takes it, which cuts a host at its colons unless it is one of a list; its types know of none. */
export function forPostgres({ host, port, ...rest }: Address): Options {
  const path = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : {};
  return { host: [host], port: [port], connect_timeout: CONNECT_SECONDS, ...path, ...rest } as unknown as Options;
}

function readTls(parameters: URLSearchParams, host: string): ConnectionOptions | false {
  const given = (name: string) => parameters.get(name) || undefined;
  const mode = given('sslmode') ?? 'disable';
  const [ca, cert, key] = [given('sslrootcert'), given('sslcert'), given('sslkey')];
  if (mode === 'disable') return ca || cert || key ? refuse('certificates need an sslmode that uses them') : false;
  // Neither driver could be held to it: one of them takes what it does not get for a failure.
  if (mode === 'prefer' || mode === 'allow')
    refuse(`sslmode=${mode} is not supported: say require, or disable, by what the server does`);
  if (!MODES.some((known) => known === mode)) refuse(`sslmode=${mode} is not one of ${MODES.join(', ')}`);
  if (Boolean(cert) !== Boolean(key)) refuse('sslcert and sslkey go together');
  return {
    // Whom a certificate must name: an address cannot be a `servername`, and without either it would be localhost.
    host,
    ...(isIP(host) === 0 && { servername: host }),
    ...(cert && { cert: read('sslcert', cert) }),
    ...(key && { key: read('sslkey', key) }),
    ...verification(mode, ca),
  };
}

function verification(mode: string, ca: string | undefined): ConnectionOptions {
  if (mode === 'no-verify') return { rejectUnauthorized: false };
  // As in libpq: who gives a root wants it asked.
  if (mode === 'require' && !ca) return { rejectUnauthorized: false };
  if (mode === 'verify-ca' && (!ca || ca === 'system'))
    refuse('sslmode=verify-ca needs the file of an authority of your own in sslrootcert; else say verify-full');
  const root = ca && ca !== 'system' ? { ca: read('sslrootcert', ca) } : {};
  return { ...root, rejectUnauthorized: true, ...(mode !== 'verify-full' && { checkServerIdentity: () => undefined }) };
}

function read(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    return refuse(`${name} ${file} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

function refuse(reason: string): never {
  throw new Unfit(reason);
}
