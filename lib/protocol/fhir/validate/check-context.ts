import type { Issue } from '#lib/base/errors.ts';

/** Where the validator stands: property names and array indexes from the root down. */
export type CheckContext = {
  path: (string | number)[];
  issues: Issue[];
  root: string;
  /** Ids of the resources that the one which is being judged contains. */
  contained: ReadonlySet<unknown>;
};

/** Reports what is wrong with a value. `parent` is the object that holds it. */
export type Check = (value: unknown, context: CheckContext, parent: Readonly<Record<string, unknown>>) => void;

const MAX_ISSUES = 50;

export function fail(context: CheckContext, code: string, text: string): void {
  report(context, { text, expression: expressionOf(context.path), code });
}

export function report(context: CheckContext, issue: Issue): void {
  if (context.issues.length < MAX_ISSUES) context.issues.push(issue);
}

/** `Patient.name[0].family` */
function expressionOf(path: CheckContext['path']): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? part : `${text}.${part}`;
  }, '');
}
