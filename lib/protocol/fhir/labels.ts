import { AppError } from '#lib/base/errors.ts';
import type { Coding } from './types.ts';

type Label = string | Coding;
/** What `$meta-add` and `$meta-delete` are about, of a resource's meta. */
export type Labels = { profile?: string[]; security?: Coding[]; tag?: Coding[] };
/** A canonical may be null, where only what stands beside it is there (R4 json §2.6.2). */
type Meta = Omit<Labels, 'profile'> & { profile?: (string | null)[]; _profile?: unknown[] };

const NAMES = ['profile', 'security', 'tag'] as const;
/** Of each. */
const MOST = 200;

/**
 * The labels in a Meta as a caller sends it. `ignored`: elements that are not theirs to say, and count for nothing. Throws 400 naming what else
 * is in it, what is not as it should be, and what is too much; whether a label is sound is judged with the resource.
 */
export function readLabels(name: string, value: unknown, ignored: ReadonlySet<string>): Labels {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong(name, `${name} needs valueMeta`);
  const given = Object.entries(value).filter(([key]) => !ignored.has(key.replace(/^_/, '')));
  for (const [key, list] of given) {
    const at = `${name}.${key.slice(0, 80)}`;
    if (!NAMES.some((each) => each === key)) throw wrong(at, `Only ${NAMES.join(', ')} are added and deleted`);
    if (!Array.isArray(list) || list.length > MOST) throw wrong(at, `${key} is a list of ${MOST} at most`);
    const isRight = (one: unknown) =>
      key === 'profile' ? typeof one === 'string' : typeof one === 'object' && one !== null && !Array.isArray(one);
    const index = list.findIndex((one) => !isRight(one));
    if (index >= 0) throw wrong(`${at}[${index}]`, key === 'profile' ? 'A canonical is needed' : 'A Coding is needed');
  }
  return Object.fromEntries(given);
}

/** The same meta with these labels besides, each once: what is there stays as it is. Two are one by system and code (R4 resource-operations). */
export function addLabels<M extends Meta>(meta: M, labels: Labels): M {
  const next: Meta = { ...meta };
  for (const name of NAMES) {
    const before: readonly (Label | null)[] = meta[name] ?? [];
    const keys = new Set(before.map(keyOf));
    const added = new Map((labels[name] ?? []).map((one: Label) => [keyOf(one), one])).entries();
    const fresh = [...added].filter(([key]) => !keys.has(key)).map(([, one]) => one);
    // What stands beside a canonical that is not there stays without one.
    const gap = name === 'profile' ? Math.max(0, (meta._profile?.length ?? 0) - before.length) : 0;
    if (fresh.length > 0) Object.assign(next, { [name]: [...before, ...Array(gap).fill(null), ...fresh] });
  }
  return next as M;
}

/** The same meta without these labels; one that is not there is no fault. */
export function deleteLabels<M extends Meta>(meta: M, labels: Labels): M {
  const next: Meta = { ...meta };
  for (const name of NAMES) {
    const before: readonly (Label | null)[] = meta[name] ?? [];
    const keys = new Set((labels[name] ?? []).map(keyOf));
    const stays = before.map((one) => !keys.has(keyOf(one)));
    if (stays.every(Boolean)) continue;
    Object.assign(next, keptOf(name, before, stays));
    // What stands beside a canonical goes with it, and with it alone.
    if (name === 'profile' && meta._profile) Object.assign(next, keptOf('_profile', meta._profile, stays));
  }
  return next as M;
}

function keptOf(name: string, list: readonly unknown[], stays: readonly boolean[]): object {
  const kept = list.filter((_, at) => stays[at] ?? true);
  return { [name]: kept.some((one) => one !== null) ? kept : undefined };
}

function keyOf(label: Label | null): string | undefined {
  if (label === null) return undefined;
  return typeof label === 'string' ? label : JSON.stringify([label.system ?? null, label.code ?? null]);
}

function wrong(expression: string, text: string): AppError {
  return new AppError('invalid', text, { expression });
}
