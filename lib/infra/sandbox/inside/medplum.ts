import type { BotSession } from '../host/run-job.ts';
import { callBridge } from './bridge.ts';
import { loadClient } from './client/load-client.ts';

type Method = (...args: unknown[]) => unknown;

/** What is one call to the verb behind the same route, and how many arguments that is. With more (options), it is the client's. */
const DIRECT: Record<string, number> = {
  createResource: 1,
  createResourceIfNoneExist: 2,
  readResource: 2,
  readReference: 1,
  updateResource: 1,
  patchResource: 3,
  deleteResource: 2,
  search: 2,
  searchOne: 2,
  searchResources: 2,
};

/**
 * What the handler gets. A bot that imports `@medplum/core` has its client at hand (the isolate's snapshot): it gets that. Any other gets the
 * methods that nearly every bot needs, at once, and the client's own when it first touches something else of it: it pays for what it uses.
 */
export function createMedplum(session: BotSession, isCoreAtHand: boolean): object {
  let client: Record<string, unknown> | undefined;
  const theClient = () => {
    client ??= loadClient(callBridge).createClient(session);
    return client;
  };
  if (isCoreAtHand) return theClient();
  const direct: Record<string, Method> = {};
  for (const [name, most] of Object.entries(DIRECT)) direct[name] = createDirect(name, most, theClient);
  return new Proxy(direct, {
    get(target, name) {
      if (Object.hasOwn(target, name)) return target[name as string];
      // Whoever awaits it, or prints it, asks for these.
      if (name === 'then' || name === 'toJSON' || typeof name === 'symbol') return undefined;
      const value = theClient()[name];
      return typeof value === 'function' ? value.bind(theClient()) : value;
    },
    has: (target, name) => Object.hasOwn(target, name) || name in theClient(),
  });
}

function createDirect(name: string, most: number, theClient: () => Record<string, unknown>): Method {
  return (...args) => {
    for (let index = most; index < args.length; index += 1)
      if (args[index] !== undefined) return (theClient()[name] as Method).apply(theClient(), args);
    if (isForClient(name, args[0], args[1])) return (theClient()[name] as Method).apply(theClient(), args);
    args.length = Math.min(args.length, most);
    const asked = callBridge(name, args);
    return name === 'searchResources' ? asked.then((bundle) => toList(bundle as Bundle | undefined)) : asked;
  };
}

/** Of a Binary its bytes, which are not the verb's to tell but the route's; and what lacks something, in its own words. */
function isForClient(name: string, first: unknown, second: unknown): boolean {
  const { reference, resourceType, id } = (first ?? {}) as Record<string, unknown>;
  switch (name) {
    case 'readResource':
      return first === 'Binary' || !second;
    case 'readReference':
      return !/^[^/]+\/[^/]/.test(String(reference)) || String(reference).startsWith('Binary/');
    case 'createResource':
      return !resourceType;
    case 'updateResource':
      return !resourceType || !id;
    default:
      return false;
  }
}

type Bundle = { entry?: { resource: unknown }[] };

/** As the client has it: all that was found, what was included too, and the Bundle beside it. */
function toList(bundle: Bundle | undefined): unknown[] {
  return Object.assign(
    (bundle?.entry ?? []).map(({ resource }) => resource),
    { bundle },
  );
}
