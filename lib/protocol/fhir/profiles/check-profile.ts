import { checkSlices } from './check-slices.ts';
import { checkType } from './check-type.ts';
import { entriesOf, isHolder } from './entries.ts';
import { fitsPattern, isFixed } from './matches.ts';
import type { Profile, ProfileNode } from './node.ts';
import { type Bound, type Entry, type Held, type Scene, spend } from './scene.ts';
import { tell, tellAdvice } from './tell.ts';

/** Holds one value against a profile; a profile that comes to itself at this very value ends there. */
export function checkProfile(profile: Profile, entry: Entry, scene: Scene): void {
  const name = `${profile.url}|${profile.version ?? ''} ${entry.at.join('.')}`;
  if (scene.within.includes(name)) return;
  const inner: Scene = { ...scene, within: [...scene.within, name] };
  checkValue(profile.root, entry, { profile, scene: inner });
}

function checkValue(node: ProfileNode, entry: Entry, held: Held): void {
  const { scene } = held;
  spend(scene);
  if (!checkType(node, entry, held, checkProfile)) return;
  checkLiteral(node, entry, scene);
  checkBinding(node, entry, scene);
  for (const constraint of node.constraints) {
    spend(scene);
    scene.asked.push({ ...constraint, at: entry.at, path: node.path });
  }
  for (const child of childrenOf(node, held)) checkElement(child, entry, held);
}

function childrenOf(node: ProfileNode, { profile }: Held): ProfileNode[] {
  if (!node.contentReference) return node.children;
  return [...node.children, ...(profile.byPath.get(node.contentReference)?.children ?? [])];
}

function checkElement(node: ProfileNode, parent: Entry, held: Held): void {
  const entries = entriesOf(parent, node);
  checkCount(node, entries.length, parent, held.scene);
  for (const entry of entries) checkValue(node, entry, held);
  if (node.slices.length > 0 || node.slicing?.rules === 'closed') {
    checkSlices(node, entries, parent, held, { checkValue, checkCount });
  }
}

/** `node` is an element or a slice: so many of it are there. */
function checkCount(node: ProfileNode, count: number, parent: Entry, scene: Scene): void {
  spend(scene);
  const { min = 0, max = Number.POSITIVE_INFINITY, name, choice, sliceName } = node;
  const at = [...parent.at, choice ? `${name}[x]` : name];
  const what = sliceName === undefined ? `${name}${choice ? '[x]' : ''}` : `the slice ${sliceName} of ${name}`;
  if (count < min) {
    tell(
      scene,
      at,
      'required',
      count === 0 ? `${sentence(what)} is required` : `${sentence(what)} is needed ${min} times`,
    );
  } else if (count > max) {
    const most = max === 0 ? 'must not be present' : `may be present at most ${max === 1 ? 'once' : `${max} times`}`;
    tell(scene, at, 'structure', `${sentence(what)} ${most}`);
  }
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function checkLiteral({ fixed, pattern, maxLength }: ProfileNode, { value, at }: Entry, scene: Scene): void {
  if (fixed !== undefined && !isFixed(value, fixed)) tell(scene, at, 'value', `Must be exactly ${shortly(fixed)}`);
  if (pattern !== undefined && !fitsPattern(value, pattern, () => spend(scene)))
    tell(scene, at, 'value', `Must contain ${shortly(pattern)}`);
  if (maxLength !== undefined && typeof value === 'string' && [...value].length > maxLength) {
    tell(scene, at, 'too-long', `Must have at most ${maxLength} characters`);
  }
}

function shortly(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

/** A binding: a code, or one coding of a concept, stands in the set. What is only advised is looked at where that is wanted. */
function checkBinding({ valueSet, advisedSet }: ProfileNode, { value, at }: Entry, scene: Scene): void {
  if (value === undefined) return;
  if (valueSet !== undefined) checkSet(valueSet, 'required', value, at, scene);
  if (advisedSet !== undefined && scene.advises) checkSet(advisedSet, 'extensible', value, at, scene);
}

function checkSet(valueSet: string, strength: Bound['strength'], value: unknown, at: Entry['at'], scene: Scene): void {
  const isIn = scene.valueSet(valueSet);
  const codes = codesOf(value);
  const isPlain = typeof value === 'string';
  if (!isIn) scene.bound.push({ valueSet, strength, isPlain, at, codes });
  else if (codes.some(({ code, system }) => isIn(code, system, isPlain))) return;
  else if (strength === 'required') tell(scene, at, 'code-invalid', `Needs a code of ${valueSet}`);
  else tellAdvice(scene, at, `Has no code of ${valueSet}: another is right only where none of that fits`);
}

function codesOf(value: unknown): Bound['codes'] {
  if (typeof value === 'string') return [{ code: value }];
  if (!isHolder(value)) return [];
  const codings = Array.isArray(value.coding) ? value.coding : [value];
  return codings.filter(isHolder).flatMap(({ system, code }) => {
    return typeof code === 'string' ? [{ code, ...(typeof system === 'string' && { system }) }] : [];
  });
}
