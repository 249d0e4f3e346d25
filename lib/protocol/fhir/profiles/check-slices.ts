import { isOfType } from './check-type.ts';
import { entriesOf } from './entries.ts';
import type { Discriminator, ProfileNode, Slicing } from './node.ts';
import { aside, type Entry, type Held, type Scene, spend } from './scene.ts';
import { tell } from './tell.ts';

type Checks = {
  checkValue(node: ProfileNode, entry: Entry, held: Held): void;
  checkCount(node: ProfileNode, count: number, parent: Entry, scene: Scene): void;
};

/** Extensions are told apart by their url, also where the profile does not say so (R4 profiling §5.1.0.5). */
const BY_URL: Slicing = { discriminators: [{ type: 'value', path: 'url' }], rules: 'open', ordered: false };
const BY_TYPE: Slicing = { discriminators: [{ type: 'type', path: '$this' }], rules: 'open', ordered: false };

/** Puts each value into the first slice that it fits, and holds it against that; counts what each slice has. */
export function checkSlices(node: ProfileNode, entries: Entry[], parent: Entry, held: Held, checks: Checks): void {
  const slicing = slicingOf(node);
  const { scene } = held;
  if (!slicing || !node.slices.every((slice) => isTold(slice, slicing, scene))) {
    scene.unjudged.add(`${node.id}: its slices are not checked, since nothing that is known here tells them apart`);
    return;
  }
  const counts = new Map<ProfileNode, number>();
  let last = -1;
  for (const entry of entries) {
    const index = node.slices.findIndex((slice) => isIn(slice, slicing, entry, held, checks));
    const slice = node.slices[index];
    if (!slice) {
      checkOutside(node, slicing, entry, scene);
      if (slicing.rules === 'openAtEnd') last = node.slices.length;
      continue;
    }
    if (index < last && (slicing.ordered || last === node.slices.length)) {
      tell(scene, entry.at, 'structure', `The slice ${slice.sliceName} stands before what it comes after here`);
    }
    last = Math.max(last, index);
    counts.set(slice, (counts.get(slice) ?? 0) + 1);
    checks.checkValue(slice, entry, held);
    if (slice.slices.length > 0) checkSlices(slice, [entry], parent, held, checks);
  }
  for (const slice of node.slices) checks.checkCount(slice, counts.get(slice) ?? 0, parent, scene);
}

function slicingOf({ slicing, name, choice }: ProfileNode): Slicing | undefined {
  const isExtension = name === 'extension' || name === 'modifierExtension';
  if (slicing && slicing.discriminators.length > 0) return slicing;
  if (isExtension) return { ...BY_URL, ...(slicing && { rules: slicing.rules, ordered: slicing.ordered }) };
  return choice ? BY_TYPE : undefined;
}

function checkOutside(node: ProfileNode, { rules }: Slicing, entry: Entry, scene: Scene): void {
  if (rules !== 'closed') return;
  const names = node.slices.map(({ sliceName }) => sliceName).join(', ');
  tell(scene, entry.at, 'structure', `Fits none of the slices ${names}, and there may be no others`);
}

/** Whether the slice says at each discriminator what its values have there. */
function isTold(slice: ProfileNode, { discriminators }: Slicing, scene: Scene): boolean {
  return discriminators.every(({ type, path }) => {
    if (path.includes('resolve()')) return false;
    if (urlOf(slice, path, scene) !== undefined) return true;
    const node = nodeAt(slice, path);
    if (type === 'type') return path === '$this' || (node?.types?.length ?? 0) > 0;
    if (type === 'exists') return true;
    return node !== undefined && (type === 'profile' ? (node.types?.length ?? 0) > 0 : saysValue(node));
  });
}

function saysValue({ fixed, pattern, valueSet, children, slices }: ProfileNode): boolean {
  return (
    fixed !== undefined || pattern !== undefined || valueSet !== undefined || children.length > 0 || slices.length > 0
  );
}

function isIn(slice: ProfileNode, { discriminators }: Slicing, entry: Entry, held: Held, checks: Checks): boolean {
  return discriminators.every((discriminator) => {
    spend(held.scene);
    return fits(slice, discriminator, entry, held, checks);
  });
}

function fits(slice: ProfileNode, { type, path }: Discriminator, entry: Entry, held: Held, checks: Checks): boolean {
  const url = urlOf(slice, path, held.scene);
  const found = valuesAt(entry, path);
  if (url !== undefined) return found.some(({ value }) => value === url);
  const node = nodeAt(slice, path);
  if (type === 'exists') return node?.max === 0 ? found.length === 0 : found.length > 0;
  if (type === 'type') {
    const codes = (node?.types ?? []).map(({ code }) => code);
    // A choice that is sliced by the name of its property: `valueQuantity`.
    if (codes.length === 0) return found.some((each) => `${slice.name}${each.type}` === slice.sliceName);
    return found.some((each) => each.type !== undefined && codes.some((code) => isOfType(each.type ?? '', code)));
  }
  return found.some((each) => {
    const look = aside(held.scene);
    if (node) checks.checkValue(node, each, { ...held, scene: look });
    return node !== undefined && look.findings.length === 0;
  });
}

/** Of a slice of extensions by url: that of the definition that it names. */
function urlOf(slice: ProfileNode, path: string, scene: Scene): string | undefined {
  if (path !== 'url') return undefined;
  const own = slice.children.find(({ name }) => name === 'url');
  if (typeof own?.fixed === 'string') return own.fixed;
  const [profile] = slice.types?.flatMap(({ profiles }) => profiles) ?? [];
  if (profile === undefined) return undefined;
  const fixed = scene.profile(profile)?.root.children.find(({ name }) => name === 'url')?.fixed;
  return typeof fixed === 'string' ? fixed : profile.split('|')[0];
}

/** `$this`, names with dots between, and `extension('url')`. */
function stepsOf(path: string): string[] {
  const steps = path.match(/extension\('[^']*'\)|[^.]+/g) ?? [];
  return steps.filter((step) => step !== '$this' && !step.startsWith('ofType('));
}

function nodeAt(slice: ProfileNode, path: string): ProfileNode | undefined {
  let node: ProfileNode | undefined = slice;
  for (const step of stepsOf(path)) {
    const url = /^extension\('([^']*)'\)$/.exec(step)?.[1];
    const child: ProfileNode | undefined = node?.children.find(
      ({ name }) => name === (url === undefined ? step : 'extension'),
    );
    node =
      url === undefined
        ? child
        : child?.slices.find(({ types = [] }) => types.some(({ profiles }) => profiles.includes(url)));
  }
  return node;
}

function valuesAt(entry: Entry, path: string): Entry[] {
  return stepsOf(path).reduce<Entry[]>(
    (found, step) => {
      const url = /^extension\('([^']*)'\)$/.exec(step)?.[1];
      const name = url === undefined ? step : 'extension';
      const below = found.flatMap((each) => valuesOf(each, name));
      return url === undefined
        ? below
        : below.filter(({ value }) => (value as { url?: unknown } | undefined)?.url === url);
    },
    [entry],
  );
}

/** A path names a choice without saying which: `value`. */
function valuesOf(entry: Entry, name: string): Entry[] {
  const plain = entriesOf(entry, { name, choice: false });
  return plain.length > 0 ? plain : entriesOf(entry, { name, choice: true });
}
