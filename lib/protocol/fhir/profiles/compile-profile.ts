import { numberOf } from '../../json/json.ts';
import { INVARIANTS } from '../generated/invariants.ts';
import { isResourceType } from '../type-ids.ts';
import type { Constraint, ElementDefinition, Profile, ProfileNode, Slicing, StructureDefinition } from './node.ts';

/** A profile that cannot be judged by, and why: which element it is. */
export class ProfileFault extends Error {
  readonly expression: string;

  constructor(text: string, expression: string) {
    super(text);
    this.expression = expression;
  }
}

const MAX_ELEMENTS = 4000;
const MAX_DEPTH = 20;
const MAX_EXPRESSION = 4000;
const RULES = ['open', 'closed', 'openAtEnd'];
const PATH = /^[A-Za-z][\w-]*(?:\.[A-Za-z][\w-]*(?:\[x\])?)*$/;

/** Those of R4 are judged of every resource, whatever its profiles. */
const r4Keys = new Set([...INVARIANTS.map(([, key]) => key), 'ele-1', 'ext-1']);

/**
 * The tree of a profile, from the elements of its snapshot, or of its differential upon those of what it is derived from. What says no more
 * than R4 itself is left out. Throws ProfileFault.
 */
export function compileProfile(definition: StructureDefinition, elements: readonly ElementDefinition[]): Profile {
  const { url = '', version, type = '' } = definition;
  if (elements.length > MAX_ELEMENTS) {
    throw new ProfileFault(`A profile has at most ${MAX_ELEMENTS} elements`, 'StructureDefinition.snapshot.element');
  }
  const root = emptyNode(type, type);
  const builder = new Builder(root);
  for (const [index, element] of elements.entries()) {
    builder.add(element, `StructureDefinition.${definition.snapshot ? 'snapshot' : 'differential'}.element[${index}]`);
  }
  prune(root);
  return { url, version, type, root, ...namesIn(root), byPath: builder.byPath };
}

function emptyNode(path: string, id: string): ProfileNode {
  const last = path.slice(path.lastIndexOf('.') + 1);
  const choice = last.endsWith('[x]');
  return { id, path, name: choice ? last.slice(0, -3) : last, choice, constraints: [], slices: [], children: [] };
}

/** Elements come parents first: each belongs to the latest of its parent's path. */
class Builder {
  readonly byPath = new Map<string, ProfileNode>();
  /** From the root to where the last element was placed. */
  private readonly trail: ProfileNode[];
  private readonly root: ProfileNode;

  constructor(root: ProfileNode) {
    this.root = root;
    this.trail = [root];
    this.byPath.set(root.path, root);
  }

  add(element: ElementDefinition, expression: string): void {
    const { path, sliceName } = element;
    if (typeof path !== 'string' || !PATH.test(path)) throw new ProfileFault('Not a path of an element', expression);
    if (path !== this.root.path && !path.startsWith(`${this.root.path}.`)) {
      throw new ProfileFault(`A profile of ${this.root.path} has elements of it only`, expression);
    }
    if (path.split('.').length > MAX_DEPTH) throw new ProfileFault('Nested too deeply', expression);
    const node = path === this.root.path ? this.root : this.place(path, sliceName, expression);
    apply(node, element, expression);
  }

  private place(path: string, sliceName: string | undefined, expression: string): ProfileNode {
    const parent = this.parentOf(path, expression);
    let node = parent.children.find((child) => child.path === path);
    if (!node) {
      node = emptyNode(path, `${parent.id}.${path.slice(path.lastIndexOf('.') + 1)}`);
      parent.children.push(node);
      if (!this.byPath.has(path)) this.byPath.set(path, node);
    }
    const placed = sliceName === undefined ? node : sliceOf(node, sliceName, expression);
    this.trail.push(placed);
    return placed;
  }

  /** A differential may leave out what stands between. */
  private parentOf(path: string, expression: string): ProfileNode {
    const above = path.slice(0, path.lastIndexOf('.'));
    while (
      this.trail.length > 1 &&
      !above.startsWith(`${this.trail.at(-1)?.path}.`) &&
      this.trail.at(-1)?.path !== above
    ) {
      this.trail.pop();
    }
    const last = this.trail.at(-1) ?? this.root;
    return last.path === above ? last : this.place(above, undefined, expression);
  }
}

/** `a/b` is slice b within slice a. */
function sliceOf(node: ProfileNode, sliceName: string, expression: string): ProfileNode {
  const known = node.slices.find((slice) => slice.sliceName === sliceName);
  if (known) return known;
  const [first = '', ...rest] = sliceName.split('/');
  const outer = rest.length > 0 ? node.slices.find((slice) => slice.sliceName === first) : undefined;
  if (outer) return sliceOf(outer, rest.join('/'), expression);
  const slice = { ...emptyNode(node.path, `${node.id}:${sliceName}`), sliceName };
  node.slices.push(slice);
  return slice;
}

