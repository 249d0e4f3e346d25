import fhirpath from 'fhirpath';
import r4 from 'fhirpath/fhir-context/r4/index.js';
import { describe, expect, it } from 'vitest';
import { activity, condition, observation, patient, practitioner } from '../fixtures.ts';
import { SEARCH_PARAMS } from '../generated/r4.ts';
import { compilePath, walk } from './path-compile.ts';

const rows = SEARCH_PARAMS.split('\n').map((line) => line.split('\t'));

describe('compilePath', () => {
  it.each([patient, practitioner, observation, condition, activity])(
    'finds what FHIRPath finds, for every search parameter of $resourceType',
    (resource) => {
      const own = rows.filter(
        ([base, , , expression = '']) => base === resource.resourceType && isComparable(expression),
      );
      expect(own.length).toBeGreaterThan(5);
      for (const [base = '', code, , expression = ''] of own) {
        expect({ code, values: compiled(base, expression, resource) }).toEqual({
          code,
          values: oracle(expression, resource),
        });
      }
    },
  );

  it('compiles every expression of the R4 package to at least one branch', () => {
    for (const [base = '', , , expression = ''] of rows) {
      expect(compilePath(base, expression), `${base}: ${expression}`).not.toEqual([]);
    }
  });

  it('keeps only references to the type that where(resolve() is X) names', () => {
    const subject = { reference: 'Group/g1' };
    const expression = 'Observation.subject.where(resolve() is Patient)';
    expect(compiled('Observation', expression, observation)).toEqual([observation.subject]);
    expect(compiled('Observation', expression, { ...observation, subject })).toEqual([]);
  });

  it('takes a trailing extension for its value', () => {
    const device = {
      resourceType: 'Device',
      extension: [
        { url: 'urn:a', valueString: 'x' },
        { url: 'urn:b', valueString: 'y' },
      ],
    };
    expect(compiled('Device', "Device.extension('urn:a')", device)).toEqual(['x']);
  });
});

/** The engine cannot resolve references here; ours opens extensions and reads "exists and not false" as a whole. */
function isComparable(expression: string): boolean {
  return !/resolve\(\)|extension\(| and /.test(expression);
}

/** Search expressions write `as` where several values may stand; FHIRPath wants `ofType` there. */
function oracle(expression: string, resource: object): string[] {
  const strict = expression.replace(/\(([\w.]+) as (\w+)\)/g, '$1.ofType($2)').replace(/\.as\(/g, '.ofType(');
  return fhirpath.evaluate(resource, strict, {}, r4, { async: false }).map(plain).sort();
}

function compiled(base: string, expression: string, resource: object): unknown[] {
  const values: unknown[] = [];
  for (const branch of compilePath(base, expression)) walk(resource, branch, (value) => values.push(value));
  return isComparable(expression) ? values.map(plain).sort() : values;
}

function plain(value: unknown): string {
  return JSON.stringify(value);
}
