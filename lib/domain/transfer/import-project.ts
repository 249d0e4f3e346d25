import { AppError } from '#lib/base/errors.ts';
import { SERVER_SCOPE, SUPER_ADMIN_PROJECT } from '#lib/base/ids.ts';
import { tryLockName } from '#lib/infra/db/lock-name.ts';
import { readProgress } from '#lib/infra/db/upkeep.ts';
import type { ProjectImported } from '#lib/protocol/answers/project-imported.ts';
import type { Project } from '#lib/protocol/fhir/types.ts';
import { type FileLine, parseLine } from '#lib/protocol/transfer/parse-line.ts';
import { policiesTag, projectTag } from '../access/cache-tags.ts';
import { type Actor, type Ctx, requireSuperAdmin, type Write } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { settleSchedules } from '../bot-events/settle-schedule.ts';
import { dropLostSamples } from '../bot-samples/place-samples.ts';
import { dropLostCode } from '../bots/place-code.ts';
import { dropLostBytes } from '../bytes/place-bytes.ts';
import { endOfLink } from '../links/create-link.ts';
import { findStranger, settleKeys } from '../memberships/arrival/place-keys.ts';
import { REMOVALS } from '../projects/ask-removal.ts';
import { requireProof } from '../proofs/require-proof.ts';
import { findRow } from '../store/find-row.ts';
import { settleArrived } from '../store/own-params/settle-arrived.ts';
import { createArrivals } from './arrivals.ts';
import { inviteArrived } from './invite-arrived.ts';
import { type NumberedLine, numberedLines } from './numbered-lines.ts';

type ManifestLine = Extract<FileLine, { kind: 'manifest' }>;
type EndLine = Extract<FileLine, { kind: 'end' }>;

const MOST_SECRETS = 1000;
const MOST_BOT_SECRETS = 10_000;

/**
 * The file of a project (`exportProject`) becomes that project here, with its ids, all versions, members and programs: all of it or nothing, in one
 * transaction that reads the file as it comes. Nobody is let in by it: each person has an account of the project alone, and is invited; programs have
 * secrets that nobody knows. One at a time on a server. For super-admins, with a proof. Throws 400 naming the line, and 409 for ids that are taken.
 */
export async function importProject(ctx: Ctx, chunks: AsyncIterable<Uint8Array>): Promise<ProjectImported> {
  const actor = requireSuperAdmin(ctx);
  await requireProof(actor);
  let begun = false;
  return write(ctx, async (w) => {
    // What was read of the file is gone.
    if (begun) throw new AppError('conflict', 'The import was disturbed: send the file again');
    begun = true;
    if (!(await tryLockName(w.tx, 'project-import')))
      throw new AppError('conflict', 'Another project is being imported: send this one when that is done');
    return takeAll(w, actor, numberedLines(chunks));
  });
}

