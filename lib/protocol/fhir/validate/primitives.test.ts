import { test } from 'vitest';
import { PRIMITIVES } from './primitives.ts';

const MIB = 1024 * 1024;
const UNITS = [
  ' ',
  '<',
  '< ',
  '</',
  'a',
  'a ',
  ' on',
  '<a on',
  'on=',
  '0',
  '0.',
  '-',
  '/',
  '.',
  '=',
  'A=',
  'javascript',
  '\n',
  'é',
  '&',
  '<b>',
  '<br/>',
  ' a="b"',
  '<!--',
];

/** Each made once, and flat: to put them together costs more than to judge them. */
const TEXTS = UNITS.flatMap((unit) => {
  const long = unit.repeat(MIB / unit.length);
  const around = [
    long,
    `x${long}`,
    `${long}x`,
    `<div${long}</div>`,
    `<div><${long}</div>`,
    `<div>${long}</div>`,
    `urn:oid:1${long}`,
  ];
  return around.map((text) => Buffer.from(text).toString());
});

// A pattern that tries every split of a text takes a quarter of an hour for one of these.
test.for(Object.keys(PRIMITIVES))('%s is judged in a time that grows with its length only', (name) => {
  const rule = PRIMITIVES[name]!;
  for (const text of TEXTS) rule(text);
});
