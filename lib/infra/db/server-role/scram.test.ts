import { expect, test } from 'vitest';
import { scramVerifier } from './scram.ts';

test('is what PostgreSQL itself makes of a password', () => {
  // `create role x password 'pencil'`, as pg_authid then has it, with the salt of RFC 7677's example.
  const [, keys] = scramVerifier('pencil', Buffer.from('W22ZaJ0SNY7soEsUEjb6gQ==', 'base64')).split('$4096:');
  expect(keys).toBe(
    'W22ZaJ0SNY7soEsUEjb6gQ==$WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=:wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU=',
  );
});
