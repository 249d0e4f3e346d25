import { type Queryable, runText } from '#lib/infra/db/client.ts';
import { type CodeSystem, type Concept, readConcepts } from '#lib/protocol/fhir/terminology/read-concepts.ts';
import { readProperties } from '#lib/protocol/fhir/terminology/read-properties.ts';
import { parseJson } from '#lib/protocol/json/json.ts';
import type { Row } from '../store/row.ts';

/** Concepts of one statement. */
const CHUNK = 5000;
/** A longer address is no name that anybody asks for. */
const MAX_URL = 1000;

type Read = CodeSystem & {
  caseSensitive?: boolean;
  url?: string;
  version?: string;
  name?: string;
  title?: string;
  status?: string;
};

/**
 * The concepts of a CodeSystem as this version of it has them, instead of those of the one before; none of what is deleted. In the transaction of the
 * change. What was placed of a later version stays.
 */
export async function placeConcepts(tx: Queryable, row: Row): Promise<void> {
  const { projectId, id, version } = row;
  const system = row.deleted || row.content === null ? undefined : (parseJson(row.content) as Read);
  const isKept = system?.url !== undefined && system.url.length <= MAX_URL;
  if (!isKept) {
    await runText(tx, 'delete from code_system where project_id = $1::uuid and id = $2', [projectId, id]);
    await runText(tx, 'delete from concept where project_id = $1::uuid and system_id = $2', [projectId, id]);
    return;
  }
  const { url, name, title, status, content, version: told, caseSensitive = null } = system;
  // In each: a head without `properties` is from before they were read (settle-systems.ts).
  const head = { version: told, name, title, status, content, caseSensitive, properties: readProperties(system) };
  const placed = await runText(tx, HEAD, [projectId, id, version, url, JSON.stringify(head)]);
  if (placed.length === 0) return;
  await runText(tx, 'delete from concept where project_id = $1::uuid and system_id = $2', [projectId, id]);
  let chunk: Concept[] = [];
  for (const concept of readConcepts(system)) {
    chunk.push(concept);
    if (chunk.length < CHUNK) continue;
    await runText(tx, CONCEPTS, [projectId, id, JSON.stringify(chunk)]);
    chunk = [];
  }
  if (chunk.length > 0) await runText(tx, CONCEPTS, [projectId, id, JSON.stringify(chunk)]);
}

/** First, and locked by it: who places the same waits here. */
const HEAD = `
  insert into code_system as s (project_id, id, row_version, url, head) values ($1::uuid, $2, $3::int, $4, $5::text::jsonb)
  on conflict (project_id, id) do update set row_version = excluded.row_version, url = excluded.url, head = excluded.head
    where s.row_version <= excluded.row_version
  returning 1`;
const COLUMNS = 'code, at, display, definition, sought, parents, ancestors, rest';
const CONCEPTS = `
  insert into concept (project_id, system_id, ${COLUMNS})
  select $1::uuid, $2, ${COLUMNS} from jsonb_to_recordset($3::text::jsonb)
    as n(code text, at int, display text, definition text, sought text, parents text[], ancestors text[], rest jsonb)`;
