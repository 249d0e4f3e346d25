import type { NotedStatement } from '../set-up/noted-statements.ts';
import { EXCEPTIONS } from './exceptions.ts';
import { judge } from './judge.ts';

/** Throws with every statement that is neither of one project nor an exception; when the whole suite sent them, also with every exception that none needs. */
export function holdToOneProject(statements: readonly NotedStatement[], { isWhole }: { isWhole: boolean }): void {
  const used = new Set<RegExp>();
  const wrong = statements.flatMap((statement) => {
    const said = judge(statement);
    if (said === undefined) return [];
    const text = statement.text.replace(/\s+/g, ' ').trim();
    const exceptions = EXCEPTIONS.filter(({ of }) => of.test(text));
    for (const { of } of exceptions) used.add(of);
    return exceptions.length > 0 ? [] : [`${said}: ${text}`];
  });
  const unused = isWhole ? EXCEPTIONS.filter(({ of }) => !used.has(of)) : [];
  const problems = [...wrong.sort(), ...unused.map(({ of }) => `an exception that nothing needs: ${of}`)];
  if (problems.length > 0) {
    throw new Error(
      `Each statement on tenants’ tables is one project’s (lib/testing/one-project/judge.ts):\n${problems.join('\n')}`,
    );
  }
}
