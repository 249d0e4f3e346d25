import { expect, test } from 'vitest';
import { maskRun } from './mask-run.ts';

const patient = {
  resourceType: 'Patient',
  id: 'p1',
  gender: 'female',
  identifier: [{ system: 'http://x.example/mrn', type: { text: 'MRN' }, value: 'A-77123' }],
  name: [{ use: 'official', family: 'Okonjo', given: ['Ngozi', 'Li'] }],
  birthDate: '1970-01-02',
  telecom: [{ system: 'phone', value: '+44 20 7946 0958' }],
  address: [{ line: ['1 High Street'], city: 'Leeds', postalCode: 'LS1 1AA', country: 'GB' }],
  text: { status: 'generated', div: '<div>Ngozi Okonjo</div>' },
  contact: [{ name: { text: 'Ada Okonjo' } }],
  managingOrganization: { reference: 'Organization/1', display: 'Leeds General' },
};
const secret = ['Okonjo', 'Ngozi', 'A-77123', '1970-01-02', '19700102', '7946', 'High Street', 'Leeds', 'LS1', 'Ada'];

const json = (value: unknown) => ({ kind: 'json' as const, text: JSON.stringify(value) });
const expectNone = (text: string | null) => {
  for (const word of secret) expect(text?.toLowerCase()).not.toContain(word.toLowerCase());
};

test('what identifies a patient is shown nowhere: not in the input, the output, or what was logged of them', () => {
  const { input, output, mask } = maskRun({
    input: json(patient),
    output: json({ resourceType: 'Bundle', entry: [{ resource: patient }] }),
  });
  expectNone(input);
  expectNone(output);
  expect(JSON.parse(input!)).toMatchObject({
    ...{ id: 'p1', gender: 'female', managingOrganization: { reference: 'Organization/1' } },
    identifier: [{ system: 'http://x.example/mrn', value: '•••' }],
    address: [{ country: 'GB' }],
  });
  const line = mask(
    'Saw NGOZI OKONJO (born 19700102, mrn a-77123) of 1 High Street, Leeds; li wrote to ngozi@leeds.example',
  );
  expectNone(line);
  expect(line).toBe('Saw ••• ••• (born •••, mrn •••) of •••, •••; ••• wrote to •••');
  expect(mask('Likely reading Patient/p1')).toBe('Likely reading Patient/p1');
});

test('a message of HL7 v2 is masked by its fields, also one of which only the beginning is there', () => {
  const pid =
    'PID|1||A-77123^^^HOSP^MR||Okonjo^Ngozi^Li||19700102|F|||1 High Street^^Leeds^^LS1 1AA^GB||+44 20 7946 0958';
  const text = [
    'MSH|^~\\&|A|B|C|D|20260101||ADT^A01|7|P|2.5',
    pid,
    'OBX|1|ST|1^Note||seen Ngozi today',
    'OBX|2|TX|2^Note||Okonjo N has HIV~seen Ngozi',
    'OBX|3|NM|3^Weight||71|kg',
    'NTE|1|L|Called her son Bayo, 555-1234',
    'OBX|4||4^Note||Bayo',
    'OBX|5|tx|5^Note||Bayo',
    'OBX|6|PPN|6^By||7^Adeyemi^Bayo',
    'OBX|7|CN|7^By||7^Adeyemi^Bayo',
    'OBR|1|||1^Panel|||||||||Bayo',
    'PV2||||||||||||Bayo|7^Adeyemi^Bayo',
    'AL1|1|DA|1^Penicillin|SV|Bayo',
    'IAM|1||||||||||||||Bayo^Adeyemi',
    'DB1|1|PT|77^^^Bayo',
    'BHS|^~\\&||||||||Bayo',
    'XYZ|Bayo',
    'ZPI|x|Ada',
  ].join('\r');
  for (const isCut of [false, true]) {
    const { input, mask } = maskRun({ input: { kind: 'hl7', text, isCut }, output: null });
    expectNone(input);
    expect(input).toContain('PID|1||•••^^^HOSP^MR||•••^•••^•••||•••|F|||•••^^•••^^•••^GB||•••');
    expect(input).not.toMatch(/seen|HIV|Bayo|555/);
    expect(input).toContain(
      'OBX|1|ST|1^Note||•••\rOBX|2|TX|2^Note||•••~•••\rOBX|3|NM|3^Weight||71|kg\rNTE|1|L|•••\rOBX|4||4^Note||•••\r',
    );
    // Who stands in the rest of it may be named there.
    expect(mask('1970-01-02 Okonjo')).toBe(isCut ? null : '••• •••');
  }
});

