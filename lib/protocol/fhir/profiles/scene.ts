import type { Finding } from '../validate/check-context.ts';
import type { Constraint, Profile } from './node.ts';

/** One value of an element. */
export type Entry = {
  value: unknown;
  /** The Element beside a primitive (`_birthDate`). */
  beside: unknown;
  at: readonly (string | number)[];
  /** Of a choice, or a resource: the type that it has, as the property says it (`Quantity`). */
  type?: string;
};

/** An expression of a profile that remains to be evaluated. */
export type Asked = Constraint & { at: readonly (string | number)[]; path: string };

/** Codes of an element that are bound to a set of which more is to be asked; of a plain `code` without a system. */
export type Bound = {
  valueSet: string;
  codes: { code: string; system?: string }[];
  isPlain: boolean;
  at: readonly (string | number)[];
  strength: 'required' | 'extensible';
};

/** Whether a code is in a set; of a plain `code`, which has no system of its own, whatever the system is. */
export type InSet = (code: string, system: string | undefined, isPlain: boolean) => boolean;

/** What a resource is held against, and what was found so far. */
export type Scene = {
  type: string;
  /** Undefined when it is not known here. Without its version when no such version is. */
  profile(canonical: string): Profile | undefined;
  /** What is in a value set; undefined when that cannot be told. */
  valueSet(canonical: string): InSet | undefined;
  findings: Finding[];
  asked: Asked[];
  bound: Bound[];
  /** What is not judged, told once each. */
  unjudged: Set<string>;
  /** Steps that are left, shared by all that looks at this resource. */
  budget: { left: number };
  /** Whether what is only advised is wanted, too. */
  advises: boolean;
  /** Profiles that are being held against a value just now: those that name themselves end here. */
  within: readonly string[];
};

/** With the profile that a node is of, where its content references lead. */
export type Held = { profile: Profile; scene: Scene };

/** That a resource and its profiles are together more than is judged. */
export class TooCostly extends Error {}

export function spend(scene: Scene, steps = 1): void {
  scene.budget.left -= steps;
  if (scene.budget.left < 0) throw new TooCostly();
}

/** A look that tells nobody: whether something fits. */
export function aside(scene: Scene): Scene {
  return { ...scene, findings: [], asked: [], bound: [], advises: false, unjudged: new Set() };
}
