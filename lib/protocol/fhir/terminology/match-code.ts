/** What a translation reads of a ConceptMap. */
export type ConceptMap = {
  resourceType: 'ConceptMap';
  id?: string;
  url?: string;
  version?: string;
  status?: string;
  group?: Group[];
};
type Target = { code?: string; display?: string; equivalence?: string; dependsOn?: unknown[]; product?: Product[] };
type Product = { property?: string; system?: string; value?: string; display?: string };
type Element = { code?: string; display?: string; target?: Target[] };
type Unmapped = { mode?: string; code?: string; display?: string; url?: string };
type Group = {
  source?: string;
  sourceVersion?: string;
  target?: string;
  targetVersion?: string;
  element?: Element[];
  unmapped?: Unmapped;
};

/** `folds`: case is nothing to the codes of the system. */
export type Sought = {
  system?: string;
  version?: string;
  code: string;
  targetSystem?: string;
  reverse?: boolean;
  folds?: boolean;
};
type Concept = { system?: string; version?: string; code?: string; display?: string };
export type Match = { equivalence: string; concept?: Concept; products?: Product[] };
/** `others`: maps that are to be asked, since these groups have not the code. */
export type Matches = { matches: Match[]; others: string[] };

/** What a group's relation is, read from its end. */
const REVERSED: Record<string, string> = {
  wider: 'narrower',
  narrower: 'wider',
  subsumes: 'specializes',
  specializes: 'subsumes',
};

/**
 * What a map makes of a code, group by group (R4 ConceptMap §4.10). A target that depends on other elements is none: what these are is not asked. A code
 * that a group lacks is what its `unmapped` says; R4 gives that no equivalence: what stays as it is, is equal, and a fixed code is related.
 */
export function matchCode({ group = [] }: ConceptMap, sought: Sought): Matches {
  const found: Matches = { matches: [], others: [] };
  for (const each of group) {
    const [from, to] = sought.reverse ? [each.target, each.source] : [each.source, each.target];
    const version = sought.reverse ? each.targetVersion : each.sourceVersion;
    const isVersion = sought.version === undefined || version === undefined || version === sought.version;
    if (sought.system !== undefined && from !== sought.system) continue;
    if (!isVersion || (sought.targetSystem !== undefined && to !== sought.targetSystem)) continue;
    if (sought.reverse) found.matches.push(...backward(each, sought));
    else forward(each, sought, found);
  }
  return found;
}

function forward(group: Group, sought: Sought, found: Matches): void {
  const elements = (group.element ?? []).filter(({ code }) => isSought(code, sought));
  if (elements.length === 0) unmapped(group, sought.code, found);
  for (const { target = [] } of elements) {
    for (const { code: to, display, equivalence = 'relatedto', dependsOn = [], product } of target) {
      if (dependsOn.length > 0) continue;
      const concept = to === undefined ? undefined : conceptOf(group.target, group.targetVersion, to, display);
      found.matches.push({ equivalence, concept, products: product });
    }
  }
}

function unmapped(group: Group, code: string, { matches, others }: Matches): void {
  const { mode, code: fixed, display, url } = group.unmapped ?? {};
  const to = (name: string, text?: string) => conceptOf(group.target, group.targetVersion, name, text);
  if (mode === 'provided') matches.push({ equivalence: 'equal', concept: to(code) });
  if (mode === 'fixed' && fixed !== undefined) matches.push({ equivalence: 'relatedto', concept: to(fixed, display) });
  if (mode === 'other-map' && url !== undefined) others.push(url);
}

function backward({ source, sourceVersion, element = [] }: Group, sought: Sought): Match[] {
  return element.flatMap(({ code: from = '', display, target = [] }) =>
    target
      .filter((each) => isSought(each.code, sought) && !each.dependsOn)
      .map(({ equivalence = 'relatedto' }) => ({
        equivalence: REVERSED[equivalence] ?? equivalence,
        concept: conceptOf(source, sourceVersion, from, display),
      })),
  );
}

function isSought(code: string | undefined, { code: wanted, folds }: Sought): boolean {
  return code === wanted || (folds === true && code?.toLowerCase() === wanted.toLowerCase());
}

function conceptOf(system?: string, version?: string, code?: string, display?: string): Concept {
  return { system, version, code, display };
}
