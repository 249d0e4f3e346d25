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

function answer(root: unknown, { at, path, expression }: Question): Answer {
  try {
    const evaluate = compile(path, expression);
    if (!evaluate) return 'failed';
    const { node, resource } = locate(root as Holder, at);
    const [value, ...more] = evaluate(node, { resource, rootResource: root });
    if (value === undefined) return 'empty';
    return more.length === 0 && value === false ? 'false' : 'true';
  } catch {
    return 'failed';
  }
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
    const evaluate = engine.compile({ base, expression }, model, { traceFn: () => undefined });
    return (node, variables) => evaluate(node, variables) as unknown[];
  } catch {
    return undefined;
  }
}
