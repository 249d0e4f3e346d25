import type TypeScript from '@typescript/typescript6';
import { ts } from './typescript.ts';

/** What of the Web a bot finds (docs/bots.md, "The Web and Node inside a bot"). */
const GIVEN = new Set([
  ...['AbortController', 'AbortSignal', 'Blob', 'ByteLengthQueuingStrategy', 'CompressionStream'],
  ...['CountQueuingStrategy', 'CryptoKey', 'CustomEvent', 'DecompressionStream'],
  ...['DOMException', 'Event', 'EventTarget', 'File', 'FormData', 'Headers', 'ReadableStream', 'Request', 'Response'],
  ...['TextDecoder', 'TextDecoderStream', 'TextEncoder', 'TextEncoderStream', 'TransformStream', 'URL'],
  ...['URLSearchParams', 'WritableStream', 'atob', 'btoa', 'clearInterval', 'clearTimeout', 'console', 'crypto'],
  ...['fetch', 'performance', 'queueMicrotask', 'setInterval', 'setTimeout', 'structuredClone'],
]);

/**
 * Of the declarations of a Web worker those that hold for bots: what is given, and the types that it speaks of. So the editor offers no
 * WebSocket, and says of one that there is none.
 */
export function pickWeb(library: string): string {
  const source = ts.createSourceFile('web.d.ts', library, ts.ScriptTarget.Latest);
  const values = new Map<string, TypeScript.Statement[]>();
  const types = new Map<string, TypeScript.Statement[]>();
  for (const statement of source.statements) {
    const isType = ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement);
    for (const name of namesOf(statement)) {
      const kept = isType ? types : values;
      kept.set(name, [...(kept.get(name) ?? []), statement]);
    }
  }
  const picked = new Set<TypeScript.Statement>();
  const waiting: TypeScript.Statement[] = [...GIVEN].flatMap((name) => [
    ...(values.get(name) ?? []),
    ...(types.get(name) ?? []),
  ]);
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (picked.has(next)) continue;
    picked.add(next);
    visit(next, (name) => waiting.push(...(types.get(name) ?? [])));
  }
  return source.statements
    .filter((statement) => picked.has(statement))
    .map((statement) => statement.getFullText(source))
    .join('');
}

function namesOf(statement: TypeScript.Statement): string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []));
  }
  const isNamed =
    ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement) || ts.isFunctionDeclaration(statement);
  return isNamed && statement.name ? [statement.name.text] : [];
}

function visit(node: TypeScript.Node, named: (name: string) => void): void {
  if (ts.isTypeReferenceNode(node) && ts.isIdentifier(node.typeName)) named(node.typeName.text);
  if (ts.isExpressionWithTypeArguments(node) && ts.isIdentifier(node.expression)) named(node.expression.text);
  ts.forEachChild(node, (child) => visit(child, named));
}
