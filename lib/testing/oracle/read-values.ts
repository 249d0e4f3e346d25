import fhirpath from 'fhirpath';
import r4 from 'fhirpath/fhir-context/r4/index.js';
import { SEARCH_PARAMS } from '#lib/protocol/fhir/generated/r4.ts';
import type { Resource } from '#lib/protocol/fhir/types.ts';
import { OWN_PARAMS } from './own-params.ts';

/** An official SearchParameter, as HL7 has it, or one of the project's own. */
export type Official = {
  base: string;
  code: string;
  type: string;
  expression: string;
  targets: string[];
  components: string[];
};

const officials = SEARCH_PARAMS.split('\n').map((line): Official => {
  const [base = '', code = '', type = '', expression = '', targets = '', parts = ''] = line.split('\t');
  return {
    base,
    code,
    type,
    expression,
    targets: targets ? targets.split(',') : [],
    components: parts ? parts.split(';') : [],
  };
});

const own = OWN_PARAMS.map(([base, code, type, expression]) => ({
  base,
  code,
  type,
  expression,
  targets: [],
  components: [],
}));

export function officialsOf(type: string): Official[] {
  return [...officials, ...own].filter(({ base }) => base === type);
}

const compiled = new Map<string, (node: object, resource: Resource) => unknown[]>();

/** What an expression finds, by HL7's own engine. Search expressions write `as` where several values may stand; FHIRPath wants `ofType` there. */
export function readValues(expression: string, resource: Resource, from: object = resource): unknown[] {
  let run = compiled.get(expression);
  if (!run) {
    run = compile(expression);
    compiled.set(expression, run);
  }
  return run(from, resource);
}

function compile(expression: string): (node: object, resource: Resource) => unknown[] {
  const strict = expression
    .replace(/\(([\w.]+) as (\w+)\)/g, '($1.ofType($2))')
    .replace(/\.as\((\w+)\)/g, (_, type: string) => `.ofType(${type === 'DateTime' ? 'dateTime' : type})`)
    .replace(/where\(resolve\(\) is (\w+)\)/g, "where(reference.startsWith('$1/'))");
  // One by one: FHIRPath's union leaves out what is equal, as 5400 mg are to 0.0054 kg, and a search finds either.
  const runs = branchesOf(strict).map((branch) => fhirpath.compile(branch, r4, { async: false }));
  return (node, resource) => runs.flatMap((run) => run(node, { resource }) as unknown[]);
}

/** What stands between the unions of an expression, but for those in parentheses. */
function branchesOf(expression: string): string[] {
  const branches = [''];
  let depth = 0;
  for (const char of expression) {
    depth += char === '(' ? 1 : char === ')' ? -1 : 0;
    if (char === '|' && depth === 0) branches.push('');
    else branches.push(branches.pop()! + char);
  }
  return branches;
}
