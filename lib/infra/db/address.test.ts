import { expect, test } from 'vitest';
import { forPostgres, parseAddress } from './address.ts';

test('a whole URL, a short one, one of a socket', () => {
  expect(parseAddress('postgresql://ada:p%40ss%2F1@db.example:6432/gate%20house')).toEqual({
    ...{ host: 'db.example', port: 6432, user: 'ada', password: 'p@ss/1', database: 'gate house', ssl: false },
  });
  expect(parseAddress('postgres://ada@[::1]')).toMatchObject({ host: '::1', port: 5432, database: 'ada' });
  const socket = parseAddress('postgres://ada@%2Fvar%2Frun%2Fpostgresql/gatehouse');
  expect(forPostgres(socket)).toMatchObject({ path: '/var/run/postgresql/.s.PGSQL.5432' });
});

test.each([
  ['sslmode=prefer', 'sslmode=prefer is not supported'],
  ['sslmode=allow', 'sslmode=allow is not supported'],
  ['sslmode=on', 'sslmode=on is not one of disable, require'],
  ['sslmode=verify-ca', 'sslmode=verify-ca needs'],
  ['sslmode=verify-ca&sslrootcert=system', 'sslmode=verify-ca needs'],
  ['sslmode=verify-full&sslrootcert=/nowhere.pem', 'sslrootcert /nowhere.pem cannot be read (ENOENT)'],
  ['sslmode=require&sslcert=/x.pem', 'sslcert and sslkey go together'],
  ['sslrootcert=/x.pem', 'certificates need an sslmode'],
  ['ssl=true', 'ssl is not supported'],
  ['sslmode=require&channel_binding=require', 'channel_binding is not supported'],
])('?%s is refused by name', (query, reason) => {
  expect(() => parseAddress(`postgres://localhost/x?${query}`)).toThrow(`Wrong settings:\n  DATABASE_URL: ${reason}`);
});

test('hosts to choose from are refused: one driver would take the first, the other none', () => {
  expect(() => parseAddress('postgres://one,two/x')).toThrow('DATABASE_URL: must name one host');
});
