import { log } from '#lib/base/log.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import { createLiveCache } from '#lib/infra/db/live-cache.ts';
import { compileProfile, ProfileFault } from '#lib/protocol/fhir/profiles/compile-profile.ts';
import {
  BASE,
  type ElementDefinition,
  type Profile,
  type StructureDefinition,
} from '#lib/protocol/fhir/profiles/node.ts';
import type { InSet } from '#lib/protocol/fhir/profiles/scene.ts';
import { listedSet, r4Set, type ValueSet } from '#lib/protocol/fhir/profiles/value-set.ts';
import { definitionsTag } from '../access/cache-tags.ts';
import type { Ctx, Write } from '../access/context.ts';
import { findDefinitions } from './find-definitions.ts';

/** A profile, and everything that it names, compiled. What is not known, or cannot be judged by, is missing. */
export type Known = {
  /** Whether the project has it at all. */
  isThere: boolean;
  profiles: ReadonlyMap<string, Profile>;
  valueSets: ReadonlyMap<string, InSet>;
};

/** Of one profile with all that it names; what is more is as if it were not known. */
const MAX_DEFINITIONS = 60;
const MAX_ELEMENTS = 6000;
/** Statements: profiles that name profiles that name profiles. */
const MAX_STEPS = 6;

/** No profile has a longer name, and names are kept. */
const MAX_NAME = 1000;

/** Many resources claim what no project has, and that is quick to keep. */
const presence = createLiveCache<boolean>(20_000);
const known = createLiveCache<Known>(200);

/**
 * The profile that a canonical names in a project; undefined when it has none of that name. Kept until a definition of the project changes,
 * in every process. In a transaction it reads what that has written, and keeps nothing.
 */
export async function loadProfiles(ctx: Ctx, projectId: string, canonical: string): Promise<Known | undefined> {
  if (canonical.length > MAX_NAME) return undefined;
  const key = `${projectId} ${canonical}`;
  const tags: [string] = [definitionsTag(projectId)];
  if (ctx.write) return loadWithin(ctx.write, projectId, canonical);
  const isThere = await presence.get(key, async () => {
    const found = await findDefinitions(projectId, 'StructureDefinition', [canonical]);
    return { value: found.has(canonical), tags };
  });
  if (!isThere) return undefined;
  return known.get(key, async () => ({ value: await load(projectId, canonical), tags }));
}

/** What was found in a transaction: it may write thousands of resources that claim the same. */
const within = new WeakMap<Write, Map<string, Promise<Known | undefined>>>();

function loadWithin(w: Write, projectId: string, canonical: string): Promise<Known | undefined> {
  const key = `${projectId} ${canonical}`;
  const found = within.get(w) ?? new Map<string, Promise<Known | undefined>>();
  within.set(w, found);
  const before = found.get(key);
  if (before) return before;
  const loading = (async () => {
    if (presence.peek(key) === false) return undefined;
    const loaded = known.peek(key) ?? (await load(projectId, canonical, w.tx));
    // One that cannot be judged by is there, and so is told of.
    return loaded.isThere ? loaded : undefined;
  })();
  found.set(key, loading);
  return loading;
}

async function load(projectId: string, canonical: string, q?: Queryable): Promise<Known> {
  const definitions = await gather(projectId, canonical, q);
  const profiles = new Map<string, Profile>();
  let left = MAX_ELEMENTS;
  for (const [name, definition] of definitions) {
    const elements = elementsOf(definition, definitions);
    left -= elements?.length ?? 0;
    const profile = elements && left >= 0 ? compiled(definition, elements) : undefined;
    if (profile) profiles.set(name, profile);
  }
  const names = [...new Set([...profiles.values()].flatMap((profile) => profile.valueSets))];
  const isThere = definitions.has(canonical);
  return { isThere, profiles, valueSets: await loadSets(projectId, names.slice(0, MAX_DEFINITIONS), q) };
}

/** Breadth first: one statement for all that the definitions before name. */
async function gather(projectId: string, canonical: string, q?: Queryable): Promise<Map<string, StructureDefinition>> {
  const all = new Map<string, StructureDefinition>();
  let names = [canonical];
  for (let step = 0; step < MAX_STEPS && names.length > 0; step += 1) {
    const found = await findDefinitions<StructureDefinition>(projectId, 'StructureDefinition', names, q);
    for (const [name, definition] of found) all.set(name, definition);
    const next = [...found.values()].flatMap(namesIn).filter((name) => !all.has(name));
    names = [...new Set(next)].slice(0, MAX_DEFINITIONS - all.size);
  }
  return all;
}

function namesIn(definition: StructureDefinition): string[] {
  const { baseDefinition, snapshot } = definition;
  const named = typesIn(definition).flatMap(({ profile = [], targetProfile = [] }) => [...profile, ...targetProfile]);
  const base = !snapshot && baseDefinition ? [baseDefinition] : [];
  return [...base, ...named].filter((name) => typeof name === 'string' && !name.startsWith(BASE));
}

/** The profiles that the types of its elements name, and that are not R4's own. */
export function nestedIn(definition: StructureDefinition): string[] {
  const named = typesIn(definition).flatMap(({ profile = [] }) => profile);
  return named.filter((name) => typeof name === 'string' && !name.startsWith(BASE));
}

function typesIn({ snapshot, differential }: StructureDefinition) {
  return (snapshot?.element ?? differential?.element ?? []).flatMap(({ type = [] }) => type);
}

/**
 * Those of the snapshot. Without one, those of the differential after those of what it is derived from: R4's own definitions say nothing that is
 * not judged anyway. Undefined when what it is derived from is not known.
 */
function elementsOf(
  definition: StructureDefinition,
  all: ReadonlyMap<string, StructureDefinition>,
  depth = 0,
): ElementDefinition[] | undefined {
  const { snapshot, differential, baseDefinition = '' } = definition;
  if (snapshot?.element) return snapshot.element;
  const own = differential?.element ?? [];
  if (baseDefinition.startsWith(BASE)) return own;
  const base = all.get(baseDefinition);
  const inherited = base && depth < MAX_STEPS ? elementsOf(base, all, depth + 1) : undefined;
  return inherited && [...inherited, ...own];
}

function compiled(definition: StructureDefinition, elements: ElementDefinition[]): Profile | undefined {
  try {
    return compileProfile(definition, elements);
  } catch (error) {
    if (error instanceof ProfileFault) return undefined;
    log.error({ err: error, url: definition.url }, 'a profile cannot be compiled');
    return undefined;
  }
}

async function loadSets(projectId: string, names: string[], q?: Queryable): Promise<Map<string, InSet>> {
  const own = await findDefinitions<ValueSet>(projectId, 'ValueSet', names, q);
  return new Map(
    names.flatMap((name) => {
      const set = own.get(name);
      const isIn = set ? listedSet(set) : r4Set(name);
      return isIn ? [[name, isIn] as const] : [];
    }),
  );
}
