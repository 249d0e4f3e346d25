import { type SQL, sql } from 'drizzle-orm';
import { SERVER_SCOPE } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
import { ofProject } from '#lib/infra/db/server-role/of-project.ts';
import { isAnyOf } from '#lib/infra/db/text-array.ts';
import { toInstant } from '#lib/infra/db/to-instant.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import type {
  BotDraftLine,
  BotSampleLine,
  BotVersionLine,
  MembershipLine,
  PersonLine,
  SmallLine,
} from '#lib/protocol/transfer/lines.ts';
import { listBytes } from '../bytes/list-bytes.ts';

const ROWS = 500;
/** Of a Binary at once, before base64. */
const PIECE_BYTES = 768 * 1024;

/** All pages of one kind, each read when the one before was taken: `find` gives those after the last one's key. */
async function* pages<R, L>(
  find: (after: string, most: number) => Promise<R[]>,
  keyOf: (row: R) => string,
  toLine: (row: R) => L,
  most = ROWS,
): AsyncGenerator<L[]> {
  for (let after = ''; ; ) {
    const rows = await find(after, most);
    if (rows.length > 0) yield rows.map(toLine);
    const last = rows.at(-1);
    if (!last || rows.length < most) return;
    after = keyOf(last);
  }
}

type Named = { id: string; email: string | null; first: string | null; last: string | null };

/** The members whose account stands above projects. Where it stands is asked apart: a statement reads one project. */
export async function* personPages(projectId: string): AsyncGenerator<PersonLine[]> {
  const refs = pages<{ ref: string }, string>(
    (after, most) =>
      db().execute(sql`
        select distinct k.user_ref as ref from membership_key k
        where k.project_id = ${projectId} and k.user_ref like 'User/%' and k.user_ref > ${after} and not exists (
          select from resource u where u.project_id = ${projectId} and u.type_id = ${typeId('User')} and u.id = substr(k.user_ref, 6))
        order by 1 limit ${most}`),
    ({ ref }) => ref,
    ({ ref }) => ref.slice('User/'.length),
  );
  for await (const ids of refs) {
    const found = await db().execute<Named>(sql`
      select u.id, u.content->>'email' as email, u.content->>'firstName' as first, u.content->>'lastName' as last from resource u
      where u.project_id = ${SERVER_SCOPE} and u.type_id = ${typeId('User')} and not u.deleted and ${isAnyOf(sql`u.id`, ids)} order by u.id`);
    yield found.map(({ id, email, first, last }) => ({
      kind: 'person',
      id,
      email: email ?? undefined,
      firstName: first ?? undefined,
      lastName: last ?? undefined,
    }));
  }
}

type Member = {
  id: string;
  user: string;
  further: boolean;
  awaits_proof: boolean;
  invite_status: string;
  invited_at: string | null;
};

export function membershipPages(projectId: string): AsyncGenerator<MembershipLine[]> {
  return pages<Member, MembershipLine>(
    (after, most) =>
      db().execute(sql`
        select k.membership_id::text as id, k.user_ref as user, k.slot <> '' as further, k.awaits_proof, k.invite_status, k.invited_at
        from membership_key k where k.project_id = ${projectId} ${isAfter(sql`k.membership_id`, after)} order by k.membership_id limit ${most}`),
    ({ id }) => id,
    ({ awaits_proof, invite_status, invited_at, ...rest }) => ({
      kind: 'membership',
      ...rest,
      awaitsProof: awaits_proof,
      inviteStatus: invite_status,
      invitedAt: invited_at && toInstant(invited_at),
    }),
  );
}

type Code = Omit<BotVersionLine, 'kind' | 'botId' | 'sourceMap' | 'createdAt' | 'note' | 'fromNumber' | 'files'> & {
  files: string | null;
  bot_id: string;
  source_map: string | null;
  note: string | null;
  from_number: number | null;
  created_at: string;
};

type SampleText = Record<'bot_id' | 'id' | 'name' | 'content_type' | 'input' | 'expects' | 'updated_at', string> &
  Record<'stubs' | 'author', string | null>;

/** A few at once: sources and bundles are long. */
const BOT_VERSIONS = 5;

export function botVersionPages(projectId: string): AsyncGenerator<BotVersionLine[]> {
  return pages<Code, BotVersionLine>(
    (after, most) => {
      const [bot, number] = after.split(' ');
      const rest = bot ? sql`and (v.bot_id, v.number) > (${bot}::uuid, ${Number(number)}::int)` : sql``;
      return db().execute(sql`
        select v.bot_id::text as bot_id, v.number, v.filename, v.source, v.files, v.bundle, v.source_map, v.author, v.note, v.from_number, v.created_at
        from bot_version v where v.project_id = ${projectId} ${rest} order by v.bot_id, v.number limit ${most}`);
    },
    ({ bot_id, number }) => `${bot_id} ${number}`,
    ({ bot_id, source_map, note, from_number, created_at, files, ...rest }) => ({
      kind: 'bot-version',
      botId: bot_id,
      ...rest,
      files: files === null ? undefined : JSON.parse(files),
      sourceMap: source_map,
      note: note ?? undefined,
      fromNumber: from_number ?? undefined,
      createdAt: toInstant(created_at),
    }),
    BOT_VERSIONS,
  );
}

