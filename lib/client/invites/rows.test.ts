import { expect, test } from 'vitest';
import { readInviteCsv, toInviteRow } from './rows.ts';

test('heads are found in any spelling and order, and what nobody knows is named', () => {
  const { rows, used, unknown } = readInviteCsv(
    'E-Mail;Last Name;First name;Shoe size\nada@b.example;Okonkwo;Ada;39\n',
  );
  expect(rows).toMatchObject([{ firstName: 'Ada', lastName: 'Okonkwo', email: 'ada@b.example' }]);
  expect(used).toEqual(['firstName', 'lastName', 'email']);
  expect(unknown).toEqual(['Shoe size']);
});

test('of two heads for one thing the first counts, and the other is named', () => {
  const { rows, unknown } = readInviteCsv('First name,E-mail,Mail\nAda,ada@b.example,false\n');
  expect(rows).toMatchObject([{ firstName: 'Ada', email: 'ada@b.example' }]);
  expect(unknown).toEqual(['Mail']);
});

test('without a header the columns stand in their usual order', () => {
  expect(readInviteCsv('Ada,Okonkwo,ada@b.example').rows).toMatchObject([{ lastName: 'Okonkwo' }]);
});

test('a line becomes a request: policies by name, booleans in words, nothing that was not said', () => {
  const [cells] = readInviteCsv(
    'firstName,lastName,email,type,policy,admin\nAda,O,a@b.example,related person,Ward,yes',
  ).rows;
  expect(toInviteRow(cells!, new Map([['ward', 'AccessPolicy/1']]))).toEqual({
    resourceType: 'RelatedPerson',
    firstName: 'Ada',
    lastName: 'O',
    email: 'a@b.example',
    accessPolicy: { reference: 'AccessPolicy/1' },
    admin: 'true',
  });
});
