import { expect, test } from 'vitest';
import { noticeOf, readInviteCsv, toInviteRow } from './rows.ts';

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

test.each([
  'Ada,Okonkwo,ada@b.example,Patient',
  'Ada,Okonkwo,,Patient',
  'Ada,Given,ada@b.example,Practitioner,Access,true',
  'First,Last,ada@b.example,Type',
])('without a header no line is lost, and it is said: %s', (line) => {
  const found = readInviteCsv(`${line}\nBo,Li,bo@b.example`);
  const [firstName, lastName] = line.split(',');
  expect(found.rows).toMatchObject([
    { firstName, lastName },
    { firstName: 'Bo', lastName: 'Li' },
  ]);
  expect(noticeOf(found)).toMatch(/names no columns/);
});

test.each(['email', 'First name,Surname', 'Given;Family;Shoe size', 'type,e-mail'])('a header is one: %s', (line) => {
  const found = readInviteCsv(`${line}\nx`);
  expect([found.hasHeader, found.rows.length]).toEqual([true, 1]);
});

test('cells past the last column are told of', () => {
  const found = readInviteCsv('firstName,lastName\nAda,Okonkwo\nBo,Li,bo@b.example\nCy,Do,,\n');
  expect(noticeOf(found)).toBe('1 line has more cells than there are columns.');
  expect(noticeOf(readInviteCsv('firstName,lastName\nAda,Okonkwo'))).toBeUndefined();
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