async function takeAll(w: Write, actor: Actor, lines: AsyncGenerator<NumberedLine>): Promise<ProjectImported> {
  const at = new Date();
  const asked = { at, until: endOfLink('invite', at) };
  const secrets: string[] = [];
  const botSecrets: { bot: string; name: string }[] = [];
  const came: Record<string, number> = {};
  let manifest: ManifestLine | undefined;
  let end: EndLine | undefined;
  let arrivals: ReturnType<typeof createArrivals> | undefined;
  try {
    for await (const { number, text, sha256 } of lines) {
      await named(number, async () => {
        if (end) throw new AppError('invalid', 'It stands after the end');
        const line = parseLine(text);
        if (!manifest || !arrivals) {
          manifest = await requireManifest(w, line);
          arrivals = createArrivals(w, manifest.project.id, asked);
        } else if (line.kind === 'manifest') throw new AppError('invalid', 'It stands twice');
        else if (line.kind === 'end') end = requireWhole(line, came, sha256());
        else if (line.kind === 'secret-name') secrets.push(line.name);
        else if (line.kind === 'bot-secret-name') botSecrets.push({ bot: `Bot/${line.botId}`, name: line.name });
        else await arrivals.take(line, text.length);
        if (secrets.length > MOST_SECRETS)
          throw new AppError('invalid', `A project has ${MOST_SECRETS} secrets at most`);
        if (botSecrets.length > MOST_BOT_SECRETS)
          throw new AppError('invalid', `The bots of a project have ${MOST_BOT_SECRETS} secrets at most`);
        came[line.kind] = (came[line.kind] ?? 0) + 1;
      });
    }
  } finally {
    if (!end) arrivals?.giveUp();
  }
  if (!manifest || !arrivals || !end) throw new AppError('invalid', 'The file was cut: its last line is missing');
  const projectId = manifest.project.id;
  const project = (await named(end.lines, arrivals.end)) as Project;
  await settle(w, projectId, project);
  const timedBots = await settleSchedules(w, projectId);
  const mailed = await inviteArrived(w, actor, { projectId, project, asked });
  const { people, ...counts } = arrivals.counts;
  const after = { source: manifest.source, asOf: manifest.asOf, sha256: end.sha256, versions: counts.versions, people };
  for (const log of [projectId, SERVER_SCOPE])
    w.audit({ projectId: log, action: 'project.import', target: `Project/${projectId}`, after });
  w.invalidate(projectTag(projectId));
  w.invalidate(policiesTag(projectId));
  const reference = { reference: `Project/${projectId}`, ...(project.name && { display: project.name }) };
  return { project: reference, lines: end.lines, people, mailed, ...counts, timedBots, secrets, botSecrets };
}

async function requireManifest(w: Write, line: FileLine): Promise<ManifestLine> {
  if (line.kind !== 'manifest') throw new AppError('invalid', 'This is not the file of a project');
  const { id } = line.project;
  if (id === SERVER_SCOPE || id === SUPER_ADMIN_PROJECT)
    throw new AppError('invalid', 'No project has this id', { expression: 'project.id' });
  if (await findRow(id, 'Project', id, w.tx))
    throw new AppError('conflict', 'This project is on this server already', { expression: 'project.id' });
  if (await readProgress(`${REMOVALS}${id}`))
    throw new AppError('conflict', 'This project is being removed from this server: send the file when it is gone');
  return line;
}

function requireWhole(end: EndLine, came: Record<string, number>, sha256: string): EndLine {
  const lines = Object.values(came).reduce((sum, n) => sum + n, 0);
  if (end.lines !== lines)
    throw new AppError('invalid', `The file was altered: it has ${lines} lines, and had ${end.lines}`);
  for (const kind of new Set([...Object.keys(came), ...Object.keys(end.counts)])) {
    const [is, was] = [came[kind] ?? 0, end.counts[kind] ?? 0];
    if (is !== was) throw new AppError('invalid', `The file was altered: it has ${is} lines “${kind}”, and had ${was}`);
  }
  if (end.sha256 !== sha256)
    throw new AppError('invalid', 'The file was altered: its bytes are not those that were exported');
  return end;
}

async function settle(w: Write, projectId: string, project: Project): Promise<void> {
  await dropLostCode(w.tx, projectId);
  await dropLostSamples(w.tx, projectId);
  await dropLostBytes(w.tx, projectId);
  await settleKeys(w.tx, projectId);
  await settleArrived(w, projectId, project);
  const stranger = await findStranger(w.tx, projectId);
  if (!stranger) return;
  const text = `ProjectMembership/${stranger.id} is of ${stranger.user}, of whom the file has nothing`;
  throw new AppError('invalid', text);
}

/** Rows go to the database some at a time: it may be one of the lines before that it refuses. */
async function named<T>(number: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code, message, options } = error;
    const issues = error.issues.map((issue) => ({ ...issue, text: `Line ${number}: ${issue.text}` }));
    throw new AppError(code === 'unknown-type' ? 'invalid' : code, `Line ${number}: ${message}`, {
      ...options,
      issues,
      cause: error,
    });
  }
}