function apply(node: ProfileNode, element: ElementDefinition, expression: string): void {
  const { min, max, base, type, binding, contentReference, slicing } = element;
  const least = numberOf(min);
  if (least !== undefined && least !== base?.min) node.min = least;
  if (max !== undefined && max !== base?.max) node.max = maximum(max, expression);
  if (type && type.length > 0) {
    node.types = type.map(({ code = '', profile = [], targetProfile = [] }) => {
      return { code, profiles: profile.filter(isText), targets: targetProfile.filter(isText) };
    });
  }
  const length = numberOf(element.maxLength);
  if (length !== undefined) node.maxLength = length;
  if (binding?.strength === 'required' && binding.valueSet) {
    node.valueSet = binding.valueSet;
    node.advisedSet = undefined;
  } else if (binding?.strength === 'extensible' && binding.valueSet) node.advisedSet = binding.valueSet;
  if (contentReference?.startsWith('#')) node.contentReference = contentReference.slice(1);
  for (const key in element) {
    if (/^fixed[A-Z]/.test(key)) node.fixed = element[key];
    else if (/^pattern[A-Z]/.test(key)) node.pattern = element[key];
  }
  if (slicing) node.slicing = toSlicing(slicing, expression);
  node.constraints.push(...constraintsOf(element, node, expression));
}

/** A primitive that has only extensions is null in a list. */
function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function maximum(max: unknown, expression: string): number {
  if (max === '*') return Number.POSITIVE_INFINITY;
  if (typeof max === 'string' && /^\d{1,9}$/.test(max)) return Number(max);
  throw new ProfileFault('max is a number or *', `${expression}.max`);
}

function toSlicing(slicing: NonNullable<ElementDefinition['slicing']>, expression: string): Slicing {
  const { discriminator = [], rules = 'open', ordered = false } = slicing;
  if (!RULES.includes(rules)) throw new ProfileFault('Unknown rules of slicing', `${expression}.slicing.rules`);
  const faulty = discriminator.findIndex(({ type, path }) => !isText(type) || !isText(path));
  if (faulty >= 0) throw new ProfileFault('Needs a type and a path', `${expression}.slicing.discriminator[${faulty}]`);
  return { discriminators: discriminator, rules: rules as Slicing['rules'], ordered };
}

function constraintsOf({ constraint = [] }: ElementDefinition, node: ProfileNode, expression: string): Constraint[] {
  return constraint.flatMap(({ key, severity, human, expression: text }, index) => {
    const isKnown = r4Keys.has(key) || node.constraints.some((other) => other.key === key);
    if (!text || isKnown) return [];
    if (text.length > MAX_EXPRESSION) {
      throw new ProfileFault('An expression is too long to be judged', `${expression}.constraint[${index}].expression`);
    }
    return [
      {
        key,
        severity: severity === 'warning' ? 'warning' : 'error',
        text: human ?? 'Its profile forbids it',
        expression: text,
      },
    ] as const;
  });
}

/** Without what says nothing. Returns whether the node says something. */
function prune(node: ProfileNode): boolean {
  node.children = node.children.filter(prune);
  for (const slice of node.slices) prune(slice);
  return node.sliceName !== undefined || node.children.length > 0 || node.slices.length > 0 || saysSomething(node);
}

function saysSomething({
  min,
  max,
  types,
  fixed,
  pattern,
  maxLength,
  valueSet,
  advisedSet,
  constraints,
  choice,
}: ProfileNode): boolean {
  const isTyped = types?.some(({ code, profiles, targets }) => {
    return choice || isResourceType(code) || profiles.length + targets.length > 0;
  });
  const rules = [
    min || undefined,
    max === Number.POSITIVE_INFINITY ? undefined : max,
    fixed,
    pattern,
    maxLength,
    valueSet,
    advisedSet,
  ];
  return constraints.length > 0 || isTyped === true || rules.some((rule) => rule !== undefined);
}

function namesIn(root: ProfileNode): Pick<Profile, 'profiles' | 'valueSets'> {
  const [profiles, valueSets] = [new Set<string>(), new Set<string>()];
  const visit = (node: ProfileNode): void => {
    for (const name of (node.types ?? []).flatMap((type) => [...type.profiles, ...type.targets])) profiles.add(name);
    for (const name of [node.valueSet, node.advisedSet]) if (name) valueSets.add(name);
    for (const each of [...node.children, ...node.slices]) visit(each);
  };
  visit(root);
  return { profiles: [...profiles], valueSets: [...valueSets] };
}
