import type { Issue } from '#lib/base/errors.ts';

/** What stands against a resource whose structure is sound: an invariant, a profile. Whether it counts is the project's to say. */
export type Finding = Issue & { severity: 'error' | 'warning' | 'information' };
/** An element of which expressions remain to be evaluated: from the root down, and its path in the definitions. */
export type Pending = { at: (string | number)[]; path: string };

/** Where the validator stands: property names and array indexes from the root down. */
export type CheckContext = {
  path: (string | number)[];
  issues: Issue[];
  findings: Finding[];
  pending: Pending[];
  root: string;
  /** Ids of the resources that the one which is being judged contains. */
  contained: ReadonlySet<unknown>;
};

/** Reports what is wrong with a value. `parent` is the object that holds it. */
export type Check = (value: unknown, context: CheckContext, parent: Readonly<Record<string, unknown>>) => void;

const MAX_ISSUES = 50;
/** Each is an evaluation for the engine, and their sum has a limit of time. */
const MAX_PENDING = 10_000;

export function fail(context: CheckContext, code: string, text: string): void {
  report(context, { text, expression: expressionOf(context.path), code });
}

export function report(context: CheckContext, issue: Issue): void {
  if (context.issues.length < MAX_ISSUES) context.issues.push(issue);
}

export function find(context: CheckContext, finding: Omit<Finding, 'expression'>): void {
  if (context.findings.length >= MAX_ISSUES) return;
  const { severity, ...issue } = finding;
  context.findings.push({ ...issue, severity, expression: expressionOf(context.path) });
}

export function postpone(context: CheckContext, path: string): void {
  if (context.pending.length < MAX_PENDING) context.pending.push({ at: context.path.slice(1), path });
}

/** `Patient.name[0].family` */
export function expressionOf(path: CheckContext['path']): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? part : `${text}.${part}`;
  }, '');
}
