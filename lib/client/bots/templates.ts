import type { InputKind } from './execute.ts';

export type BotTemplate = {
  id: 'echo' | 'hl7-patient' | 'new-patients';
  name: string;
  description: string;
  code: string;
  /** What to run it with first. */
  sample: { kind: InputKind; text: string };
};

const ECHO = `import type { BotEvent, MedplumClient } from '@medplum/core';

// Answers with what it was sent.
export async function handler(medplum: MedplumClient, event: BotEvent): Promise<unknown> {
  console.log('Got', event.contentType || 'a query');
  return { youSent: event.input };
}
`;

const HL7_PATIENT = `import type { BotEvent, Hl7Message, MedplumClient } from '@medplum/core';

// Takes an HL7 v2 admission and keeps its patient: one Patient per record number, however often the message comes.
export async function handler(medplum: MedplumClient, event: BotEvent<Hl7Message>): Promise<unknown> {
  const pid = event.input.getSegment('PID');
  const recordNumber = pid?.getComponent(3, 1);
  if (!pid || !recordNumber) {
    throw new Error('The message has no PID-3 (record number)');
  }
  const identifier = { system: 'urn:example:record-number', value: recordNumber };
  const patient = await medplum.createResourceIfNoneExist(
    {
      resourceType: 'Patient',
      identifier: [identifier],
      name: [{ family: pid.getComponent(5, 1), given: [pid.getComponent(5, 2)] }],
    },
    \`identifier=\${identifier.system}|\${identifier.value}\`
  );
  console.log('Patient/' + patient.id);
  return event.input.buildAck();
}
`;

const NEW_PATIENTS = `import type { BotEvent, MedplumClient } from '@medplum/core';

// Counts the patients that were added or changed in the last days. Call it with ?days=7.
export async function handler(medplum: MedplumClient, event: BotEvent<{ days?: string }>): Promise<unknown> {
  const days = Number(event.input?.days ?? 1);
  const since = new Date(Date.now() - days * 24 * 60 * 60 * 1000);
  const patients = await medplum.searchResources('Patient', {
    _lastUpdated: 'ge' + since.toISOString(),
    _count: '1000',
  });
  return { since: since.toISOString(), patients: patients.length };
}
`;

const ADT = [
  'MSH|^~\\&|ADT|HILLSIDE|GATEHOUSE|HILLSIDE|202611201200||ADT^A01|MSG00001|P|2.5',
  'EVN|A01|202611201200',
  'PID|1||RN-1001^^^HILLSIDE^MR||Everyday^Eve||19610615|F',
].join('\n');

/** Three bots to start from. Each is created, deployed and ready to run. */
export const BOT_TEMPLATES: readonly BotTemplate[] = [
  {
    id: 'echo',
    name: 'Echo',
    description: 'Answers with what it was sent. The shortest way to see a bot run.',
    code: ECHO,
    sample: { kind: 'json', text: '{\n  "hello": "world"\n}' },
  },
  {
    id: 'hl7-patient',
    name: 'HL7 v2 to Patient',
    description: 'Takes an admission message, keeps its Patient once, answers with an ACK.',
    code: HL7_PATIENT,
    sample: { kind: 'hl7', text: ADT },
  },
  {
    id: 'new-patients',
    name: 'Patient count',
    description: 'Searches the project as itself and answers with a small report.',
    code: NEW_PATIENTS,
    sample: { kind: 'query', text: 'days=7' },
  },
];
