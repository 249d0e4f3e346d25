import { describe, expect, it } from 'vitest';
import { breakResource } from '#lib/testing/fhir/break-resource.ts';
import { makeResource } from '#lib/testing/fhir/make-resource.ts';
import { STRUCTURES } from '../generated/r4.ts';
import { judgeResource, validateResource } from './validate.ts';

/** More by hand: `SEED=7 ROUNDS=100 npm test -- every-type`. */
const SEED = Number(process.env.SEED ?? 1);
const ROUNDS = Number(process.env.ROUNDS ?? 2);

const TYPES = STRUCTURES.split('\n').flatMap((line) => /^(\w+) [DR] /.exec(line)?.[1] ?? []);

describe('resources of every type, made from the definitions', () => {
  it('there are so many', () => expect(TYPES.length).toBeGreaterThan(140));

  it.each(TYPES)('%s: nothing against a right one, and every rule that is broken is told where it is', (type) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const seed = SEED * 1000 + round;
      const made = makeResource(type, seed);
      expect(judgeResource(JSON.parse(JSON.stringify(made))).issues).toEqual([]);
      for (const { rule, resource, expression, codes } of breakResource(made, seed)) {
        const issues = validateResource(resource, type);
        const told = issues.some((issue) => issue.expression === expression && codes.includes(issue.code ?? ''));
        expect(told, `${rule} at ${expression}: ${JSON.stringify(issues)} of ${JSON.stringify(resource)}`).toBe(true);
      }
    }
  });
});
