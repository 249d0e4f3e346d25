import { type SQL, sql } from 'drizzle-orm';
import { db, runSql } from '#lib/infra/db/client.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import { toInstant } from '#lib/infra/db/to-instant.ts';
import { typeName } from '#lib/protocol/fhir/type-ids.ts';
import { parseJson } from '#lib/protocol/json/json.ts';
import { LIGHT_ONLY, type WeighedRow, WHOLE, withHeavy } from '../store/page-weight.ts';

const ROWS = 500;
/** Of one page, as text. */
const PAGE_BYTES = 4 * 1024 * 1024;

type Version = WeighedRow & { op: string };

const KNOWN = sql.raw('r.id, r.version, r.op, r.last_updated, r.author');

/** Which types there are, and how many versions of each were there at the instant. */
export async function countVersions(projectId: string, asOf: Date): Promise<Map<number, number>> {
  const rows = await db().execute<{ type_id: number; n: number }>(sql`
    select r.type_id, count(*)::int as n from resource_history r
    where r.project_id = ${projectId} and r.last_updated <= ${asOf.toISOString()}::timestamptz group by r.type_id order by r.type_id`);
  return new Map(rows.map(({ type_id, n }) => [type_id, n]));
}

/** All versions of a type up to the instant, by id and then as they came, a line of JSON each: what was stored is passed on and not read. */
export async function* versionPages(projectId: string, type: number, asOf: Date): AsyncGenerator<string[]> {
  const of = sql`r.project_id = ${projectId}::uuid and r.type_id = ${type}::smallint`;
  const until = sql`r.last_updated <= ${asOf.toISOString()}::timestamptz`;
  let after = sql``;
  while (true) {
    const found = await runSql<Version>(
      db(),
      sql`select ${KNOWN}, ${LIGHT_ONLY} from resource_history r where ${of} and ${until} ${after} order by r.id, r.version limit ${ROWS}`,
    );
    const { rows, taken } = await withHeavy(found, PAGE_BYTES, (heavy) => fetchWhole(of, heavy));
    const last = found[taken - 1];
    if (!last) return;
    yield rows.map((row) => toLine(typeName(type), row));
    if (taken === found.length && found.length < ROWS) return;
    after = sql`and (r.id, r.version) > (${last.id}, ${last.version}::int)`;
  }
}

function fetchWhole(of: SQL, heavy: Version[]): Promise<Version[]> {
  const ids = toTextArray(heavy.map(({ id }) => id));
  const versions = toTextArray(heavy.map(({ version }) => String(version)));
  return runSql<Version>(
    db(),
    sql`select ${KNOWN}, ${WHOLE} from resource_history r
      where ${of} and (r.id, r.version) in (select * from unnest(${ids}::text[], ${versions}::int[]))`,
  );
}

function toLine(type: string, { id, version, op, last_updated, author, meta, content }: Version): string {
  const known = { kind: 'version', type, id, version, op, lastUpdated: toInstant(last_updated), author };
  const kept = SECRET[type] && content ? withoutSecrets(content, SECRET[type]) : content;
  return `${JSON.stringify(known).slice(0, -1)},"meta":${meta ?? 'null'},"content":${kept ?? 'null'}}`;
}

/** Elements that would be secrets where a version has them: they are not told. */
const SECRET: Record<string, ReadonlySet<string>> = {
  ClientApplication: new Set(['secret', 'retiringSecret', 'clientSecret']),
  DomainConfiguration: new Set(['clientSecret']),
  Project: new Set(['secret', 'systemSecret', 'googleClientSecret', 'recaptchaSecretKey']),
};

function withoutSecrets(content: string, secret: ReadonlySet<string>): string {
  return JSON.stringify(dropped(parseJson(content), secret));
}

function dropped(value: unknown, secret: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((item) => dropped(item, secret));
  if (Object.prototype.toString.call(value) !== '[object Object]' || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  const kept = Object.entries(value as object).filter(([name]) => !secret.has(name));
  return Object.fromEntries(kept.map(([name, below]) => [name, dropped(below, secret)]));
}
