import type { SyntaxNode } from '@lezer/common';
import { isResourceType } from '../../fhir/type-ids.ts';
import { METHODS } from './methods.ts';

/** A text as far as it is written out; `isWhole`: to its end. */
export type Literal = { text: string; isWhole: boolean };

/** What names stand for, wherever in the source: scopes are not told apart, so a name may stand for several things. */
export type Bindings = {
  types: Map<string, Set<string>>;
  texts: Map<string, Literal>;
  /** Of one expression, that are still gone into: one that is longer tells nothing. */
  steps: number;
};

export const MOST_STEPS = 200;
/** A text made of texts doubles with each line. */
const MOST_CHARACTERS = 4000;
/** Of an annotation: those of parameters stand in each other. */
const MOST_ANNOTATED = 4000;

export function textOf(source: string, node: SyntaxNode): string {
  return source.slice(node.from, node.to);
}

/** The text that an expression is written as, or begins with. */
export function literalOf(source: string, node: SyntaxNode, bindings: Bindings): Literal | undefined {
  if (bindings.steps <= 0) return undefined;
  bindings.steps -= 1;
  const { texts } = bindings;
  switch (node.name) {
    case 'String':
      return { text: source.slice(node.from + 1, node.to - 1), isWhole: true };
    case 'TemplateString': {
      const hole = node.getChild('Interpolation');
      if (!hole) return { text: source.slice(node.from + 1, node.to - 1), isWhole: true };
      const text = source.slice(node.from + 1, hole.from);
      const inner = hole.firstChild?.nextSibling;
      const named = text === '' && inner?.name === 'VariableName' ? texts.get(textOf(source, inner)) : undefined;
      if (!named?.isWhole) return { text, isWhole: false };
      const next = node.getChildren('Interpolation')[1];
      return bounded({ text: named.text + source.slice(hole.to, next?.from ?? node.to - 1), isWhole: !next });
    }
    case 'VariableName':
      return texts.get(textOf(source, node));
    case 'ParenthesizedExpression':
      return node.firstChild?.nextSibling ? literalOf(source, node.firstChild.nextSibling, bindings) : undefined;
    case 'BinaryExpression': {
      const [left, right] = [node.firstChild, node.lastChild];
      if (!left || !right || !node.getChild('ArithOp')) return undefined;
      const begin = literalOf(source, left, bindings);
      if (!begin?.isWhole) return begin;
      const rest = literalOf(source, right, bindings);
      return bounded({ text: begin.text + (rest?.text ?? ''), isWhole: rest?.isWhole ?? false });
    }
    default:
      return undefined;
  }
}

function bounded({ text, isWhole }: Literal): Literal {
  if (text.length <= MOST_CHARACTERS) return { text, isWhole };
  return { text: text.slice(0, MOST_CHARACTERS), isWhole: false };
}

/** The types of resource that an expression may be or name; empty where its text does not tell. */
export function typesOf(source: string, node: SyntaxNode, bindings: Bindings): string[] {
  if (bindings.steps <= 0) return [];
  bindings.steps -= 1;
  const inner = (child: SyntaxNode | null | undefined) => (child ? typesOf(source, child, bindings) : []);
  switch (node.name) {
    case 'VariableName': {
      const literal = bindings.texts.get(textOf(source, node));
      return literal ? named(literal) : [...(bindings.types.get(textOf(source, node)) ?? [])];
    }
    case 'AwaitExpression':
      return inner(node.lastChild);
    case 'ParenthesizedExpression':
      return inner(node.firstChild?.nextSibling);
    case 'ConditionalExpression':
      return [...inner(node.firstChild?.nextSibling?.nextSibling), ...inner(node.lastChild)];
    case 'BinaryExpression': {
      if (node.getChild('as') ?? node.getChild('satisfies')) {
        const last = node.lastChild;
        const said = last ? typeNames(textOf(source, last)) : [];
        return said.length > 0 ? said : inner(node.firstChild);
      }
      const literal = literalOf(source, node, bindings);
      return literal ? named(literal) : [...inner(node.firstChild), ...inner(node.lastChild)];
    }
    case 'PostfixExpression':
      return inner(node.firstChild);
    case 'MemberExpression': {
      // An event of a Patient has one as its input.
      const [object, property] = [node.firstChild, node.lastChild];
      return object && property && textOf(source, property) === 'input' ? inner(object) : [];
    }
    case 'CallExpression':
      return typesOfCall(source, node, bindings);
    case 'ObjectExpression':
      return typesOfObject(source, node, bindings);
    default: {
      const literal = literalOf(source, node, bindings);
      return literal ? named(literal) : [];
    }
  }
}

/** `T` of `createResource<T>(…)`, or what the call is given: whoever reads a Patient has one. */
function typesOfCall(source: string, node: SyntaxNode, bindings: Bindings): string[] {
  const callee = node.firstChild;
  const said = callee?.getChild('TypeArgList');
  const types = said ? typeNames(textOf(source, said)) : [];
  if (types.length > 0) return types;
  const member = callee?.name === 'InstantiationExpression' ? callee.firstChild : callee;
  const method =
    member?.name === 'MemberExpression' && member.lastChild && METHODS.get(textOf(source, member.lastChild));
  const first = node.getChild('ArgList')?.firstChild?.nextSibling;
  return method && first ? typesOf(source, first, bindings) : [];
}

function typesOfObject(source: string, node: SyntaxNode, bindings: Bindings): string[] {
  const found: string[] = [];
  for (const property of node.getChildren('Property')) {
    const value = property.lastChild;
    if (!value) continue;
    const name = property.firstChild && textOf(source, property.firstChild).replace(/^['"]|['"]$/g, '');
    if (name === 'resourceType' || name === 'reference') return typesOf(source, value, bindings);
    if (name === '...') found.push(...typesOf(source, value, bindings));
  }
  return found;
}

/** `Patient`, `Patient/1`, `Patient?name=x`, and their beginnings once the type is whole. */
function named({ text, isWhole }: Literal): string[] {
  const [, type, after] = /^([A-Z][A-Za-z]+)([/?|]?)/.exec(text) ?? [];
  return type && (after || (isWhole && text === type)) && isResourceType(type) ? [type] : [];
}

/** Those of a type annotation that are resources. */
export function typeNames(text: string): string[] {
  return (text.slice(0, MOST_ANNOTATED).match(/[A-Za-z]\w*/g) ?? []).filter(isResourceType);
}
