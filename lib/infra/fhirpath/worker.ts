import { parentPort } from 'node:worker_threads';
import engine from 'fhirpath';
import model from 'fhirpath/fhir-context/r4/index.js';
import type { Answer, FromWorker, Job, Question } from './wire.ts';

type Evaluate = (node: unknown, variables: Record<string, unknown>) => unknown[];
type Holder = Record<string | number, unknown>;

/** A project's own expressions go round: those that are asked again and again stay. */
const MAX_COMPILED = 2000;
const compiled = new Map<string, Evaluate | undefined>();

const post = (message: FromWorker) => parentPort?.postMessage(message);

parentPort?.on('message', ({ text, questions }: Job) => {
  const resource: unknown = JSON.parse(text);
  post({ answers: questions.map((question) => answer(resource, question)) });
});
post('ready');

function answer(root: unknown, { at, path, expression, wants, variables = [] }: Question): Answer {
  try {
    // By itself first, so that what follows it cannot become a part of it.
    const evaluate =
      compile(path, expression) && compile(path, wants === 'places' ? `(${expression}\n).${PLACE}()` : expression);
    if (!evaluate) return 'failed';
    const { node, resource } = locate(root as Holder, at);
    const named = variables.map((name) => [name, (root as Holder)[name] ?? []]);
    const values = evaluate(node, { resource, rootResource: root, ...Object.fromEntries(named) });
    if (wants === 'places') return values as Place[];
    const [value, ...more] = values;
    if (value === undefined) return 'empty';
    if (wants === 'decision' && (more.length > 0 || typeof value !== 'boolean')) return 'failed';
    return more.length === 0 && value === false ? 'false' : 'true';
  } catch {
    return 'failed';
  }
}

const PLACE = 'gatehousePlace';
type Place = (string | number)[];
type Node = {
  parentResNode?: Node;
  data?: unknown;
  propName?: string;
  index?: number | null;
  fhirNodeDataType?: string | null;
};
const FUNCTIONS = {
  [PLACE]: { fn: (nodes: Node[]) => nodes.map(placeOf), arity: { 0: [] as [] }, internalStructures: true },
};

/** From the root. Throws for what is no element of the resource: 1 + 1. */
function placeOf(from: Node): Place {
  const place: Place = [];
  let node = from;
  for (; node.parentResNode; node = node.parentResNode) {
    if (typeof node.index === 'number') place.unshift(node.index);
    place.unshift(propertyOf(node));
  }
  if (typeof (node.data as Holder | undefined)?.resourceType === 'string') return place;
  throw new Error('not of the resource');
}

/** The engine knows the value of an Extension as `value`, which is valueString in JSON. */
function propertyOf({ propName: name = '', parentResNode, fhirNodeDataType: type }: Node): string {
  const holder = parentResNode?.data as Holder | undefined;
  const isThere = (key: string) => typeof holder === 'object' && (key in holder || `_${key}` in holder);
  const ofType = `${name}${type?.charAt(0).toUpperCase()}${type?.slice(1)}`;
  return !isThere(name) && type && isThere(ofType) ? ofType : name;
}

/** The element, and the resource that it is in. */
function locate(root: Holder, at: readonly (string | number)[]): { node: unknown; resource: unknown } {
  let node: unknown = root;
  let resource: unknown = root;
  for (const part of at) {
    node = (node as Holder)[part];
    if (typeof (node as Holder | undefined)?.resourceType === 'string') resource = node;
  }
  return { node, resource };
}

function compile(base: string, expression: string): Evaluate | undefined {
  const key = `${base} ${expression}`;
  if (!compiled.has(key)) {
    if (compiled.size >= MAX_COMPILED) compiled.delete(compiled.keys().next().value ?? '');
    compiled.set(key, tryCompile(base, expression));
  }
  return compiled.get(key);
}

function tryCompile(base: string, expression: string): Evaluate | undefined {
  try {
    // What an expression traces is nobody's to read.
    const evaluate = engine.compile({ base, expression }, model, {
      traceFn: () => undefined,
      userInvocationTable: FUNCTIONS,
    });
    return (node, variables) => evaluate(node, variables) as unknown[];
  } catch {
    return undefined;
  }
}
