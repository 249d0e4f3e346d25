/** One step of a search expression, applied to every node of the step before. */
export type Step =
  | { op: 'field'; name: string }
  | { op: 'type'; type: string }
  | { op: 'index'; index: number }
  | { op: 'refers-to'; type: string }
  | { op: 'equals'; field: string; value: string }
  | { op: 'has-extension'; url: string }
  | { op: 'extension'; url: string };

/** `truth`: the value is whether the path has a value other than false (Patient.deceased). */
export type Term = { steps: Step[]; truth: boolean };

const TRUTH = /^([\w.]+)\.exists\(\) and ([\w.]+) != false$/;
/** `(path as Type)`, and what follows; where nothing does it may stand without its brackets. */
const CAST = /^\((.+) as (\w+)\)((?:\..+)?)$/;
const LAST_CAST = /^([^(].*) as (\w+)$/;
const STEP_PATTERNS: [RegExp, (a: string, b: string) => Step][] = [
  [/^where\(resolve\(\) is (\w+)\)/, (type) => ({ op: 'refers-to', type })],
  [/^where\((\w+)\s*=\s*'([^']*)'\)/, (field, value) => ({ op: 'equals', field, value })],
  [/^where\(hasExtension\('([^']*)'\)\)/, (url) => ({ op: 'has-extension', url })],
  [/^(?:as|ofType)\((\w+)\)/, (type) => ({ op: 'type', type })],
  [/^extension\('([^']*)'\)/, (url) => ({ op: 'extension', url })],
  [/^\[(\d+)\]/, (index) => ({ op: 'index', index: Number(index) })],
  [/^(\w+)/, (name) => ({ op: 'field', name })],
];

/**
 * Parses the subset of FHIRPath that search expressions use: paths, unions, casts, `where` on a reference's type, on one
 * field or on an extension, indexers and extensions. The first step names the base type and is dropped.
 * Throws an Error on anything else.
 */
export function parsePath(expression: string): Term[] {
  return expression.split('|').map((term) => parseTerm(term.trim()));
}

function parseTerm(term: string): Term {
  const truth = TRUTH.exec(term);
  if (truth?.[1] && truth[1] === truth[2]) return { steps: parseSteps(truth[1]), truth: true };
  const cast = CAST.exec(term) ?? LAST_CAST.exec(term);
  if (!cast) return { steps: parseSteps(term), truth: false };
  const [, path = '', type = '', rest = ''] = cast;
  const steps: Step[] = [...parseSteps(path), { op: 'type', type }];
  return { steps: rest ? [...steps, ...scanSteps(rest.slice(1))] : steps, truth: false };
}

function parseSteps(path: string): Step[] {
  return scanSteps(path).slice(1);
}

function scanSteps(path: string): Step[] {
  const steps: Step[] = [];
  let rest = path;
  while (rest !== '') {
    const [step, length] = scanStep(rest, path);
    steps.push(step);
    rest = rest.slice(length).replace(/^\./, '');
  }
  return steps;
}

function scanStep(rest: string, path: string): [Step, number] {
  for (const [pattern, build] of STEP_PATTERNS) {
    const match = pattern.exec(rest);
    if (match) return [build(match[1] ?? '', match[2] ?? ''), match[0].length];
  }
  throw new Error(`Cannot compile the search expression ${path}`);
}
