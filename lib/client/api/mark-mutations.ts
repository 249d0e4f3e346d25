import type { Mutation, MutationCache } from '@tanstack/react-query';
import { holdPending } from './pending.ts';

/** What a mutation says of itself: the ids of what it changes, by its input. */
export type AboutMeta = { about?: (input: never) => readonly string[] };

declare module '@tanstack/react-query' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface can be added to.
  interface Register {
    mutationMeta: AboutMeta;
  }
}

/**
 * Marks each mutation as pending, and what it is about, from the press until what it made stale has been read again: also while it waits
 * for the network to come back.
 */
export function markMutations(mutations: MutationCache): void {
  const releases = new WeakMap<Mutation, () => void>();
  mutations.subscribe((event) => {
    if (event.type !== 'updated') return;
    const { mutation, action } = event;
    if (action.type === 'pending' && !releases.has(mutation)) {
      const input = mutation.state.variables as never;
      releases.set(mutation, holdPending(mutation.meta?.about?.(input)));
    }
    if (action.type === 'success' || action.type === 'error') releases.get(mutation)?.();
  });
}
