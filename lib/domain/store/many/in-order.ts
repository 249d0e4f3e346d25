type Key = { type: string; id: string };

/** In the order in which all take what belongs to a resource: two that want the same never wait for each other. */
export function inOrder<T>(items: readonly T[], keyOf: (item: T) => Key): T[] {
  const named = items.map((item) => {
    const { type, id } = keyOf(item);
    return { item, name: `${type}/${id}` };
  });
  named.sort((a, b) => (a.name < b.name ? -1 : 1));
  return named.map(({ item }) => item);
}
