import { AppError } from '#lib/base/errors.ts';
import { fhirBase } from '#lib/base/fhir-base.ts';
import { compartmentsIn } from '#lib/protocol/fhir/index/extract.ts';
import type { Reference, Resource, Stored } from '#lib/protocol/fhir/types.ts';
import { parseKept } from '#lib/protocol/json/json.ts';
import { toAuthorship } from './by-whom.ts';

/** A version of a resource as the store keeps it: JSON as text, so that what is only passed on is never parsed. */
export type Row = {
  projectId: string;
  type: string;
  id: string;
  version: number;
  lastUpdated: Date;
  deleted: boolean;
  /** As `byWhom` wrote it. */
  author: string | null;
  /** The client's part of `meta` (profile, tag, security, source), and `accounts`, which are no client's to say (accounts.ts). */
  meta: string | null;
  /** The resource without resourceType, id and meta; null when deleted. */
  content: string | null;
};

/**
 * The resource as JSON text. `extended` shows project, author, accounts and compartments in `meta` (contract §1.1); these are of what is shown of it. Text in,
 * text out: decimals stay as they came.
 */
export function toWire(row: Row, extended: boolean): string {
  const platform = extended ? toPlatformMeta(row) : '';
  return toText(row, platform, row.meta?.includes('"accounts"') ? toShownMeta(row.meta, extended) : row.meta);
}

function toPlatformMeta(row: Row): string {
  const author = row.author ? `,${toAuthorship(row.author)}` : '';
  const compartments = row.deleted ? [] : compartmentsIn(row.projectId, toResource(row), fhirBase());
  const compartment = compartments.map((reference) => ({ reference }));
  const within = compartment.length > 0 ? `,"compartment":${JSON.stringify(compartment)}` : '';
  return `,"project":"${row.projectId}"${author}${within}`;
}

/** As it is stored, with its accounts and without what else is the platform's. */
export function toStoredText(row: Row): string {
  return toText(row, '', row.meta);
}

/** Of a row, without reading the rest of it. */
export function accountsOf({ meta }: Pick<Row, 'meta'>): Reference[] {
  return meta?.includes('"accounts"') ? ((parseKept(meta) as { accounts?: Reference[] }).accounts ?? []) : [];
}

/** `account`: the first of them, for clients that know one alone. */
function toShownMeta(text: string, extended: boolean): string {
  const { accounts, ...given } = parseKept(text) as { accounts?: Reference[] };
  return JSON.stringify(extended && accounts ? { account: accounts[0], accounts, ...given } : given);
}

function toText(row: Row, platform: string, known: string | null): string {
  const given = known && known !== '{}' ? `,${known.slice(1, -1)}` : '';
  const meta = `{"versionId":"${row.version}","lastUpdated":"${row.lastUpdated.toISOString()}"${platform}${given}}`;
  const rest = row.content && row.content !== '{}' ? `,${row.content.slice(1)}` : '}';
  return `{"resourceType":"${row.type}","id":${JSON.stringify(row.id)},"meta":${meta}${rest}`;
}

/** The resource as an object, for policies, patches and rules: with its accounts, by which it is found. */
export function toResource<T = Resource>(row: Row): T {
  return parseKept(toStoredText(row)) as T;
}

/** The same for who looks at nothing of `meta`, and at no number's digits. */
export function toContent({ type, id, content }: Pick<Row, 'type' | 'id' | 'content'>): Stored<Resource> {
  return { ...(JSON.parse(content ?? '{}') as object), resourceType: type, id };
}

/** Whether it was erased with all of its versions (`eraseRows`). Of what was only deleted nothing stands beside the grave. */
export function isErased({ deleted, meta }: Pick<Row, 'deleted' | 'meta'>): boolean {
  return deleted && meta !== null;
}

export function etag(row: Row): string {
  return `W/"${row.version}"`;
}

/** What PostgreSQL's jsonb cannot hold: NUL and lone surrogates. */
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;
/** Elements of `meta` that only the platform sets. */
export const PLATFORM_META: ReadonlySet<string> = new Set([
  'versionId',
  'lastUpdated',
  'project',
  'author',
  'onBehalfOf',
  'account',
  'accounts',
  'compartment',
]);

/** Splits a validated resource into the columns. Throws 400 for characters that cannot be stored. */
export function toColumns(resource: Resource): { meta: string | null; content: string } {
  const { resourceType: _type, id: _id, meta, ...content } = resource;
  const given = Object.entries(meta ?? {}).filter(([key, value]) => {
    // Of these alone `placed` has said what is stored.
    return key === 'accounts' ? (value as unknown[]).length > 0 : !PLATFORM_META.has(key);
  });
  const columns = {
    meta: given.length > 0 ? JSON.stringify(Object.fromEntries(given)) : null,
    content: JSON.stringify(content),
  };
  if (UNSTORABLE.test(columns.content) || UNSTORABLE.test(columns.meta ?? '')) {
    throw new AppError('structure', 'Text holds a character that cannot be stored', {
      expression: resource.resourceType,
    });
  }
  return columns;
}

export type RawRow = {
  id: string;
  version: number;
  last_updated: string;
  deleted?: boolean;
  author: string | null;
  meta: string | null;
  content: string | null;
};

export function fromRaw(projectId: string, type: string, raw: RawRow): Row {
  return {
    projectId,
    type,
    id: raw.id,
    version: raw.version,
    lastUpdated: new Date(raw.last_updated),
    deleted: raw.deleted ?? false,
    author: raw.author,
    meta: raw.meta,
    content: raw.content,
  };
}
