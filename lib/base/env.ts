import { isIP } from 'node:net';
import { z } from 'zod';
import { WrongSettings } from './wrong-settings.ts';

const origin = z
  .url({ protocol: /^https?$/, error: 'must be an http(s) URL' })
  .transform((url) => url.replace(/\/+$/, ''));

const publicOrigin = z
  .url({ protocol: /^https?$/, error: 'must be an http(s) URL' })
  .refine((url) => {
    if (!URL.canParse(url)) return true;
    const { pathname, search, hash, username, password } = new URL(url);
    return pathname === '/' && search + hash + username + password === '';
  }, 'must be an origin: no path, no query, no user')
  .transform((url) => new URL(url).origin);

const database = z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// URL' });

/** A pool of fewer than it needs at once waits for itself. */
const connections = (least: number) => wholeNumber(least, MOST_CONNECTIONS);
const MOST_CONNECTIONS = 1000;

const wholeNumber = (least: number, most: number) => {
  const error = `must be a number from ${least} to ${most}`;
  return z.coerce.number({ error }).int({ error }).min(least, { error }).max(most, { error });
};

/** For how many days something is kept after its time. */
const days = (standard: number | 'forever', least = 1) =>
  z
    .union([z.literal('forever'), z.coerce.number().int().min(least).max(36_500)], {
      error: `must be a number of days, ${least} or more, or forever`,
    })
    .default(standard);

/** 45 CFR 164.316(b)(2)(i): six years. Whoever must keep more says so; nobody may say less by mistake. */
const LEAST_AUDIT_DAYS = 2192;
/** What was removed can come back for so long (lib/protocol/answers/removed.ts). */
const LEAST_HISTORY_DAYS = 30;

const schema = z.object({
  NODE_ENV: z.enum(['development', 'production', 'test']).default('production'),
  PORT: z.coerce.number({ error: 'must be a port number' }).int().min(1).max(65535).default(3000),
  BASE_URL: publicOrigin.optional(),
  DATABASE_URL: database,
  /** Where DATABASE_URL leads to a pooler that shares connections between transactions: PostgreSQL itself, for what lives in a session. */
  DATABASE_DIRECT_URL: database.optional(),
  /** By whom the tables are made and changed, and owned; not what DATABASE_URL names. Read by the launcher alone (docs/database.md). */
  DATABASE_OWNER_URL: database.optional(),
  /** On one port, as the launcher keeps them; not set, it says how many. */
  SERVER_PROCESSES: wholeNumber(1, 64).default(1),
  /** For statements of their own, and as many again for searches. Not set, as below: by the cores of this machine and its processes. */
  STATEMENT_CONNECTIONS: connections(4).optional(),
  TRANSACTION_CONNECTIONS: connections(2).optional(),
  JOB_CONNECTIONS: connections(2).default(2),
  /** Processes for bots that the machine's server processes keep, all together. Not set: one for each core, and two at least. */
  BOT_PROCESSES: wholeNumber(1, 256).optional(),
  /** Who sends mail, tells subscriptions, runs bulk jobs and sweeps: these processes beside the requests, or workers (`npm run worker`) instead. */
  JOBS: z.enum(['here', 'elsewhere'], { error: 'must be here or elsewhere' }).default('here'),
  DATA_DIR: z.string().min(1).default('.data'),
  AUTH_SECRET: z.string().min(32, 'must be at least 32 characters'),
  /** Earlier ones, separated by commas: what they sealed or signed still counts, and is sealed anew at start. */
  AUTH_SECRET_PREVIOUS: z
    .string()
    .default('')
    .transform((list) => list.split(',').flatMap((secret) => secret.trim() || []))
    .refine((secrets) => secrets.every((secret) => secret.length >= 32), 'must each be at least 32 characters'),
  RESEND_API_KEY: z.string().min(1).optional(),
  RESEND_BASE_URL: origin.optional(),
  RESEND_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_[A-Za-z0-9+/]{16,}=*$/, 'must be the signing secret of the webhook, whsec_…')
    .optional(),
  MAIL_FROM: z
    .string()
    .regex(/^(?:[^<>@]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/, 'must be an address, or Name <address>')
    .default('Gatehouse <gatehouse@localhost>'),
  SUPERADMIN_CLIENT_ID: z.uuid({ error: 'must be a UUID' }).optional(),
  SUPERADMIN_CLIENT_SECRET: z.string().min(16, 'must be at least 16 characters').optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
  BREACH_CHECK_URL: origin.optional(),
  /** For tests, and for programs in a network of one's own: what others name may be fetched from anywhere, and by http. */
  FETCH_PRIVATE_ADDRESSES: z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .default('false')
    .transform((value) => value === 'true'),
  /** Whom to ask for the records of e-mail domains, and for names in the open internet, separated by commas: 192.0.2.53 or 192.0.2.53:5353. Not set: whom this machine asks. */
  DNS_SERVERS: z
    .string()
    .default('')
    .transform((list) => list.split(',').flatMap((server) => server.trim() || []))
    .refine((servers) => servers.every(isServer), 'must be IP addresses, each with a port or without'),
  /** Who registers proves the address before making a project. */
  VERIFY_EMAIL: z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .default('false')
    .transform((value) => value === 'true'),
  /** What a resource, a patch or a bot's input may take, in MiB. */
  MAX_BODY_MIB: z.coerce.number({ error: 'must be a number of MiB' }).int().min(1).max(64).default(16),
  /** What a file may take that is sent as it is, in MiB. */
  MAX_BINARY_MIB: wholeNumber(1, 10_240).default(100),
  /** Where files go: below DATA_DIR, or into a bucket (`s3://bucket/prefix`). */
  BINARY_STORAGE: z
    .string()
    .regex(
      /^(?:files|s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:\/[\w.-]+)*\/?)$/,
      'must be files, or s3://bucket/prefix',
    )
    .default('files')
    .transform((text) => (text === 'files' ? ('files' as const) : toBucket(text))),
  S3_ENDPOINT: origin.optional(),
  S3_REGION: z
    .string()
    .regex(/^[\w-]+$/, 'must be the name of a region')
    .default('us-east-1'),
  S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  /** FHIR answers go out as gzip to who takes it: to be turned off where a proxy in front does that. */
  COMPRESS_ANSWERS: z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .default('true')
    .transform((value) => value === 'true'),
  /** Where HL7 v2 is listened for (MLLP): on ports that projects may have, and by TLS on one that certificates share. Neither set: nowhere. */
  MLLP_HOST: z.string().min(1).default('127.0.0.1'),
  MLLP_PORTS: z
    .string()
    .transform(toPorts)
    .refine((ports) => ports !== undefined, 'must be a port, or a range such as 2575-2599, of at most 1000')
    .optional(),
  MLLP_TLS_PORT: wholeNumber(1, 65_535).optional(),
  MLLP_TLS_CERT: z.string().min(1).optional(),
  MLLP_TLS_KEY: z.string().min(1).optional(),
  /** Who shows it as a bearer token may read /metrics from anywhere. */
  METRICS_TOKEN: z.string().min(16, 'must be at least 16 characters').optional(),
  /** How long a person's own change of the address that they sign in with waits: who has the old one can stop it until then. */
  ADDRESS_CHANGE_HOURS: z.coerce.number({ error: 'must be a number of hours' }).int().min(0).max(720).default(72),
  /** How long the erasure of an account waits: who has its address can stop it until then. */
  ERASURE_WAIT_DAYS: z.coerce.number({ error: 'must be a number of days' }).int().min(0).max(90).default(14),
  RETAIN_RUNS_DAYS: days(90),
  RETAIN_AUDIT_DAYS: days('forever', LEAST_AUDIT_DAYS),
  RETAIN_HISTORY_DAYS: days('forever', LEAST_HISTORY_DAYS),
  RETAIN_MAIL_DAYS: days(90),
  RETAIN_LOGINS_DAYS: days(30),
  RETAIN_LINKS_DAYS: days(90),
  RETAIN_IDEMPOTENCY_DAYS: days(1),
  RETAIN_JOBS_DAYS: days(30),
  RETAIN_DEAD_LETTERS_DAYS: days(30),
  TRUSTED_PROXIES: z.coerce.number({ error: 'must be a number' }).int().min(0).max(10).default(0),
});

