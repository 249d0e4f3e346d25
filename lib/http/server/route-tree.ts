/**
 * The paths of `app/` as Next reads its folders: `name`, `[id]`, `[...rest]`, `[[...rest]]`, `(group)`. Of Hono's routers, timed on
 * our routes, the quick one refuses them (a name beside `[id]`) and the other takes 1.3 to 2.3 times as long; neither decodes by segment.
 */
export type RouteTree<T> = {
  statics: Map<string, RouteTree<T>>;
  dynamic?: { name: string; tree: RouteTree<T> };
  rest?: { name: string; target: T };
  optionalRest?: { name: string; target: T };
  target?: T;
};

export type RouteMatch<T> = { target: T; params: Record<string, string | string[] | undefined> };

export function makeRouteTree<T>(): RouteTree<T> {
  return { statics: new Map() };
}

/** `folders` are the names below `app/`, without the file. */
export function addRoute<T>(tree: RouteTree<T>, folders: string[], target: T): void {
  const [folder, ...below] = folders;
  if (folder === undefined) {
    tree.target = target;
    return;
  }
  const [, optionalRest] = /^\[\[\.\.\.(.+)\]\]$/.exec(folder) ?? [];
  const [, rest] = /^\[\.\.\.(.+)\]$/.exec(folder) ?? [];
  const [, dynamic] = /^\[(.+)\]$/.exec(folder) ?? [];
  if (/^\(.*\)$/.test(folder)) addRoute(tree, below, target);
  else if (optionalRest) tree.optionalRest = { name: optionalRest, target };
  else if (rest) tree.rest = { name: rest, target };
  else if (dynamic) addRoute(dynamicBelow(tree, dynamic), below, target);
  else addRoute(staticBelow(tree, folder), below, target);
}

/**
 * The route of a path as it stands in the request line, without the query. A fixed name wins over `[id]`, that over `[...rest]`,
 * at every level, and a wrong turn is taken back. `%24execute` is `$execute`. Parameters come out decoded once, as Next's do.
 */
export function matchRoute<T>(tree: RouteTree<T>, path: string): RouteMatch<T> | undefined {
  const end = path.length > 1 && path.endsWith('/') ? path.length - 1 : path.length;
  const segments = path === '/' ? [] : path.slice(1, end).split('/');
  return match(tree, path.includes('%') ? segments.map(decode) : segments, 0);
}

function match<T>(tree: RouteTree<T>, segments: string[], at: number): RouteMatch<T> | undefined {
  const segment = segments[at];
  if (segment === undefined) return matchEnd(tree);
  const fixed = tree.statics.get(segment);
  const found = fixed && match(fixed, segments, at + 1);
  if (found) return found;
  if (segment === '') return undefined;
  if (tree.dynamic) {
    const below = match(tree.dynamic.tree, segments, at + 1);
    if (below) return { target: below.target, params: { ...below.params, [tree.dynamic.name]: segment } };
  }
  const rest = tree.rest ?? tree.optionalRest;
  return rest && { target: rest.target, params: { [rest.name]: segments.slice(at) } };
}

function matchEnd<T>(tree: RouteTree<T>): RouteMatch<T> | undefined {
  if (tree.target) return { target: tree.target, params: {} };
  return tree.optionalRest && { target: tree.optionalRest.target, params: { [tree.optionalRest.name]: undefined } };
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function staticBelow<T>(tree: RouteTree<T>, name: string): RouteTree<T> {
  const there = tree.statics.get(name) ?? makeRouteTree<T>();
  tree.statics.set(name, there);
  return there;
}

function dynamicBelow<T>(tree: RouteTree<T>, name: string): RouteTree<T> {
  tree.dynamic ??= { name, tree: makeRouteTree<T>() };
  return tree.dynamic.tree;
}
