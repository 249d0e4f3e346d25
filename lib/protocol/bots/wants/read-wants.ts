import type { SyntaxNode, Tree } from '@lezer/common';
import { parser } from '@lezer/javascript';
import { takeTurns } from '#lib/base/turns.ts';
import { type Bindings, literalOf, MOST_STEPS, textOf, typeNames, typesOf } from './bindings.ts';
import { CALLS, interactionOf, METHODS } from './methods.ts';
import { keyOf, type SourceWants, type Unclear, type Want } from './wants.ts';

const typescript = parser.configure({ dialect: 'ts' });

/** Characters of all sources together that are read: what is longer was bundled, and says little of what its author wrote. */
const MOST_READ = 256 * 1024;
const MOST_UNCLEAR = 20;
const MOST_WANTS = 500;

/**
 * What sources say that they want: calls of the client with the type written out, `fetch` of hosts that are, names in `event.secrets`. Read, not run, and
 * no fence: whoever means to hide what a bot does can.
 */
export async function readWants(sources: readonly string[]): Promise<SourceWants> {
  const wants = new Map<string, Want>();
  const unclear: Unclear[] = [];
  let left = MOST_READ;
  for (const source of sources) {
    left -= source.length;
    if (left >= 0) await readInto(source, { wants, unclear });
    else unclear.push({ call: 'a source that is, with those before it, longer than 256 KiB', line: 1 });
  }
  const sorted = [...wants].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, want]) => want);
  return { wants: sorted.slice(0, MOST_WANTS), unclear: unclear.slice(0, MOST_UNCLEAR) };
}

type Found = { wants: Map<string, Want>; unclear: Unclear[] };

async function readInto(source: string, found: Found): Promise<void> {
  const turn = takeTurns();
  const parse = typescript.startParse(source);
  let tree: Tree | null = null;
  while (!tree) {
    tree = parse.advance();
    await turn();
  }
  const bindings: Bindings = { types: new Map(), texts: new Map(), steps: 0 };
  for (const node of nodesOf(tree)) {
    bindings.steps = MOST_STEPS;
    if (node.name === 'VariableDefinition') bind(source, node, bindings);
    await turn();
  }
  for (const node of nodesOf(tree)) {
    bindings.steps = MOST_STEPS;
    look(source, node, bindings, found);
    await turn();
  }
}

function* nodesOf(tree: Tree): Generator<SyntaxNode> {
  const cursor = tree.cursor();
  do yield cursor.node;
  while (cursor.next());
}

/** What a name is given where it is declared, by its type or by what it is set to; of a loop by what it goes over. */
function bind(source: string, node: SyntaxNode, bindings: Bindings): void {
  const { types, texts } = bindings;
  const name = textOf(source, node);
  const add = (found: readonly string[]) => {
    if (found.length > 0) types.set(name, new Set([...(types.get(name) ?? []), ...found]));
  };
  const next = node.nextSibling;
  if (next?.name === 'TypeAnnotation') add(typeNames(textOf(source, next)));
  const equals = next?.name === 'TypeAnnotation' ? next.nextSibling : next;
  const isLoop = node.parent?.name === 'ForOfSpec' || node.parent?.parent?.name === 'ForOfSpec';
  const value = equals?.name === 'Equals' ? equals.nextSibling : isLoop ? lastExpressionOf(node) : null;
  if (!value) return;
  const literal = literalOf(source, value, bindings);
  // One that is declared twice says nothing for sure.
  if (literal) texts.set(name, texts.has(name) ? { text: '', isWhole: false } : literal);
  else add(typesOf(source, value, bindings));
}

function lastExpressionOf(node: SyntaxNode): SyntaxNode | null {
  const spec = node.parent?.name === 'ForOfSpec' ? node.parent : node.parent?.parent;
  return spec?.lastChild?.prevSibling ?? null;
}

function look(source: string, node: SyntaxNode, bindings: Bindings, found: Found): void {
  if (node.name === 'CallExpression' || node.name === 'NewExpression') lookAtCall(source, node, bindings, found);
  else if (node.name === 'MemberExpression') lookAtMember(source, node, bindings, found);
  else if (node.name === 'ObjectPattern') lookAtPattern(source, node, found);
  else if (node.name === 'Property') lookAtRequest(source, node, bindings, found);
}

