import { parseReference } from '../references.ts';
import { isHolder } from './entries.ts';
import { BASE, type Profile, type ProfileNode, type TypeRule } from './node.ts';
import { aside, type Entry, type Held, type Scene } from './scene.ts';
import { tell } from './tell.ts';

type CheckProfile = (profile: Profile, entry: Entry, scene: Scene) => void;

/**
 * False when the value is of another type, and nothing more can be said. That the value is of a type that the profile allows here, and of one
 * of its profiles; that a reference leads to one of its targets.
 */
export function checkType(node: ProfileNode, entry: Entry, { scene }: Held, check: CheckProfile): boolean {
  const { types = [] } = node;
  if (types.length === 0) return true;
  const fitting = entry.type === undefined ? types : types.filter(({ code }) => isOfType(entry.type ?? '', code));
  if (fitting.length === 0) {
    const allowed = types.map(({ code }) => code).join(', ');
    tell(scene, entry.at, 'structure', `Must be of type ${allowed}, not ${entry.type}`);
    return false;
  }
  checkProfiles(node, fitting, entry, scene, check);
  if (isHolder(entry.value) && typeof entry.value.reference === 'string') checkTarget(node, fitting, entry, scene);
  return true;
}

/** Properties say types with a capital letter: `valueString`. */
export function isOfType(told: string, code: string): boolean {
  return code === 'Resource' || told === code.charAt(0).toUpperCase() + code.slice(1);
}

/** One of the profiles that it may have; those that R4 itself has say nothing more. */
function checkProfiles(node: ProfileNode, types: TypeRule[], entry: Entry, scene: Scene, check: CheckProfile): void {
  const names = types.flatMap(({ profiles }) => profiles).filter((name) => !name.startsWith(BASE));
  if (names.length === 0 || types.some(({ profiles }) => profiles.length === 0)) return;
  const known = names.flatMap((name) => scene.profile(name) ?? []);
  if (known.length < names.length) {
    scene.unjudged.add(
      `${node.id}: not checked against ${names.find((name) => !scene.profile(name))}, which is not known here`,
    );
    if (known.length === 0) return;
  }
  const [first] = known;
  if (names.length === 1 && first) {
    check(first, entry, scene);
    return;
  }
  const isFitting = known.some((profile) => {
    const look = aside(scene);
    check(profile, entry, look);
    return look.findings.length === 0;
  });
  if (!isFitting && known.length === names.length) {
    tell(scene, entry.at, 'structure', `Must conform to one of ${names.join(', ')}`);
  }
}

function checkTarget({ id }: ProfileNode, types: TypeRule[], { value, at }: Entry, scene: Scene): void {
  const targets = types.flatMap((type) => type.targets);
  const parsed = parseReference(String((value as { reference: string }).reference));
  if (targets.length === 0 || parsed?.kind !== 'local') return;
  const allowed = targets.map((target) => typeOf(target, scene));
  if (allowed.includes(undefined)) {
    scene.unjudged.add(`${id}: not checked which type it refers to, since a profile that it names is not known here`);
  } else if (!allowed.includes(parsed.type) && !allowed.includes('Resource')) {
    tell(
      scene,
      [...at, 'reference'],
      'value',
      `Must refer to ${[...new Set(allowed)].join(', ')}, not to ${parsed.type}`,
    );
  }
}

function typeOf(target: string, scene: Scene): string | undefined {
  return target.startsWith(BASE) ? target.slice(BASE.length).split('|')[0] : scene.profile(target)?.type;
}