test('a line break in a text makes no line that is shown, nor does what is no result, or a field that somebody wrote', () => {
  const text = [
    'MSH|^~\\&|LAB|A|B|C|20260101||ORU^R01|1|P|2.5',
    'PV1|1|I|||PRE123456',
    'DG1|1||C34^Cancer|Lung cancer of Eve Everyday',
    'TXA|1|CN||||||||||||||EveEveryday_HIV.pdf|AU',
    'OBX|1|TX|N^Note||Dear colleague,',
    'John Smith, born 3 May 1961, is HIV positive\nMRN 99887766',
    'PID^1^^123^^^Doe',
    'EVE',
    '| Name | Jane Smith | MRN 9988',
    '|HIV positive|',
    '\u00a0|Jane Doe',
    '  ',
    'OBX|2|NM|N^Weight||see John Smith|kg',
    'OBX|3|NM|N^Weight||72.5|kg',
    'OBX|4|CWE|N^Note||1^Cough^L^^^^^^coughs like Eve Everyday',
    'OBX|5|DT|N^Day||20260101',
    'OBX|6|SN|N^Titre||^1^:^128',
    'OBX|7|ID|N^Yes||Y~Eve Everyday',
  ].join('\r');
  const { input, mask } = maskRun({ input: { kind: 'hl7', text }, output: null });
  expect(input).not.toMatch(/John|Jane|Smith|1961|9988|Eve|EVE|Doe|HIV|PRE1|Dear|like/);
  for (const kept of ['OBX|3|NM|N^Weight||72.5|kg', '1^Cough^L', '|20260101', '^1^:^128', '||Y~', 'C34^Cancer'])
    expect(input).toContain(kept);
  expect(mask('said John Smith, born 3 May 1961, is HIV positive')).toBe('said •••');
});

test('what members are called is shown where programs call them so, and not where it is of somebody', () => {
  const id = '0c3151bd-1cbf-4d64-b04d-cd9187a4c6e0';
  const value = {
    patients: { 'John Smith': { a: 1 }, 'MRN-99887766': { count: 2 }, [id]: { n: 1 }, [`Patient/${id}`]: 2 },
    ...{ line1: true, 'x-total': 3, $ref: false, 7: null },
  };
  const { input, mask } = maskRun({ input: { kind: 'json', text: JSON.stringify(value) }, output: null });
  expect(JSON.parse(input!)).toEqual({
    patients: { '•••1': { a: 1 }, '•••2': { count: 2 }, [id]: { n: 1 }, [`Patient/${id}`]: 2 },
    ...{ line1: true, 'x-total': 3, $ref: false, 7: null },
  });
  expect(mask('of John Smith MRN-99887766')).toBe('of ••• •••');
  const counts = { '2024': { a: 1 }, '718-7': 3, 'http://loinc.org': 2, '1,2': 1, year: 2024, a: [1, 2] };
  const counted = maskRun({ input: { kind: 'json', text: JSON.stringify(counts) }, output: null });
  expect(JSON.parse(counted.input!)).toEqual({
    2024: { a: 1 },
    year: 2024,
    a: [1, 2],
    '•••1': 3,
    '•••2': 2,
    '•••3': 1,
  });
  expect(counted.mask('at 2024-01-01, 718-7 of http://loinc.org')).toBe('at 2024-01-01, 718-7 of http://loinc.org');
  const form = maskRun({ input: { kind: 'form', text: 'John+Smith=1&count=2' }, output: null });
  expect(form.input).not.toContain('John');
  const resource = maskRun({
    input: { kind: 'json', text: '{"resourceType":"Patient","Jane Roe":1,"active":true}' },
    output: null,
  });
  expect(JSON.parse(resource.input!)).toEqual({ resourceType: 'Patient', '•••1': expect.anything(), active: true });
});

test('JSON that is not FHIR is masked by what its members are called', () => {
  const { input } = maskRun({
    input: json({ n: 7, patient: { firstName: 'Ngozi', date_of_birth: '1970-01-02', name: 'Ada Okonjo' } }),
    output: null,
  });
  expect(JSON.parse(input!)).toEqual({ n: 7, patient: { firstName: '•••', date_of_birth: '•••', name: '•••' } });
});

test('the parts of a whole name, and what is written as JSON, addresses and times have it, are masked as well', () => {
  const person = {
    resourceType: 'Patient',
    name: [{ text: 'Ngozi Müller-Okonjo' }, { family: 'Jon "JJ" Doe' }],
    identifier: [{ value: 'A/77 123' }],
    birthDate: '1970-01-02',
  };
  const { mask, output } = maskRun({ input: json(person), output: json({ said: 'Jon "JJ" Doe was seen' }) });
  expect(JSON.parse(output!)).toEqual({ said: '•••' });
  expect(mask('he saw Jon "JJ" Doe')).toBe('he saw •••');
  for (const [line, shown] of [
    ['Okonjo came', '••• came'],
    ['GET Patient?name=M%C3%BCller&identifier=A%2F77%20123', 'GET Patient?name=•••&identifier=•••'],
    ['q=A%2F77+123', 'q=•••'],
    ['born 1970-01-02T00:00:00.000Z', 'born •••T00:00:00.000Z'],
    ['1970-01-023', '1970-01-023'],
  ] as const)
    expect(mask(line)).toBe(shown);
  expect(maskRun({ input: json({ fullName: 'Ngozi Okonjo' }), output: null }).mask('hello Okonjo')).toBe('hello •••');
});