function lookAtCall(source: string, node: SyntaxNode, bindings: Bindings, found: Found): void {
  const callee = node.name === 'NewExpression' ? node.firstChild?.nextSibling : node.firstChild;
  const member = callee?.name === 'InstantiationExpression' ? callee.firstChild : callee;
  const first = node.getChild('ArgList')?.firstChild?.nextSibling;
  const given = first && first.name !== ')' ? first : undefined;
  if (!member) return;
  if (member.name === 'VariableName') {
    const name = textOf(source, member);
    const isFetch = node.name === 'CallExpression' ? name === 'fetch' : name === 'Request';
    if (isFetch && given) lookAtAddress(source, given, bindings, found);
    return;
  }
  if (member.name !== 'MemberExpression' || !member.lastChild) return;
  const name = textOf(source, member.lastChild);
  if (CALLS.has(name) && isClient(source, member.firstChild)) add(found, { kind: 'call', name });
  const method = METHODS.get(name);
  if (!method) return;
  const types = method.type ? [method.type] : given ? typesOfCall(source, node, given, bindings) : [];
  // Texts and arrays are searched, too.
  const isOurs = name !== 'search' || types.length > 0 || isClient(source, member.firstChild);
  if (!isOurs || (method.by !== 'none' && !given)) return;
  if (method.type && !isClient(source, member.firstChild)) return;
  if (types.length === 0) note(source, node, name, found);
  for (const type of types)
    for (const interaction of method.interactions) add(found, { kind: 'resource', type, interaction });
}

function typesOfCall(source: string, node: SyntaxNode, given: SyntaxNode, bindings: Bindings): string[] {
  const said = node.firstChild?.getChild('TypeArgList');
  const types = said ? typeNames(textOf(source, said)) : [];
  return types.length > 0 ? types : typesOf(source, given, bindings);
}

function isClient(source: string, node: SyntaxNode | null): boolean {
  return node !== null && /(?:^|\.)(?:medplum|client|repo|api)\w*$/i.test(textOf(source, node).slice(-80));
}

function lookAtAddress(source: string, given: SyntaxNode, bindings: Bindings, found: Found): void {
  const isUrl =
    given.name === 'NewExpression' &&
    given.firstChild?.nextSibling &&
    /^URL\b/.test(textOf(source, given.firstChild.nextSibling));
  const inner = isUrl ? given.getChild('ArgList')?.firstChild?.nextSibling : given;
  const literal = inner && literalOf(source, inner, bindings);
  const [, host, after] = /^https?:\/\/([^/?#\s]+)([/?#]?)/i.exec(literal?.text ?? '') ?? [];
  const name = host && (after || literal?.isWhole) ? URL.parse(`https://${host}`)?.hostname : undefined;
  if (name) add(found, { kind: 'host', name });
  else note(source, given, 'fetch', found);
}

/** `event.secrets.NAME`, `event.secrets['NAME']`, `secrets.NAME`. */
function lookAtMember(source: string, node: SyntaxNode, bindings: Bindings, found: Found): void {
  const object = node.firstChild;
  if (!object || !isSecrets(source, object)) return;
  const last = node.lastChild;
  const literal = last?.prevSibling && literalOf(source, last.prevSibling, bindings);
  if (last?.name === 'PropertyName') add(found, { kind: 'secret', name: textOf(source, last) });
  else if (literal?.isWhole) add(found, { kind: 'secret', name: literal.text });
  else note(source, node, 'event.secrets', found);
}

/** `const { NAME } = event.secrets`. */
function lookAtPattern(source: string, node: SyntaxNode, found: Found): void {
  const value = node.nextSibling?.name === 'Equals' ? node.nextSibling.nextSibling : null;
  if (!value || !isSecrets(source, value)) return;
  for (const property of node.getChildren('PatternProperty')) {
    const [name] = textOf(source, property).split(/[:=\s]/);
    if (name && !name.startsWith('.')) add(found, { kind: 'secret', name: name.replace(/^['"]|['"]$/g, '') });
  }
}

function isSecrets(source: string, node: SyntaxNode): boolean {
  if (node.name === 'VariableName') return textOf(source, node) === 'secrets';
  return node.name === 'MemberExpression' && node.lastChild !== null && textOf(source, node.lastChild) === 'secrets';
}

/** An entry of a Bundle: `request: { method: 'POST', url: 'Patient' }`. */
function lookAtRequest(source: string, node: SyntaxNode, bindings: Bindings, found: Found): void {
  if (!node.firstChild || textOf(source, node.firstChild) !== 'request' || node.lastChild?.name !== 'ObjectExpression')
    return;
  const said = new Map<string, SyntaxNode>();
  for (const property of node.lastChild.getChildren('Property'))
    if (property.firstChild && property.lastChild) said.set(textOf(source, property.firstChild), property.lastChild);
  const [method, url] = [said.get('method'), said.get('url')];
  const verb = method && literalOf(source, method, bindings)?.text;
  if (!verb || !url) return;
  const address = literalOf(source, url, bindings);
  const interaction = interactionOf(verb, address?.text ?? '');
  const types = typesOf(source, url, bindings);
  if (!interaction) return;
  if (types.length === 0) note(source, node, `${verb} in a Bundle`, found);
  for (const type of types) add(found, { kind: 'resource', type, interaction });
}

function add({ wants }: Found, want: Want): void {
  wants.set(keyOf(want), want);
}

function note(source: string, node: SyntaxNode, call: string, { unclear }: Found): void {
  if (unclear.length >= MOST_UNCLEAR) return;
  unclear.push({ call, line: source.slice(0, node.from).split('\n').length });
}
