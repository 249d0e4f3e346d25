import { DOMParser } from '@xmldom/xmldom';

/** Many times what identity providers send. Counted before it is parsed: an element's attributes cost the square of their number. */
const MOST_ELEMENTS = 1000;
const MOST_ATTRIBUTES = 2500;
const MOST_OF_ONE = 50;
const MOST_DEPTH = 16;

/**
 * XML that others send, as elements alone: no document type (so no entities, and nothing that is fetched), no sections of characters, no
 * instructions, and no comments unless it is `plain`: what stands between two of them is not one text to everybody. `plain`: no signature is checked in
 * it, which takes the square of its elements, so that it may have some more. Throws an Error that says why.
 */
export function parseXml(text: string, { plain = false } = {}): Element {
  const body = text.replace(/^\uFEFF?\s*<\?xml[^<>?]{0,200}\?>/, '');
  if (/<!DOCTYPE/i.test(body)) throw new Error('it has a document type');
  if ((plain ? /<!(?!--)|<\?/ : /<!|<\?/).test(body)) throw new Error('it has more than elements and text');
  const elements = count(body, '<') - count(body, '</');
  if (elements > MOST_ELEMENTS * (plain ? 4 : 1) || count(body, '=') > MOST_ATTRIBUTES * (plain ? 2 : 1))
    throw new Error('it is too large');
  const parser = new DOMParser({
    locator: {},
    // Also for what it would put right by itself. Its words quote what was sent, which is not for the log.
    errorHandler: () => {
      throw new Error('it is not well-formed');
    },
  });
  const document = parser.parseFromString(body, 'text/xml');
  const roots = [...children(document)];
  if (!roots[0] || roots.length > 1) throw new Error('it has no one root');
  for (const { element, depth } of walk(roots[0]))
    if (depth > MOST_DEPTH || element.attributes.length > MOST_OF_ONE) throw new Error('it is too deep, or too wide');
  return roots[0];
}

/** The element and all below it, in the order of the document. */
export function elementsOf(root: Element): Element[] {
  return Array.from(walk(root), ({ element }) => element);
}

/** Children of this name. */
export function childrenOf(parent: Element, namespace: string, name: string): Element[] {
  return [...children(parent)].filter((child) => child.namespaceURI === namespace && child.localName === name);
}

/** The one child of this name; undefined when there is none. Throws for a second. */
export function childOf(parent: Element | undefined, namespace: string, name: string): Element | undefined {
  const [child, second] = parent ? childrenOf(parent, namespace, name) : [];
  if (second) throw new Error(`it has more than one ${name}`);
  return child;
}

/** undefined for an attribute that is not there: a DOM says ''. */
export function attributeOf(element: Element | undefined, name: string): string | undefined {
  return element?.hasAttribute(name) ? (element.getAttribute(name) ?? undefined) : undefined;
}

export function textOf(element: Element | undefined): string {
  return element?.textContent?.trim() ?? '';
}

/** Without recursion: what is deep must not fill the stack before it is refused. */
function* walk(root: Element): Generator<{ element: Element; depth: number }> {
  const waiting = [{ element: root, depth: 1 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    yield next;
    const { element, depth } = next;
    for (const child of [...children(element)].reverse()) waiting.push({ element: child, depth: depth + 1 });
  }
}

const ELEMENT = 1;

function* children(parent: Node): Generator<Element> {
  for (let child = parent.firstChild; child; child = child.nextSibling)
    if (child.nodeType === ELEMENT) yield child as Element;
}

function count(text: string, part: string): number {
  let n = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) n += 1;
  return n;
}
