import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** What was refused, where it stands, and what each issue of the answer says. */
export type Refused = { from: string; status: string; texts: string[] };
type Expected = { file: string; lines?: readonly number[]; status: string; says: string; because: string };

/** Of HL7's definitions and examples of R4, what R4's own rules or a deliberate one of ours refuse. Everything else goes in. */
const EXPECTED: readonly Expected[] = [
  {
    file: 'r4-definitions/CodeSystem.ndjson.gz',
    lines: [829],
    status: '400',
    says: 'must be a code: no white space at the ends, single spaces inside',
    because: 'codes of v2-0550 end with a no-break space, which is none in a code by R4’s JSON schema',
  },
  {
    file: 'r4-definitions/SearchParameter.ndjson.gz',
    lines: [1342, 1343, 1344, 1345, 1346, 1396, 1397, 1398, 1399, 1400],
    status: '400',
    says: 'base is required',
    because: 'SearchParameter.base is 1..*',
  },
  {
    file: 'r4-definitions/SearchParameter.ndjson.gz',
    lines: [1395],
    status: '400',
    says: 'must be an id: 1 to 64 letters, digits, - and .',
    because: 'its id is longer than 64 characters',
  },
  {
    file: 'r4-examples/auditevent-example.json',
    status: '405',
    says: 'The server writes the audit log, and nobody changes it',
    because: 'our rule: nobody writes the audit log',
  },
  {
    file: 'r4-examples/binary-example.json',
    status: '400',
    says: 'The security context must be a resource that you may read',
    because: 'our rule: who sets a security context must be able to read it, and this one is not there',
  },
  {
    file: 'r4-examples/bundle-questionnaire.json',
    status: '400',
    says: 'linkId is required',
    because: 'Questionnaire.item.linkId is 1..1',
  },
  {
    file: 'r4-examples/codesystem-example.json',
    status: '400',
    says: 'Within a code system definition, all the codes SHALL be unique (csd-1)',
    because: 'it has the code chol-mass twice',
  },
  {
    file: 'r4-examples/deviceusestatement-example.json',
    status: '400',
    says: 'Must refer to Condition, Observation, DiagnosticReport, DocumentReference, Media, not to Procedure',
    because: 'DeviceUseStatement.reasonReference may not refer to a Procedure',
  },
  {
    file: 'r4-examples/subscription-example.json',
    status: '422',
    says: 'It has ended',
    because: 'our rule: a Subscription whose end is past is not begun',
  },
];

/** Expected is what is refused for that reason and for no other; unexpected also what is no longer refused, as lines to print. */
export function sortOut(folder: string, refused: readonly Refused[]): { expected: string[]; unexpected: string[] } {
  const known = new Map(
    EXPECTED.filter(({ file }) => existsSync(join(folder, file))).flatMap((one) =>
      (one.lines ?? [undefined]).map((line) => [line === undefined ? one.file : `${one.file}:${line}`, one] as const),
    ),
  );
  const expected: string[] = [];
  const unexpected: string[] = [];
  for (const { from, status, texts } of refused) {
    const one = known.get(from);
    known.delete(from);
    if (one && status.startsWith(one.status) && texts.length > 0 && texts.every((text) => text === one.says)) {
      expected.push(`${from}: ${one.because}`);
    } else unexpected.push(`${from}: ${status} ${[...new Set(texts)].join('; ').slice(0, 500)}`);
  }
  for (const [from, { says }] of known) unexpected.push(`${from}: is no longer refused (${says})`);
  return { expected, unexpected };
}
