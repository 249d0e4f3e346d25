import { askNow } from '#lib/infra/fhirpath/ask.ts';
import { checkProfile } from '#lib/protocol/fhir/profiles/check-profile.ts';
import type { Profile } from '#lib/protocol/fhir/profiles/node.ts';
import { type Scene, TooCostly } from '#lib/protocol/fhir/profiles/scene.ts';
import type { Resource } from '#lib/protocol/fhir/types.ts';
import { expressionOf, type Finding } from '#lib/protocol/fhir/validate/check-context.ts';
import { type Ctx, requireActor } from '../access/context.ts';
import { judgeBindings } from './judge-bindings.ts';
import type { Known } from './load-profiles.ts';
import { seenSets } from './seen-sets.ts';

/** Looks at an element, over all profiles of a resource: some hundred milliseconds. */
const MAX_STEPS = 100_000;
const MAX_ASKED = 2000;
/** Profiles of these are of every resource. */
const ABSTRACT = ['Resource', 'DomainResource'];

/**
 * What may be spent on one resource, whatever it is held against; and whether it is asked by somebody who wants what is only advised, too: they
 * are told of what they may see. A write is held by what the project has.
 */
export type Budget = { left: number; advises: boolean };

/** A Bundle has many resources, which share it. */
export function newBudget({ resourceType }: Resource, advises: boolean): Budget {
  return { left: resourceType === 'Bundle' ? 5 * MAX_STEPS : MAX_STEPS, advises };
}

/**
 * What a profile says of a resource. Whatever is not judged is told as information; a resource that is too much for it, or an expression that
 * takes too long, is an error: nobody can say that it conforms.
 */
export async function holdAgainst(
  ctx: Ctx,
  resource: Resource,
  profile: Profile,
  known: Known,
  budget: Budget,
): Promise<Finding[]> {
  const { resourceType: type } = resource;
  if (profile.type !== type && !ABSTRACT.includes(profile.type)) {
    return [
      { severity: 'error', code: 'value', text: `${profile.url} is a profile of ${profile.type}`, expression: type },
    ];
  }
  const valueSets = budget.advises ? await seenSets(ctx, known) : known.valueSets;
  const scene: Scene = {
    type,
    profile: (name) => known.profiles.get(name),
    valueSet: (name) => valueSets.get(name),
    findings: [],
    asked: [],
    bound: [],
    unjudged: new Set(),
    budget,
    advises: budget.advises,
    within: [],
  };
  try {
    checkProfile(profile, { value: resource, beside: undefined, at: [] }, scene);
  } catch (error) {
    if (error instanceof TooCostly) return [...scene.findings, tooCostly(type, profile)];
    throw error;
  }
  if (scene.asked.length > MAX_ASKED) return [...scene.findings, tooCostly(type, profile)];
  const told = await askAll(requireActor(ctx).projectId, resource, profile, scene);
  const codes = await judgeBindings(ctx, type, scene.bound, budget.advises ? 'caller' : 'project');
  return [...scene.findings, ...codes, ...told, ...[...scene.unjudged].map((text) => information(type, text))];
}

async function askAll(projectId: string, resource: Resource, profile: Profile, { asked }: Scene): Promise<Finding[]> {
  if (asked.length === 0) return [];
  const { resourceType: type } = resource;
  const questions = asked.map(({ at, path, expression }) => ({ at, path, expression }));
  const answers = await askNow(projectId, JSON.stringify(resource), questions);
  if (answers.includes('unknown')) return [tooCostly(type, profile)];
  return asked.flatMap(({ at, key, severity, text }, index): Finding[] => {
    const expression = expressionOf([type, ...at]);
    if (answers[index] === 'failed')
      return [information(expression, `Not judged, since it cannot be evaluated here: ${key}`)];
    return answers[index] === 'true' ? [] : [{ severity, code: 'invariant', text: `${text} (${key})`, expression }];
  });
}

function tooCostly(expression: string, { url }: Profile): Finding {
  const text = `Cannot be held against ${url} in the time that there is: simplify the profile's expressions, or make the resource smaller`;
  return { severity: 'error', code: 'too-costly', text, expression };
}

function information(expression: string, text: string): Finding {
  return { severity: 'information', code: 'informational', text, expression };
}
