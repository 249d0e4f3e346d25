/**
 * What is wrong with a narrative's XHTML, as a phrase; undefined when nothing is. It must be one well-formed div of the elements and
 * attributes that R4 allows (narrative §2.4.0, txt-1), without scripts. One pass: time grows with the length only.
 */
export function xhtmlFault(text: string): string | undefined {
  const open: string[] = [];
  let marks = 0;
  let at = skipSpace(text, 0);
  if (!/^<div[\s>/]/.test(text.slice(at, at + 5))) return 'must be an XHTML div';
  do {
    if (text[at] === '<' || text[at] === '&') marks += 1;
    if (marks > MOST_MARKS) return `must not have more than ${MOST_MARKS} tags and entities`;
    if (text[at] === '<') {
      const tag = text.startsWith('<!--', at) ? readComment(text, at) : readTag(text, at, open);
      if (typeof tag === 'string') return tag;
      at = tag;
    } else {
      if (text[at] === '&' && !ENTITY.test(rest(text, at, 40))) return `${MALFORMED}: an & that is no entity`;
      at = nextMarkup(text, at + 1);
    }
  } while (open.length > 0 && at < text.length);
  if (open.length > 0) return `${MALFORMED}: ${name(open.at(-1)!)} is not closed`;
  return skipSpace(text, at) === text.length ? undefined : `${MALFORMED}: nothing may follow the div`;
}

/** Of a text that people read there are fewer; two million took a second, in which nobody else was answered. */
const MOST_MARKS = 100_000;
const MALFORMED = 'must be well-formed XHTML';
/** R4's own list, and what else stands in the chapters of HTML 4.0 that it names. */
const ELEMENTS = new Set(
  `a abbr acronym address area b bdo big blockquote br caption cite code col colgroup dd dfn div dl dt em font h1 h2 h3 h4 h5 h6 hr i
  img kbd li map ol p pre q s samp small span strike strong sub sup table tbody td tfoot th thead tr tt u ul var`.split(
    /\s+/,
  ),
);
const ATTRIBUTES = new Set(
  `abbr accesskey align alt axis bgcolor border cellhalign cellpadding cellspacing cellvalign char charoff charset cite class clear color
  colspan compact coords dir face frame headers height href hreflang hspace id ismap lang longdesc name nowrap rel rev rowspan rules scope
  shape size span src start style summary tabindex title type usemap valign value vspace width xml:lang xml:space xmlns`.split(
    /\s+/,
  ),
);
const NAMESPACE = 'http://www.w3.org/1999/xhtml';
const ENTITY = /^&(?:#\d{1,7}|#x[0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{0,30});/;
const END_TAG = /<\/([A-Za-z][\w:.-]*)\s*>/y;
const START_TAG = /<([A-Za-z][\w:.-]*)/y;
const ATTRIBUTE = /\s+([A-Za-z_][\w:.-]*)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y;
const TAG_END = /\s*(\/?)>/y;

/** Index after the tag, or what is wrong with it. `open` are the elements that it stands in. */
function readTag(text: string, at: number, open: string[]): number | string {
  const end = match(END_TAG, text, at);
  if (end) {
    return open.pop() === end[1] ? at + end[0].length : `${MALFORMED}: </${short(end[1])}> closes nothing`;
  }
  const start = match(START_TAG, text, at);
  if (!start) return `${MALFORMED}: a < that begins no tag`;
  const element = start[1] ?? '';
  if (!ELEMENTS.has(element)) return `must not contain ${name(element)}`;
  let next = at + start[0].length;
  const seen = new Set<string>();
  for (let found = match(ATTRIBUTE, text, next); found; found = match(ATTRIBUTE, text, next)) {
    const [whole, attribute = '', double, single] = found;
    const fault = seen.has(attribute)
      ? `${MALFORMED}: ${short(attribute)} stands twice in one tag`
      : attributeFault(attribute, double ?? single ?? '', element);
    if (fault) return fault;
    seen.add(attribute);
    next += whole.length;
  }
  const close = match(TAG_END, text, next);
  if (!close) return `${MALFORMED}: ${name(element)} has an attribute without a value, or no end`;
  if (close[1] === '') open.push(element);
  return next + close[0].length;
}

function attributeFault(attribute: string, value: string, element: string): string | undefined {
  if (!ATTRIBUTES.has(attribute)) return `must not contain the attribute ${short(attribute)}`;
  if (attribute === 'xmlns' && value !== NAMESPACE) return `must be in the namespace ${NAMESPACE}`;
  for (let at = value.indexOf('&'); at >= 0; at = value.indexOf('&', at + 1)) {
    if (!ENTITY.test(rest(value, at, 40))) return `${MALFORMED}: an & that is no entity`;
  }
  return isScript(attribute, value, element) ? 'must not contain links to scripts' : undefined;
}

/** As a browser would read it: entities are characters, and white space inside a scheme does not count. */
function isScript(attribute: string, value: string, element: string): boolean {
  const plain = value
    .replace(/&#(x?)([0-9A-Fa-f]{1,7});/g, (_, hex, digits) => fromCode(Number.parseInt(digits, hex ? 16 : 10)))
    .replace(/&(?:colon|Tab|NewLine);/g, (entity) => (entity === '&colon;' ? ':' : ''))
    // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers skip them.
    .replace(/[\u0000-\u0020]+/g, '')
    .toLowerCase();
  if (attribute === 'style') return /(?:java|vb)script:|expression\(/.test(plain);
  if (/^(?:java|vb)script:/.test(plain)) return true;
  return plain.startsWith('data:') && !(element === 'img' && plain.startsWith('data:image/'));
}

function fromCode(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : '';
}

function readComment(text: string, at: number): number | string {
  const end = text.indexOf('-->', at + 4);
  return end < 0 ? `${MALFORMED}: a comment is not closed` : end + 3;
}

function nextMarkup(text: string, at: number): number {
  let end = at;
  while (end < text.length && text[end] !== '<' && text[end] !== '&') end += 1;
  return end;
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (at < text.length && /\s/.test(text[at]!)) at += 1;
  return at;
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function rest(text: string, at: number, length: number): string {
  return text.slice(at, at + length);
}

function name(element: string): string {
  return `<${short(element)}>`;
}

function short(text = ''): string {
  return text.slice(0, 40);
}
