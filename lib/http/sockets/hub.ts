import { type Notice, readNotice } from '#lib/domain/store/feeds/notices.ts';
import type { Row } from '#lib/domain/store/row.ts';
import type { Binding } from '#lib/domain/subscriptions/binding-token.ts';
import { readNoticed } from '#lib/domain/subscriptions/tell-listener.ts';
import { hear, onInvalidate } from '#lib/infra/db/invalidation.ts';

/** A socket that listens to one Subscription. */
export type Bound = {
  binding: Binding;
  feed: string;
  /** Queues it; what it may be told of it is asked when it is its turn. */
  tell(notice: Notice, read: () => Promise<Row | undefined>): void;
  /** Something changed that its rights may stand on. */
  lookAgain(): void;
  /** Something may have happened that it was not told of. */
  missed(): void;
};

const byFeed = new Map<string, Set<Bound>>();
/** What rights stand on (cache-tags.ts). */
const RIGHTS = /^(?:login|membership|project|policies|client|listened):/;
/** Many tags come at once. */
const LOOK_MS = 200;

let looking: NodeJS.Timeout | undefined;

hear({
  told(text) {
    const notice = readNotice(text);
    if (!notice) return;
    const read = once(() => readNoticed(notice));
    for (const feed of notice.feeds) {
      for (const bound of byFeed.get(keyOf(notice.projectId, feed)) ?? []) bound.tell(notice, read);
    }
  },
  missed: () => forAll((bound) => bound.missed()),
});

onInvalidate((tag) => {
  if (looking || byFeed.size === 0 || !RIGHTS.test(tag ?? 'project:')) return;
  looking = setTimeout(() => {
    looking = undefined;
    forAll((bound) => bound.lookAgain());
  }, LOOK_MS).unref();
});

export function add(bound: Bound): void {
  const key = keyOf(bound.binding.login.projectId, bound.feed);
  byFeed.set(key, (byFeed.get(key) ?? new Set()).add(bound));
}

export function remove(bound: Bound): void {
  const key = keyOf(bound.binding.login.projectId, bound.feed);
  const all = byFeed.get(key);
  all?.delete(bound);
  if (all?.size === 0) byFeed.delete(key);
}

function keyOf(projectId: string, feed: string): string {
  return `${projectId} ${feed}`;
}

function forAll(run: (bound: Bound) => void): void {
  for (const bound of [...byFeed.values()].flatMap((all) => [...all])) run(bound);
}

/** However many are told of it, it is read once. */
function once<T>(run: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => {
    running ??= run();
    return running;
  };
}
