import { gathering } from '#lib/base/gathering.ts';
import { isPassing, toAppError } from '#lib/infra/db/errors.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import type { AuditEntry, Ctx } from '../access/context.ts';
import { writeTogether } from '../audit/write-together.ts';
import type { Indexed } from './create-row.ts';
import { toQuantities } from './indexes/quantity-params.ts';
import { INSERTED_TOGETHER, MEASURED_TOGETHER } from './statements.ts';

type Item = Indexed & { ctx: Ctx; entry: AuditEntry; failure?: unknown };

const MOST = 32;
/** What is larger goes by itself: nobody waits for it, and a statement stays below two megabytes. */
const LARGE = 64 * 1024;

/**
 * Stores a new row with its history, its index and its audit row. Rows of one project that come at the same moment are one statement, and one
 * commit, of which each costs half of what it would alone; where one of them cannot be stored, the others are.
 */
export async function createTogether(ctx: Ctx, indexed: Indexed, entry: AuditEntry): Promise<void> {
  const item: Item = { ...indexed, ctx, entry };
  const { projectId, content, meta } = indexed.row;
  const isLarge = (content?.length ?? 0) + (meta?.length ?? 0) > LARGE;
  try {
    await (isLarge ? store([item]) : storeWithOthers(projectId, item));
  } catch (error) {
    throw toAppError(error);
  }
  if (item.failure) throw toAppError(item.failure);
}

const storeWithOthers = gathering(
  async (_projectId: string, items: Item[]) => {
    try {
      await store(items);
    } catch (error) {
      // Whatever passes by itself was none of theirs; and of a lost connection nobody knows what it has done.
      if (items.length === 1 || isPassing(error)) throw error;
      await Promise.all(items.map(storeAlone));
    }
  },
  { most: MOST },
);

async function storeAlone(item: Item): Promise<void> {
  await store([item]).catch((error: unknown) => {
    item.failure = error;
  });
}

async function store(items: readonly Item[]): Promise<void> {
  const [first] = items;
  const rows = items.map(({ row }) => row);
  const texts = (of: (item: Item) => string | null) => toTextArray(items.map(of));
  const strings = items.flatMap(({ row, index }) => index.strings.map((string) => ({ id: row.id, ...string })));
  const dates = items.flatMap(({ row, index }) => index.dates.map((date) => ({ id: row.id, ...date })));
  const params = [
    first!.row.projectId,
    toArray(rows.map(({ type }) => typeId(type))),
    toArray(rows.map(({ id }) => id)),
    toArray(rows.map(({ lastUpdated }) => lastUpdated.toISOString())),
    texts(({ row }) => row.author),
    texts(({ row }) => row.meta),
    texts(({ row }) => row.content),
    texts(({ index }) => `{${[...new Set(index.tokens)].join(',')}}`),
    toArray(items.map(({ index }) => index.sortDate?.toISOString() ?? 'NULL')),
    toArray(
      items.map(({ index: { sortDate, sortEnd } }) => (sortDate ? (sortEnd?.toISOString() ?? 'infinity') : 'NULL')),
    ),
    toArray(strings.map(({ id }) => id)),
    toArray(strings.map(({ param }) => param)),
    toTextArray(strings.map(({ value }) => value)),
    toArray(dates.map(({ id }) => id)),
    toArray(dates.map(({ param }) => param)),
    toArray(dates.map(({ lo }) => lo.toISOString())),
    toArray(dates.map(({ hi }) => hi.toISOString())),
  ];
  const measured = items.filter(({ index }) => index.quantities.length > 0);
  const quantities = toQuantities(measured.map(({ row: { id }, index }) => ({ id, ...index })));
  await writeTogether(
    measured.length > 0
      ? { parts: MEASURED_TOGETHER, params: [...params, quantities] }
      : { parts: INSERTED_TOGETHER, params },
    items.map(({ ctx, entry }) => [ctx, entry]),
  );
}

/** Of what needs no quotes. */
function toArray(values: readonly (string | number)[]): string {
  return `{${values.join(',')}}`;
}