test('the names of what is nobody stay, and answers of a questionnaire do not', () => {
  const parameters = { resourceType: 'Parameters', parameter: [{ name: 'size', valueCode: 'large' }] };
  expect(maskRun({ input: json(parameters), output: null }).input).toBe(JSON.stringify(parameters));
  const response = {
    resourceType: 'QuestionnaireResponse',
    item: [{ linkId: 'q', answer: [{ valueString: 'Ngozi' }] }],
  };
  expectNone(maskRun({ input: json(response), output: null }).input);
});

test.each([
  ['plain text', { kind: 'text' as const, text: 'Ngozi called' }],
  ['a text in JSON', json('Ngozi called')],
  ['the beginning of JSON', { kind: 'json' as const, text: '{"name":[{"family":"Okonjo', isCut: true }],
  ['more than can be looked at', json(Array.from({ length: 30_000 }, () => 1))],
  ['what is no message', { kind: 'hl7' as const, text: 'Okonjo' }],
])('of %s nothing is shown, and nothing that was said of it', (_, input) => {
  const masked = maskRun({ input, output: { kind: 'text', text: 'Ngozi' } });
  expect([masked.input, masked.output, masked.mask('Ngozi')]).toEqual([null, null, null]);
});

test.each([
  ['of a bot', json({ resourceType: 'Bot' })],
  ['of whom it names', json({ who: 'Ngozi Okonjo' })],
  ['of a form', { kind: 'form' as const, text: 'From=%2B44' }],
  ['of nothing', null],
])('a text that came out is not shown, whatever went in: %s', (_, input) => {
  for (const output of [{ kind: 'text' as const, text: 'Overdue: Ngozi' }, json('Overdue: Ngozi')])
    expect(maskRun({ input, output }).output).toBeNull();
});

test.each([
  ['the beginning of JSON', { kind: 'json' as const, text: '{"name":[{"family":"Okonjo', isCut: true }],
  ['the beginning of a text', { kind: 'text' as const, text: 'Seen: Okonjo', isCut: true }],
  ['more than can be looked at', json(Array.from({ length: 30_000 }, () => 1))],
])('what was logged is not shown where the output is %s: nobody can say whom it names', (_, output) => {
  const masked = maskRun({ input: json({ resourceType: 'Parameters' }), output });
  expect([masked.input, masked.output, masked.mask('Okonjo')]).toEqual(['{"resourceType":"Parameters"}', null, null]);
});

test('of many values that begin alike each is masked, in any case, and nothing is shown where looking would take too long', () => {
  const given = Array.from({ length: 900 }, (_, i) => `MRN ${i} x`);
  const { mask } = maskRun({ input: json({ given }), output: null });
  expect(mask('mrn 7 x, MRN 899 X, mrn 900 x')).toBe('•••, •••, mrn 900 x');
  const alike = Array.from({ length: 400 }, (_, i) => `a${' a'.repeat(i % 200)}${i}`);
  const crowded = maskRun({ input: json({ given: alike, code: { a: 1 } }), output: null });
  expect([crowded.mask('a '.repeat(50_000)), crowded.mask('a')]).toEqual([null, null]);
  const zs = Array.from({ length: 20_000 }, (_, i) => `ZA|a ${i}`).join('\r');
  const hl7 = { kind: 'hl7' as const, text: `MSH|^~\\&|A|B|C|D|20260101||ADT^A01|7|P|2.5\r${zs}` };
  const { input, mask: ofHl7 } = maskRun({ input: hl7, output: null });
  expect([input, ofHl7('a 1')]).toEqual([null, null]);
});

test('a capital that is two letters when it is small hides no name', () => {
  const { mask } = maskRun({ input: json({ family: 'İnci', given: ['Ayşe'] }), output: null });
  for (const said of ['İnci Ayşe', 'inci AYŞE', 'İİ: İNCİ ayşe']) expect(mask(said)).toMatch(/^(İİ: )?••• •••$/);
});

test('addresses of mail are masked where they stand', () => {
  const { mask } = maskRun({ input: json({ family: 'Okonjo' }), output: null });
  expect(mask('to a.b+c@x.example.org, <d@e.fr>; @no.body a@b')).toBe('to •••, <•••>; @no.body a@b');
});