export type Ports = { from: number; to: number };

const MOST_PORTS = 1000;

function toPorts(text: string): Ports | undefined {
  const [, first, last] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(text.trim()) ?? [];
  const [from, to] = [Number(first), Number(last ?? first)];
  return from >= 1 && to <= 65_535 && from <= to && to - from < MOST_PORTS ? { from, to } : undefined;
}

/** A prefix ends with a slash, if there is one. */
function toBucket(text: string): { bucket: string; prefix: string } {
  const [bucket = '', ...folders] = text.slice('s3://'.length).split('/').filter(Boolean);
  return { bucket, prefix: folders.map((folder) => `${folder}/`).join('') };
}

/** As Node's resolver takes it. */
function isServer(text: string): boolean {
  const [, bracketed, port] = /^\[([^\]]+)\](?::(\d{1,5}))?$/.exec(text) ?? [];
  const [, plain, plainPort] = /^([\d.]+)(?::(\d{1,5}))?$/.exec(text) ?? [];
  return isIP(bracketed ?? plain ?? text) !== 0 && Number(port ?? plainPort ?? 53) < 65536;
}

/** How long something is kept, as a setting says it. */
export type Days = number | 'forever';

export type Env = Omit<z.infer<typeof schema>, 'BASE_URL'> & { BASE_URL: string };

let parsed: Env | undefined;

/** The settings, parsed once. Throws `WrongSettings`, which lists every wrong name with its reason. */
export function env(): Env {
  parsed ??= parseEnv(process.env);
  return parsed;
}

export function parseEnv(source: Record<string, string | undefined>): Env {
  // An empty value in a .env file means "not set".
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''));
  const result = schema.safeParse(given);
  if (!result.success) {
    throw new WrongSettings(...result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`));
  }
  const { data } = result;
  if (Boolean(data.SUPERADMIN_CLIENT_ID) !== Boolean(data.SUPERADMIN_CLIENT_SECRET)) {
    throw new WrongSettings('SUPERADMIN_CLIENT_ID and SUPERADMIN_CLIENT_SECRET go together');
  }
  if (Boolean(data.S3_ACCESS_KEY_ID) !== Boolean(data.S3_SECRET_ACCESS_KEY)) {
    throw new WrongSettings('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY go together');
  }
  if (Boolean(data.MLLP_TLS_CERT) !== Boolean(data.MLLP_TLS_KEY)) {
    throw new WrongSettings('MLLP_TLS_CERT and MLLP_TLS_KEY go together');
  }
  if (data.MLLP_TLS_PORT !== undefined && !data.MLLP_TLS_CERT) {
    throw new WrongSettings('MLLP_TLS_PORT needs MLLP_TLS_CERT and MLLP_TLS_KEY');
  }
  const { MLLP_PORTS: own, MLLP_TLS_PORT: shared } = data;
  if (own && shared !== undefined && shared >= own.from && shared <= own.to) {
    throw new WrongSettings(
      'MLLP_TLS_PORT is not one of MLLP_PORTS: a feed with that port would be called instead of those that share it',
    );
  }
  return { ...data, BASE_URL: data.BASE_URL ?? `http://localhost:${data.PORT}` };
}
