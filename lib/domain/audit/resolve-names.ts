import { sql } from 'drizzle-orm';
import { SERVER_SCOPE } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import { parseReference } from '#lib/protocol/fhir/references.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import type { Reference } from '#lib/protocol/fhir/types.ts';

/** References to what people call them. */
export type Names = ReadonlyMap<string, string>;

const MOST = 1000;
/** As kept: of what is larger no name is looked for, since all of it would have to be unpacked. */
const MOST_BYTES = 100_000;

type Wanted = { text: string; type: number; id: string };
type Found = { reference: string; version: number; named: NameFields };

/**
 * How what is referred to is called: of what was deleted, its last name. References that lead nowhere, and what has no name, are left out.
 * Only the project's own resources, and Users, who may stand above it.
 */
export async function resolveNames(projectId: string, references: Iterable<string | null | undefined>): Promise<Names> {
  const all = [...new Set(references)].flatMap((text) => {
    const parsed = text ? parseReference(text) : undefined;
    return text && parsed?.kind === 'local' ? [{ text, type: typeId(parsed.type), id: parsed.id }] : [];
  });
  const wanted = all.slice(0, MOST);
  const users = wanted.filter(({ type }) => type === typeId('User'));
  const found = await Promise.all([findNewest(projectId, wanted), findAbove(projectId, users)]);
  return new Map(
    found
      .flat()
      .sort((one, other) => one.version - other.version)
      .flatMap(({ reference, named }) => {
        const name = nameOf(named);
        return name ? [[reference, name] as const] : [];
      }),
  );
}

async function findNewest(scope: string, wanted: Wanted[]): Promise<Found[]> {
  if (wanted.length === 0) return [];
  const types = toTextArray(wanted.map(({ type }) => String(type)));
  const ids = toTextArray(wanted.map(({ id }) => id));
  return db().execute<Found>(sql`
    select w.reference, h.version, h.named from unnest(${textsOf(wanted)}::text[], ${types}::smallint[], ${ids}::text[]) as w(reference, type_id, id)
    cross join lateral (
      select version, jsonb_build_object('name', c->'name', 'title', c->'title', 'firstName', c->'firstName', 'lastName', c->'lastName',
        'profile', c->'profile', 'user', c->'user') as named
      from (select h.version, content::jsonb as c from resource_history h
        where h.project_id = ${scope} and h.type_id = w.type_id and h.id = w.id and h.content is not null and pg_column_size(h.content) < ${MOST_BYTES}
        order by h.version desc limit 1) as newest) as h`);
}

/** A User above projects is known here only as a member, now or earlier: else anybody's name could be asked for by their id. */
async function findAbove(projectId: string, users: Wanted[]): Promise<Found[]> {
  if (users.length === 0) return [];
  const members = await db().execute<{ reference: string }>(sql`
    select w.reference from unnest(${textsOf(users)}::text[]) as w(reference)
    where exists (select from membership_key k where k.project_id = ${projectId} and k.user_ref = w.reference)
      or exists (select from audit_event a where a.project_id = ${projectId} and a.target = w.reference)`);
  const known = new Set(members.map(({ reference }) => reference));
  return findNewest(
    SERVER_SCOPE,
    users.filter(({ text }) => known.has(text)),
  );
}

function textsOf(wanted: Wanted[]): string {
  return toTextArray(wanted.map(({ text }) => text));
}

/** A reference with its name, for answers. */
export function named(
  names: Names,
  reference: string | null | undefined,
): { reference: string; display: string | null } | null {
  return reference ? { reference, display: names.get(reference) ?? null } : null;
}

type HumanName = { text?: string; given?: string[]; family?: string };
type NameFields = {
  name: string | HumanName[] | null;
  title: string | null;
  firstName: string | null;
  lastName: string | null;
  profile: Reference | null;
  user: Reference | null;
};

function nameOf({ name, title, firstName, lastName, profile, user }: NameFields): string | undefined {
  if (typeof name === 'string') return name;
  const [first] = Array.isArray(name) ? name : [];
  const human = first?.text ?? [...(first?.given ?? []), first?.family].filter(Boolean).join(' ');
  const person = [firstName, lastName].filter(Boolean).join(' ');
  return human || person || profile?.display || user?.display || title || undefined;
}
