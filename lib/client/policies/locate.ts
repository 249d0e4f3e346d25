import { javascriptLanguage } from '@codemirror/lang-javascript';
import type { SyntaxNode } from '@lezer/common';

/**
 * Where in a JSON text an element stands that a refusal names (`AccessPolicy.resource[0].criteria`): of what is not there, where what would
 * hold it stands; the first line when nothing is.
 */
export function locate(text: string, expression = ''): { from: number; to: number } {
  const steps = [...expression.matchAll(/\.([A-Za-z]+)|\[(\d+)\]/g)].map(([, name, at]) => name ?? Number(at));
  const tree = javascriptLanguage.parser.configure({ top: 'SingleExpression' }).parse(text);
  let node: SyntaxNode | null = tree.topNode.firstChild;
  for (const step of steps) {
    const next: SyntaxNode | undefined = node ? into(node, step, text) : undefined;
    if (!next) break;
    node = next;
  }
  if (!node || node.from === tree.topNode.firstChild?.from) return { from: 0, to: Math.max(0, text.indexOf('\n')) };
  return { from: node.from, to: node.to };
}

function into(node: SyntaxNode, step: string | number, text: string): SyntaxNode | undefined {
  if (typeof step === 'number') return node.name === 'ArrayExpression' ? valuesOf(node)[step] : undefined;
  const property = node
    .getChildren('Property')
    .find(({ firstChild: key }) => key && text.slice(key.from, key.to) === `"${step}"`);
  return property?.lastChild ?? undefined;
}

const BETWEEN = new Set(['[', ']', ',']);

function valuesOf(node: SyntaxNode): SyntaxNode[] {
  const values: SyntaxNode[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) if (!BETWEEN.has(child.name)) values.push(child);
  return values;
}
