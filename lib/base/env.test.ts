import { expect, test } from 'vitest';
import { parseEnv } from './env.ts';

const GIVEN = { DATABASE_URL: 'postgres://localhost/x', AUTH_SECRET: 'x'.repeat(32) };

test('what is empty is not set, and what is not set has its default', () => {
  expect(parseEnv({ ...GIVEN, PORT: '', BASE_URL: '', MAIL_FROM: '' })).toMatchObject({
    PORT: 3000,
    BASE_URL: 'http://localhost:3000',
    TRUSTED_PROXIES: 0,
    MAX_BODY_MIB: 16,
  });
});

test.each([
  ['https://gate.example', 'https://gate.example'],
  ['HTTPS://Gate.Example:443/', 'https://gate.example'],
  ['http://localhost:4000/', 'http://localhost:4000'],
])('BASE_URL %s is %s', (BASE_URL, origin) => {
  expect(parseEnv({ ...GIVEN, BASE_URL }).BASE_URL).toBe(origin);
});

test.each(['ops@gate.example', 'Gatehouse <ops@gate.example>', '<ops@localhost>'])('MAIL_FROM %s', (MAIL_FROM) => {
  expect(parseEnv({ ...GIVEN, MAIL_FROM })).toMatchObject({ MAIL_FROM });
});

test.each([
  ['BASE_URL', 'gate.example'],
  ['BASE_URL', 'ftp://gate.example'],
  ['BASE_URL', 'https://gate.example/below'],
  ['BASE_URL', 'https://gate.example?x=1'],
  ['BASE_URL', 'https://gate.example#x'],
  ['BASE_URL', 'https://user:pw@gate.example'],
  ['MAIL_FROM', 'abc'],
  ['MAIL_FROM', 'Gatehouse <abc>'],
  ['MAIL_FROM', 'a@b@c'],
  ['PORT', '0'],
  ['PORT', 'http'],
  ['DATABASE_URL', 'mysql://localhost/x'],
  ['AUTH_SECRET', 'short'],
  ['AUTH_SECRET_PREVIOUS', `${'y'.repeat(32)},short`],
  ['RESEND_WEBHOOK_SECRET', 'secret'],
  ['VERIFY_EMAIL', 'yes'],
  ['DNS_SERVERS', 'dns.example'],
  ['DNS_SERVERS', '192.0.2.53:99999'],
  ['DNS_SERVERS', '192.0.2.53, 192.0.2'],
  ['TRUSTED_PROXIES', '-1'],
  ['STATEMENT_CONNECTIONS', '0'],
  ['TRANSACTION_CONNECTIONS', '1'],
  ['JOB_CONNECTIONS', 'many'],
  ['MAX_BODY_MIB', '0'],
  ['MAX_BODY_MIB', 'large'],
  ['LOG_LEVEL', 'loud'],
  ['METRICS_TOKEN', 'short'],
  ['RETAIN_RUNS_DAYS', '0'],
  ['RETAIN_RUNS_DAYS', 'never'],
  ['RETAIN_RUNS_DAYS', '1.5'],
  ['RETAIN_AUDIT_DAYS', '365'],
  ['RETAIN_HISTORY_DAYS', '29'],
  ['SUPERADMIN_CLIENT_ID', 'me'],
])('%s=%s is refused by name, with the reason', (name, value) => {
  expect(() => parseEnv({ ...GIVEN, [name]: value })).toThrow(new RegExp(`^Wrong settings:\n  ${name}: \\S`));
});

test('what is kept how long is a number of days, or forever', () => {
  expect(parseEnv(GIVEN)).toMatchObject({ RETAIN_RUNS_DAYS: 90, RETAIN_AUDIT_DAYS: 'forever' });
  const given = { RETAIN_RUNS_DAYS: 'forever', RETAIN_AUDIT_DAYS: '3650', RETAIN_HISTORY_DAYS: '30' };
  expect(parseEnv({ ...GIVEN, ...given })).toMatchObject({
    RETAIN_RUNS_DAYS: 'forever',
    RETAIN_AUDIT_DAYS: 3650,
    RETAIN_HISTORY_DAYS: 30,
  });
});

test('AUTH_SECRET_PREVIOUS is a list', () => {
  const [one, two] = ['y'.repeat(32), 'z'.repeat(32)];
  expect(parseEnv({ ...GIVEN, AUTH_SECRET_PREVIOUS: ` ${one}, ${two},` }).AUTH_SECRET_PREVIOUS).toEqual([one, two]);
  expect(parseEnv(GIVEN).AUTH_SECRET_PREVIOUS).toEqual([]);
});

test('the port that feeds share is none that one of them may have', () => {
  const tls = { MLLP_TLS_CERT: 'a', MLLP_TLS_KEY: 'b', MLLP_PORTS: '2575-2599' };
  expect(() => parseEnv({ ...GIVEN, ...tls, MLLP_TLS_PORT: '2576' })).toThrow('MLLP_TLS_PORT is not one of MLLP_PORTS');
  expect(parseEnv({ ...GIVEN, ...tls, MLLP_TLS_PORT: '2600' }).MLLP_TLS_PORT).toBe(2600);
});

test('the super-admin client’s id and secret go together', () => {
  expect(() => parseEnv({ ...GIVEN, SUPERADMIN_CLIENT_SECRET: 'x'.repeat(16) })).toThrow('go together');
});

test('DNS_SERVERS is a list of addresses, each with a port or without', () => {
  const servers = ['192.0.2.53', '192.0.2.53:5353', '2001:db8::53', '[2001:db8::53]:5353'];
  expect(parseEnv({ ...GIVEN, DNS_SERVERS: servers.join(', ') }).DNS_SERVERS).toEqual(servers);
  expect(parseEnv(GIVEN).DNS_SERVERS).toEqual([]);
});
