import { gathering } from '#lib/base/gathering.ts';
import { isPassing, toAppError } from '#lib/infra/db/errors.ts';
import type { AuditEntry, Ctx } from '../access/context.ts';
import { writeTogether } from '../audit/write-together.ts';
import type { Indexed } from './create-row.ts';
import { inOrder } from './many/in-order.ts';
import { insertMany } from './many/params-of-many.ts';

type Item = Indexed & { ctx: Ctx; entry: AuditEntry; failure?: unknown };

const MOST = 32;
/** What is larger goes by itself: nobody waits for it, and a statement stays below two megabytes. */
const LARGE = 64 * 1024;

/**
 * Stores a new row with its history, its index and its audit row. Rows of one project that come at the same moment are one statement, and one
 * commit, of which each costs half of what it would alone; where one of them cannot be stored, the others are.
 */
export async function createTogether(
  ctx: Ctx,
  indexed: Indexed,
  entry: AuditEntry,
  { isChosen = false }: { /** The caller has chosen the id. */ isChosen?: boolean } = {},
): Promise<void> {
  const item: Item = { ...indexed, ctx, entry };
  const { projectId, content, meta } = indexed.row;
  const isLarge = (content?.length ?? 0) + (meta?.length ?? 0) > LARGE;
  try {
    // Whoever is at the same id keeps it waiting, and with it what is stored beside it: none of what has new ids.
    await (isLarge ? store([item]) : storeWithOthers(isChosen ? `${projectId} chosen` : projectId, item));
  } catch (error) {
    throw toAppError(error);
  }
  if (item.failure) throw toAppError(item.failure);
}

const storeWithOthers = gathering(
  async (_: string, items: Item[]) => {
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
  const ordered = inOrder(items, ({ row }) => row);
  await writeTogether(
    insertMany(ordered),
    ordered.map(({ ctx, entry }) => [ctx, entry]),
  );
}
