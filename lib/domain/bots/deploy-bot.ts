import { and, desc, eq } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { db, type Queryable } from '#lib/infra/db/client.ts';
import { botVersion } from '#lib/infra/db/schema/bots.ts';
import { MOST_PROGRAM_BYTES } from '#lib/protocol/bots/file-names.ts';
import type { BotFile } from '#lib/protocol/bots/files.ts';
import { type BotProgram, toProgram } from '#lib/protocol/bots/to-program.ts';
import { type Ctx, callerOf, requireActor } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { sourceHash } from '../bytes/source-hash.ts';
import { lockRow, requireLive } from '../store/find-row.ts';
import { beginCanary } from './canary/begin-canary.ts';
import { compileBot } from './compile-bot.ts';
import { filesHash, toFilesText } from './draft/draft-rows.ts';
import { findDeployed } from './live/find-deployed.ts';
import { setLive } from './live/set-live.ts';
import { requireBot, requireBotsFeature } from './require-bot.ts';

/**
 * `note`: what its author says of it. `canary`: the percentage of runs that it is tried on, beside what is live. `over`: what is live, as the caller knows it; 0 for
 * nothing.
 */
export type DeployInput = {
  code?: string;
  filename?: string;
  files?: BotFile[];
  note?: string;
  canary?: number;
  over?: number;
};
export type Deployed = { number: number };

/**
 * Compiles the source, with its files (TypeScript or JavaScript, CommonJS or ESM), keeps it as the next immutable version and points the
 * bot at it, or a share of its runs (`canary`).
 * `program`: what `programOf` has of it. `told`: what the audit log says of it besides. Compile errors: 400, one issue each, `file:line:column: message`; 412 where another version is live than `over`.
 */
export async function deployBot(
  ctx: Ctx,
  botId: string,
  input: Omit<DeployInput, 'code' | 'files'>,
  { program, told }: { program: BotProgram; told?: object },
): Promise<Deployed> {
  const actor = requireActor(ctx);
  const bot = await requireBot(ctx, botId, 'update');
  requireBotsFeature(actor);
  const { projectId } = bot.row;
  const { source, filename, files } = program;
  const built = await compileBot(projectId, program);
  const text = files && toFilesText(files);
  return write(ctx, async (w) => {
    const row = requireLive(await lockRow(w.tx, projectId, 'Bot', botId));
    if (input.over !== undefined) await requireLiveIs(w.tx, projectId, botId, input.over);
    const number = (await newestNumber(w.tx, projectId, botId)) + 1;
    await w.tx.insert(botVersion).values({
      projectId,
      botId,
      number,
      filename,
      source,
      sourceHash: sourceHash(Buffer.from(source)),
      files: text,
      filesHash: text && filesHash(text),
      bundle: built.code,
      sourceMap: built.sourceMap,
      author: callerOf(actor).profile,
      note: input.note,
    });
    const { note, canary } = input;
    const ended = canary === undefined ? await setLive(w, row, { number, filename, author: actor.profile }) : {};
    w.audit({
      projectId,
      action: 'bot.deploy',
      target: `Bot/${botId}`,
      after: { version: number, note, canary, ...ended, ...told },
    });
    if (canary !== undefined) await beginCanary(w, row, { number, share: canary, author: callerOf(actor).profile });
    return { number };
  });
}

/** What its author has seen is what is replaced. */
export async function requireLiveIs(tx: Queryable, projectId: string, botId: string, over: number): Promise<void> {
  const live = (await findDeployed(tx, projectId, botId)) ?? 0;
  if (live === over) return;
  const text = live === 0 ? 'Nothing is live by now' : `Version ${live} is live by now`;
  throw new AppError('precondition-failed', text, { expression: 'over' });
}

/** What a deploy would compile: what it brings, else what is live, or the newest version where nothing is. Throws 413 for more than 5 MiB. */
export async function programOf(projectId: string, botId: string, input: DeployInput): Promise<BotProgram> {
  const program = toProgram(input) ?? (await deployedProgram(projectId, botId, input.filename));
  requireShort(program);
  return program;
}

/** Throws 413 for code of more than 5 MiB, with all of its files. */
export function requireShort({ source, files = [] }: BotProgram): void {
  const bytes = files.reduce((sum, { content }) => sum + Buffer.byteLength(content), Buffer.byteLength(source));
  if (bytes > MOST_PROGRAM_BYTES)
    throw new AppError('content-too-large', 'The code is larger than 5 MiB', {
      expression: files.length > 0 ? 'files' : 'code',
    });
}

/** Under the name that is said now, else its own: by that it is TypeScript or JavaScript. */
async function deployedProgram(projectId: string, botId: string, filename: string | undefined): Promise<BotProgram> {
  // What was tried and taken back is newer than what is live.
  const [version] = await versions(db(), projectId, botId, await findDeployed(db(), projectId, botId));
  if (!version) throw new AppError('invalid', 'There is no code to deploy', { expression: 'code' });
  const { source, files } = version;
  const name = filename ?? version.filename;
  if (files === null) return toProgram({ code: source, filename: name })!;
  const others: BotFile[] = JSON.parse(files);
  return toProgram({
    filename: name,
    files: [{ filename: version.filename, content: source }, ...others],
  })!;
}

async function newestNumber(q: Queryable, projectId: string, botId: string): Promise<number> {
  const [version] = await versions(q, projectId, botId);
  return version?.number ?? 0;
}

/** That one, or the newest. */
function versions(q: Queryable, projectId: string, botId: string, number?: number) {
  return q
    .select({
      number: botVersion.number,
      filename: botVersion.filename,
      source: botVersion.source,
      files: botVersion.files,
    })
    .from(botVersion)
    .where(
      and(
        eq(botVersion.projectId, projectId),
        eq(botVersion.botId, botId),
        ...(number === undefined ? [] : [eq(botVersion.number, number)]),
      ),
    )
    .orderBy(desc(botVersion.number))
    .limit(1);
}
