import { setTimeout as pause } from 'node:timers/promises';
import type { Entry, Ledger } from './ledger.ts';
import type { Answer, Project } from './project.ts';

export const SYSTEM = 'https://faults.example/key';
const JOB_ROWS = 20;
/** Who was refused asks again a little later. */
const AGAIN_MS = 200;
const BETWEEN_MS = 20;
/** Of each kind of invitation. Two a second leave, all kinds together: so every mail has come when the run ends, and each can be asked after. */
export const MAILS_PER_SECOND = 0.5;

type Work = (number: number) => Promise<boolean>;

/** Writes of every kind, one after the other of each, for as long as `goesOn`; each is noted with whether it was acknowledged. */
export async function work(
  project: Project,
  ledger: Ledger,
  goesOn: () => boolean,
  mailsPerSecond = MAILS_PER_SECOND,
): Promise<void> {
  const [mayMailInvite, mayMailRow] = [rationMails(mailsPerSecond), rationMails(mailsPerSecond)];
  const kinds: Work[] = [create, await makeUpdate(), invite, await makePatch(), run, job];
  await Promise.all(
    kinds.map(async (kind) => {
      for (let number = 0; goesOn(); number++) await pause((await kind(number)) ? BETWEEN_MS : AGAIN_MS);
    }),
  );

  async function create(number: number): Promise<boolean> {
    const key = `p${number}`;
    return note(ledger.creates, key, await project.ask('POST', 'fhir/R4/Patient', patient(key)));
  }

  /** Every acknowledged number is a version; one that was not may be. */
  async function makeUpdate(): Promise<Work> {
    const id = await must(project.ask('POST', 'fhir/R4/Patient', patient('updated')));
    return async (number) => {
      const body = { ...patient('updated'), id, name: [{ family: `n${number}` }] };
      return note(ledger.updates, `${id}/n${number}`, await project.ask('PUT', `fhir/R4/Patient/${id}`, body));
    };
  }

  async function invite(number: number): Promise<boolean> {
    const row = invitation(`invite-${number}`, project, mayMailInvite());
    return note(ledger.invites, row.email, await project.ask('POST', `${admin()}/invite`, row), row.sendEmail);
  }

  async function makePatch(): Promise<Work> {
    const id = await must(project.ask('POST', `${admin()}/invite`, invitation('patched', project, false)));
    return async (number) => {
      const body = [{ op: 'replace', path: '/admin', value: number % 2 === 0 }];
      const type = 'application/json-patch+json';
      const answer = await project.ask('PATCH', `${admin()}/members/${id}`, body, type);
      return note(ledger.patches, `${id}/${number % 2 === 0}`, answer);
    };
  }

  async function run(number: number): Promise<boolean> {
    const answer = await project.ask('POST', `fhir/R4/Bot/${project.botId}/$execute`, { number });
    return note(ledger.runs, answer?.requestId || `unknown ${number}`, answer);
  }

  async function job(number: number): Promise<boolean> {
    const rows = Array.from({ length: JOB_ROWS }, (_, row) =>
      invitation(`job-${number}-${row}`, project, mayMailRow()),
    );
    const answer = await project.ask('POST', `${admin()}/jobs`, { kind: 'invite', rows });
    for (const { email, sendEmail } of rows) note(ledger.jobRows, email, answer, sendEmail);
    // One at a time: what is asked for is to be done within the test.
    while (isDone(answer) && goesOn() && (await isUnderWay(answer?.body.id))) await pause(AGAIN_MS);
    return isDone(answer);
  }

  async function isUnderWay(id: string | undefined): Promise<boolean> {
    const answer = await project.ask('GET', `${admin()}/jobs/${id}`);
    return !isDone(answer) || answer?.body.state !== 'done';
  }

  function admin(): string {
    return `admin/projects/${project.projectId}`;
  }
}

/** True for the first, and then as often as the time since then allows. */
function rationMails(perSecond: number): () => boolean {
  const start = performance.now();
  let asked = 0;
  return () => {
    const isDue = asked <= ((performance.now() - start) / 1000) * perSecond;
    if (isDue) asked += 1;
    return isDue;
  };
}

function note(entries: Entry[], key: string, answer: Answer | undefined, mailed?: boolean): boolean {
  entries.push({ key, acknowledged: isDone(answer), mailed });
  return isDone(answer);
}

function isDone(answer: Answer | undefined): boolean {
  return answer !== undefined && answer.status < 300;
}

async function must(asked: Promise<Answer | undefined>): Promise<string> {
  const answer = await asked;
  if (!isDone(answer) || !answer?.body.id)
    throw new Error(`Nothing could be made to work on: ${JSON.stringify(answer)}`);
  return answer.body.id;
}

function patient(key: string) {
  return { resourceType: 'Patient', identifier: [{ system: SYSTEM, value: key }], name: [{ family: key }] };
}

function invitation(name: string, { domain }: Project, sendEmail: boolean) {
  const email = `${name}@${domain}`;
  return { resourceType: 'Practitioner', firstName: 'Fay', lastName: name, email, sendEmail };
}