export function deploymentPages(projectId: string): AsyncGenerator<SmallLine[]> {
  return pages<{ bot_id: string; number: number }, SmallLine>(
    (after, most) =>
      db().execute(sql`
        select d.bot_id::text as bot_id, d.number from bot_deployment d
        where d.project_id = ${projectId} ${isAfter(sql`d.bot_id`, after)} order by d.bot_id limit ${most}`),
    (row) => row.bot_id,
    ({ bot_id, number }) => ({ kind: 'bot-deployment', botId: bot_id, number }),
  );
}

export function draftPages(projectId: string): AsyncGenerator<BotDraftLine[]> {
  return pages<{ bot_id: string; files: string }, BotDraftLine>(
    (after, most) =>
      db().execute(sql`
        select d.bot_id::text as bot_id, d.files from bot_draft d
        where d.project_id = ${projectId} ${isAfter(sql`d.bot_id`, after)} order by d.bot_id limit ${most}`),
    (row) => row.bot_id,
    ({ bot_id, files }) => ({ kind: 'bot-draft', botId: bot_id, files: JSON.parse(files) }),
    BOT_VERSIONS,
  );
}

export function samplePages(projectId: string): AsyncGenerator<BotSampleLine[]> {
  return pages<SampleText, BotSampleLine>(
    (after, most) => {
      const [bot, id] = after.split(' ');
      const rest = bot ? sql`and (s.bot_id, s.id) > (${bot}::uuid, ${id}::uuid)` : sql``;
      return db().execute(sql`
        select s.bot_id::text as bot_id, s.id::text as id, s.name, s.content_type, s.input, s.expects, s.stubs, s.author, s.updated_at
        from bot_sample s where s.project_id = ${projectId} ${rest} order by s.bot_id, s.id limit ${most}`);
    },
    ({ bot_id, id }) => `${bot_id} ${id}`,
    ({ bot_id: botId, id, name, content_type: contentType, input: body, expects, stubs, author, updated_at }) => ({
      ...{ kind: 'bot-sample', botId, id, name, input: { contentType, body }, expects: JSON.parse(expects) },
      ...(stubs !== null && { stubs: JSON.parse(stubs) }),
      ...{ author, updatedAt: toInstant(updated_at) },
    }),
    BOT_VERSIONS,
  );
}

export function botSecretPages(projectId: string): AsyncGenerator<SmallLine[]> {
  return pages<{ bot_id: string; name: string }, SmallLine>(
    (after, most) => {
      const [bot, ...name] = after.split(' ');
      const rest = bot ? sql`and (s.bot_id, s.name) > (${bot}::uuid, ${name.join(' ')})` : sql``;
      return ofProject(projectId, undefined, (tx) =>
        tx.execute(sql`
          select s.bot_id::text as bot_id, s.name from bot_secret s
          where s.project_id = ${projectId} ${rest} order by s.bot_id, s.name limit ${most}`),
      );
    },
    ({ bot_id, name }) => `${bot_id} ${name}`,
    ({ bot_id, name }) => ({ kind: 'bot-secret-name', botId: bot_id, name }),
  );
}

export function secretPages(projectId: string): AsyncGenerator<SmallLine[]> {
  return pages<{ name: string }, SmallLine>(
    (after, most) =>
      ofProject(projectId, undefined, (tx) =>
        tx.execute(sql`
          select s.name from project_secret s where s.project_id = ${projectId} and s.name > ${after} order by s.name limit ${most}`),
      ),
    ({ name }) => name,
    ({ name }) => ({ kind: 'secret-name', name }),
  );
}

/** The bytes of every Binary, one piece in memory. */
export async function* binaryPages(projectId: string): AsyncGenerator<SmallLine[]> {
  for await (const { id, since, until, size, read } of listBytes(projectId)) {
    for (let piece = 0; piece === 0 || piece * PIECE_BYTES < size; piece += 1) {
      const bytes = size === 0 ? Buffer.alloc(0) : await read(piece * PIECE_BYTES, PIECE_BYTES);
      if (bytes === undefined) break;
      yield [{ kind: 'binary', id, since, until, piece, data: bytes.toString('base64') }];
    }
  }
}

function isAfter(column: SQL, after: string): SQL {
  return after ? sql`and ${column} > ${after}::uuid` : sql``;
}
