import { type Queryable, runText } from '#lib/infra/db/client.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import type { BotFile } from '#lib/protocol/bots/files.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import { sourceHash } from '../bytes/source-hash.ts';
import { filesHash, toFilesText } from './draft/draft-rows.ts';

export type PlacedCode = {
  botId: string;
  number: number;
  filename: string;
  source: string;
  files?: BotFile[];
  bundle: string;
  sourceMap: string | null;
  author: string | null;
  note?: string | null;
  fromNumber?: number | null;
  createdAt: string;
};

const VERSION = `
  insert into bot_version (project_id, bot_id, number, filename, source, source_hash, bundle, source_map, author, created_at, note, from_number, files, files_hash)
  values ($1::uuid, $2::uuid, $3::int, $4, $5, $6, $7, $8, $9, $10::timestamptz, $11, $12::int, $13, $14)`;

/** A version of a bot's code as another server had it. */
export async function placeCode(tx: Queryable, projectId: string, code: PlacedCode): Promise<void> {
  const { botId, number, filename, source, bundle, sourceMap, author, createdAt, note, fromNumber, files } = code;
  const hash = sourceHash(Buffer.from(source)) ?? null;
  const rest = [source, hash, bundle, sourceMap, author, createdAt, note ?? null, fromNumber ?? null];
  const text = files ? toFilesText(files) : null;
  await runText(tx, VERSION, [projectId, botId, number, filename, ...rest, text, text && filesHash(text)]);
}

const DEPLOYMENTS = `
  insert into bot_deployment (project_id, bot_id, number) select $1::uuid, b, n from unnest($2::uuid[], $3::int[]) as d(b, n)`;

export async function placeDeployments(
  tx: Queryable,
  projectId: string,
  all: readonly { botId: string; number: number }[],
): Promise<void> {
  const numbers = toTextArray(all.map(({ number }) => String(number)));
  await runText(tx, DEPLOYMENTS, [projectId, toTextArray(all.map(({ botId }) => botId)), numbers]);
}

const BOT = `b.project_id = $1::uuid and b.type_id = ${typeId('Bot')}`;
const DROP_VERSIONS = `
  delete from bot_version v where v.project_id = $1::uuid and not exists (select from resource b where ${BOT} and b.id = v.bot_id::text)`;
const DROP_DEPLOYMENTS = `
  delete from bot_deployment d where d.project_id = $1::uuid
    and (not exists (select from resource b where ${BOT} and b.id = d.bot_id::text and not b.deleted)
      or not exists (select from bot_version v where v.project_id = $1::uuid and v.bot_id = d.bot_id and v.number = d.number))`;

const DROP_DRAFTS = `
  delete from bot_draft d where d.project_id = $1::uuid and not exists (select from resource b where ${BOT} and b.id = d.bot_id::text and not b.deleted)`;

/** Of bots that came or went while the file was made: code without its bot, and a deployment of what is not there. */
export async function dropLostCode(tx: Queryable, projectId: string): Promise<void> {
  await runText(tx, DROP_VERSIONS, [projectId]);
  await runText(tx, DROP_DEPLOYMENTS, [projectId]);
  await runText(tx, DROP_DRAFTS, [projectId]);
}
