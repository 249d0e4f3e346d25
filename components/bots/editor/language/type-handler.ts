import type TypeScript from '@typescript/typescript6';
import { ts } from './typescript.ts';

export type Insertion = { at: number; text: string };

const TYPES = [": import('@medplum/core').MedplumClient", ": import('@medplum/core').BotEvent<any>"];

/**
 * What TypeScript must be told of a handler whose parameters say no type, as those of bots in JavaScript: what they are is known. It is
 * inserted into the text that the service sees, and nobody else.
 */
export function typeHandler(text: string): Insertion[] {
  const source = ts.createSourceFile('handler.ts', text, ts.ScriptTarget.Latest);
  const handler = source.statements.map(toHandler).find((found) => found !== undefined);
  return (handler?.parameters ?? []).slice(0, TYPES.length).flatMap(({ name, type, questionToken }, index) => {
    if (type || questionToken || !ts.isIdentifier(name) || name.end === name.pos) return [];
    // `event => …` has no parentheses, in which alone a type may stand.
    if (!/[(,]\s*$/.test(text.slice(0, name.end - name.text.length))) return [];
    return [{ at: name.end, text: TYPES[index]! }];
  });
}

function toHandler(statement: TypeScript.Statement): TypeScript.FunctionLikeDeclaration | undefined {
  if (ts.isFunctionDeclaration(statement)) return statement.name?.text === 'handler' ? statement : undefined;
  if (ts.isVariableStatement(statement)) {
    const [declared] = statement.declarationList.declarations;
    if (!declared || !ts.isIdentifier(declared.name) || declared.name.text !== 'handler' || declared.type)
      return undefined;
    return toFunction(declared.initializer);
  }
  if (!ts.isExpressionStatement(statement) || !ts.isBinaryExpression(statement.expression)) return undefined;
  const { left, right } = statement.expression;
  return ts.isPropertyAccessExpression(left) && left.name.text === 'handler' ? toFunction(right) : undefined;
}

function toFunction(node: TypeScript.Expression | undefined): TypeScript.FunctionLikeDeclaration | undefined {
  return node && (ts.isArrowFunction(node) || ts.isFunctionExpression(node)) ? node : undefined;
}

/** A place of the author's text in that with the insertions. Right behind a name is before what is inserted there. */
export function toInner(insertions: readonly Insertion[], at: number): number {
  return insertions.reduce((sum, insertion) => (insertion.at < at ? sum + insertion.text.length : sum), at);
}

/** And back; what lies within an insertion is where it stands. */
export function toOuter(insertions: readonly Insertion[], at: number): number {
  let before = 0;
  for (const insertion of insertions) {
    if (at <= insertion.at + before) break;
    if (at < insertion.at + before + insertion.text.length) return insertion.at;
    before += insertion.text.length;
  }
  return at - before;
}
