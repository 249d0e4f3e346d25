import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import type { Queryable } from '#lib/infra/db/client.ts';
import type { Bot } from '#lib/protocol/fhir/types.ts';
import { dropDraftFiles, filesHash, keepDraftFiles } from './draft-rows.ts';

/** On a Bot's sourceCode: the hash of the draft's other files, which are kept beside it. Who saves another draft past this leaves it out. */
const DRAFT_FILES = 'urn:gatehouse:bot-draft-files';
/** Of a draft that had other files, and has none. */
export const NO_FILES = filesHash('[]');

type Draft = { filename: string; source: string; files: string | undefined };
type Extended = { extension?: { url?: string; valueString?: string }[] };

/** A draft as the Bot has it; its other files (`files`, as text) are kept. Under the bot's lock. */
export async function toSourceCode(
  tx: Queryable,
  projectId: string,
  bot: Bot & { id: string },
  { filename, source, files }: Draft,
): Promise<Bot['sourceCode']> {
  const contentType = /\.[mc]?js$/.test(filename) ? 'text/javascript' : 'text/typescript';
  const data = Buffer.from(source).toString('base64');
  if (files === undefined) {
    if (draftFilesOf(bot)) await dropDraftFiles(tx, projectId, bot.id);
    return { contentType, title: filename, data };
  }
  const valueString = await keepDraftFiles(tx, projectId, bot.id, files);
  return { extension: [{ url: DRAFT_FILES, valueString }], contentType, title: filename, data } as Bot['sourceCode'];
}

/** The hash of the other files of its draft. */
export function draftFilesOf({ sourceCode }: Bot): string | undefined {
  const { extension = [] } = (sourceCode ?? {}) as Extended;
  return extension.find(({ url }) => url === DRAFT_FILES)?.valueString;
}

/** The same in SQL, of a `sourceCode`. */
export function sqlDraftFiles(sourceCode: string): SQL {
  return sql.raw(
    `(jsonb_path_query_first(${sourceCode}, '$.extension[*] ? (@.url == "${DRAFT_FILES}").valueString') #>> '{}')`,
  );
}

/** Of a version in SQL; reckoned for what is older than its column. */
export const sqlVersionFiles: SQL = sql.raw(
  `coalesce(v.files_hash, encode(sha256(convert_to(coalesce(v.files, '[]'), 'UTF8')), 'hex'))`,
);