/** What the sceptic's runs showed, and what may be shown of each. */
test.each<[string, object, string[], object]>([
  [
    'an extension',
    {
      resourceType: 'Patient',
      extension: [
        { url: 'http://hl7.org/fhir/StructureDefinition/patient-mothersMaidenName', valueString: 'Hildegunn' },
        {
          url: 'urn:x',
          valueCodeableConcept: { text: 'Sikh', coding: [{ system: 'urn:s', code: 'c1', display: 'Sikh' }] },
        },
        { url: 'urn:n', valueInteger: 734 },
      ],
      communication: [{ language: { text: 'Igbo' } }],
      photo: [{ contentType: 'image/jpeg', url: 'https://x.example/okonjo.jpg', title: 'Okonjo' }],
      _birthDate: { extension: [{ url: 'urn:t', valueDateTime: '1970-01-02T03:04:05Z' }] },
    },
    ['Hildegunn', 'Sikh', '734', 'Igbo', 'okonjo', '03:04'],
    { extension: [{ valueString: '•••' }, { valueCodeableConcept: { coding: [{ code: 'c1' }] } }, {}] },
  ],
  [
    'a coverage',
    { resourceType: 'Coverage', status: 'active', subscriberId: 'SUBS-9912' },
    ['9912'],
    { status: 'active' },
  ],
  [
    'a device',
    {
      resourceType: 'Device',
      serialNumber: 'SER-777',
      udiCarrier: [{ carrierHRF: '(01)UDI-1', deviceIdentifier: 'DI-55' }],
    },
    ['SER-777', 'UDI-1', 'DI-55'],
    {},
  ],
  [
    'an observation',
    {
      resourceType: 'Observation',
      code: { coding: [{ system: 'http://loinc.org', code: '718-7' }], text: 'Hb of Xaver' },
      subject: { reference: 'Patient/p1', display: 'Xaver' },
      effectiveDateTime: '2026-02-03',
      valueQuantity: { value: 5.4, unit: 'mmol/l', system: 'http://unitsofmeasure.org' },
      note: [{ text: 'Hildegunn said', authorString: 'Nurse Betty' }],
      meta: { versionId: '1', tag: [{ system: 'urn:t', code: 'x', display: 'Mustermann' }] },
    },
    ['Xaver', 'Hildegunn', 'Betty', 'Mustermann', '2026-02-03'],
    {
      code: { coding: [{ system: 'http://loinc.org', code: '718-7' }] },
      subject: { reference: 'Patient/p1' },
      valueQuantity: { value: 5.4, unit: 'mmol/l' },
    },
  ],
  [
    'a bundle',
    {
      resourceType: 'Bundle',
      type: 'batch',
      entry: [
        { request: { method: 'GET', url: 'Patient?name=Mustermann' } },
        {
          resource: {
            resourceType: 'Communication',
            status: 'completed',
            payload: [{ contentString: 'Dear Mr Mustermann' }],
          },
        },
        { resource: { resourceType: 'Account', status: 'active', name: 'HACC for Mustermann' } },
      ],
    },
    ['Mustermann'],
    { entry: [{ request: { method: 'GET' } }, { resource: { status: 'completed' } }, {}] },
  ],
  [
    'parameters',
    {
      resourceType: 'Parameters',
      parameter: [
        { name: 'ssn', valueString: '123-45-6789' },
        { name: 'n', valueInteger: 4711 },
      ],
    },
    ['6789', '4711'],
    { parameter: [{ name: 'ssn' }, { name: 'n' }] },
  ],
  [
    'a task',
    {
      resourceType: 'Task',
      status: 'requested',
      description: 'Call Mustermann',
      input: [{ type: { text: 'name' }, valueString: 'Mustermann' }],
    },
    ['Mustermann'],
    { status: 'requested' },
  ],
  [
    'what is no FHIR',
    {
      customer: 'Mustermann',
      memberId: 'M-1',
      ssn: 1,
      number: 123_456_789,
      address1: 'Street 5',
      status: 'new',
      n: 7,
      list: ['Q'],
    },
    ['Mustermann', 'M-1', '123456789', 'Street', '"Q"'],
    { status: 'new', n: 7 },
  ],
])(
  'of %s the codes, statuses, ids and numbers are shown, and none of its texts, also where one was logged',
  (_, value, hidden, shown) => {
    const { input, mask } = maskRun({ input: json(value), output: null });
    for (const word of hidden) expect(input!.toLowerCase()).not.toContain(word.toLowerCase());
    expect(JSON.parse(input!)).toMatchObject(shown);
    if (!('resourceType' in value)) return;
    for (const text of ['Mustermann', 'Hildegunn', 'Nurse Betty', 'SUBS-9912', '123-45-6789'])
      if (JSON.stringify(value).includes(`"${text}"`)) expect(mask(`saw ${text}`)).toBe('saw •••');
  },
);
