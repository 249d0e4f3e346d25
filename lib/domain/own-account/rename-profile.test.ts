import { expect, test } from 'vitest';
import { renameProfile } from './rename-profile.ts';

const [from, to] = [
  { firstName: 'Ada', lastName: 'Stone' },
  { firstName: 'Ada', lastName: 'Reyes' },
];
const named = (...name: object[]) => ({ resourceType: 'Practitioner', name });

test('the official name takes the new one, and its titles and all other names stay', () => {
  const maiden = { use: 'maiden', family: 'Hill' };
  const official = { use: 'official', prefix: ['Dr.'], given: ['Ada'], family: 'Stone', text: 'Dr. Ada Stone' };
  expect(renameProfile(named(maiden, official), from, to)).toEqual(
    named(maiden, { ...official, family: 'Reyes', text: 'Dr. Ada Reyes' }),
  );
  expect(renameProfile(named({ text: 'Ada Stone' }), from, to)?.name).toEqual([
    { text: 'Ada Reyes', given: ['Ada'], family: 'Reyes' },
  ]);
});

test('a name that says something else is the project’s own word, and so is none', () => {
  for (const other of [
    { given: ['Ada', 'M.'], family: 'Stone' },
    { family: 'Stone' },
    { use: 'official', text: 'A' },
    {},
  ])
    expect(renameProfile(named(other, { given: ['Ada'], family: 'Stone' }), from, to)).toBeUndefined();
  expect(renameProfile({ resourceType: 'Practitioner' }, from, to)).toBeUndefined();
});
