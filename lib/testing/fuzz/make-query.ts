import fc, { type Arbitrary } from 'fast-check';
import { searchParamsOf } from '#lib/protocol/fhir/index/search-params.ts';

const SPECIAL = [
  ...['', ' ', '0', '-1', '1e400', '1e-400', 'NaN', '9'.repeat(40), '0.1e', 'true', 'null', 'undefined'],
  ...['2020', '2020-13', '2020-02-30', '0000', '9999-12-31', 'ge2020', 'ap0001', 'sa', 'eb9999-12-31T23:59:60Z'],
  ...['2020-01-01T00:00:00+99:99', 'lt-1', 'a|b|c', '|', 'http://a|', '|b', 'a\\,b', 'a\\', ',', ',,', '$', 'a$b$c'],
  ...['*', '%', '_', '%00', '\u0000', '\ud800', 'İ', 'ﬃ', '🦊', 'a'.repeat(3000), "';select 1--", '../..', '#', '?'],
  ...[
    'Patient/1',
    'Patient/a/b',
    'http://x/Patient/1',
    'urn:uuid:x',
    'Patient?name=x',
    '__proto__',
    '-date',
    '-',
    '--',
  ],
  ...['1.5|http://unitsofmeasure.org|mg', '1.5||', '|||', 'ne1', '90|180|1|km', '91|181', '-90|-180|1e300|[mi_i]'],
  ...['in', '(', '(a eq', 'Observation:subject', 'Observation:*', '*:*', 'name,-birthdate,name', 'exact', 'data'],
  ...['a or b', '(a', '"a b', 'a and (b or "c d")', 'not a', '((((((((((((a'],
];
export const value = fc.oneof(fc.constantFrom(...SPECIAL), fc.string({ unit: 'binary', maxLength: 12 }));

const CONTROLS = [
  ...['_count', '_offset', '_sort', '_include', '_revinclude', '_include:iterate', '_total', '_summary', '_elements'],
  ...['_cursor', '_type', '_format', '_pretty', '_since', '_at', '_list', '_filter', '_query', '_contained', '_text'],
  ...[
    '_content',
    'start',
    'end',
    'url',
    'system',
    'code',
    'version',
    'filter',
    'count',
    'offset',
    'display',
    'profile',
  ],
];
const MODIFIERS = [
  ...[
    '',
    '',
    '',
    ':not',
    ':missing',
    ':exact',
    ':contains',
    ':text',
    ':in',
    ':above',
    ':below',
    ':of-type',
    ':Patient',
  ],
  ...[
    ':identifier',
    ':nonsense',
    '.name',
    ':Patient.name',
    '.subject.name',
    '._content',
    '.',
    ':',
    '.__proto__',
    ':Patient.',
  ],
];

function paramOf(of: string): Arbitrary<[string, string]> {
  const codes = [...searchParamsOf(of), ...searchParamsOf('Patient')].map(({ code }) => code);
  const own = fc.tuple(fc.constantFrom(...codes), fc.constantFrom(...MODIFIERS)).map((parts) => parts.join(''));
  const has = fc
    .tuple(fc.constantFrom('Observation', of, 'X'), fc.constantFrom('patient', 'subject', 'x'), own)
    .map(([source, by, name]) => `_has:${source}:${by}:${name}`);
  const name = fc.oneof(
    { weight: 6, arbitrary: own },
    { weight: 3, arbitrary: fc.constantFrom(...CONTROLS) },
    { weight: 1, arbitrary: has },
    { weight: 1, arbitrary: value },
  );
  return fc.tuple(name, value);
}

/** Written out correctly mostly, now and then as it is, where a request line can hold that. */
export function written(text: string): Arbitrary<string> {
  const raw = text.replaceAll(/[^!-~]|#/g, (character) => encodeURIComponent(character.toWellFormed()));
  return fc.oneof(
    { weight: 8, arbitrary: fc.constant(encodeURIComponent(text.toWellFormed())) },
    { weight: 2, arbitrary: fc.constant(raw) },
    { weight: 1, arbitrary: fc.constantFrom('%', '%zz', '%ff', '%00', '%ud800', '%c0%80', '%ed%a0%80', '+') },
  );
}

export function makeQuery(of: string): Arbitrary<string> {
  return fc
    .array(
      paramOf(of).chain(([name, text]) => fc.tuple(written(name), written(text)).map((both) => both.join('='))),
      { maxLength: 5 },
    )
    .map((parts) => parts.join('&'));
}
