/** Their ends are no ends of words. All others stand for a space. */
const INLINE = new Set(
  'a abbr acronym b bdo big cite code dfn em font i kbd q s samp small span strike strong sub sup tt u var'.split(' '),
);
const NAME = /<\/?([A-Za-z][\w:.-]*)/y;

/** What people read of a narrative's XHTML: its text without tags, attributes and comments, entities as characters. One pass, whatever it is. */
export function narrativeText(div: string): string {
  const parts: string[] = [];
  for (let at = 0; at < div.length; ) {
    const open = div.indexOf('<', at);
    parts.push(decoded(div.slice(at, open < 0 ? undefined : open)));
    if (open < 0) break;
    NAME.lastIndex = open;
    const name = NAME.exec(div)?.[1];
    if (name !== undefined && !INLINE.has(name)) parts.push(' ');
    at = div.startsWith('<!--', open) ? endOf(div, '-->', open + 4) : endOfTag(div, open + 1);
  }
  return parts.join('');
}

function endOf(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at < 0 ? text.length : at + mark.length;
}

/** A > within quotes ends no tag. */
function endOfTag(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const sign = text[at]!;
    if (sign === '>') return at + 1;
    at = sign === '"' || sign === "'" ? endOf(text, sign, at + 1) : at + 1;
  }
  return at;
}

const ENTITY = /&(?:#(\d{1,7})|#[xX]([0-9A-Fa-f]{1,6})|([A-Za-z][A-Za-z0-9]{0,30}));/g;

const PIECE = 64 * 1024;

/** Some of it at once, each from an entity on: of millions of them `replace` keeps all. */
function decoded(text: string): string {
  if (!text.includes('&')) return text;
  const parts: string[] = [];
  for (let from = 0; from < text.length; ) {
    const next = text.indexOf('&', from + PIECE);
    const to = next < 0 ? text.length : next;
    parts.push(decodedPiece(text.slice(from, to)));
    from = to;
  }
  return parts.join('');
}

function decodedPiece(text: string): string {
  return text.replace(ENTITY, (_, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return LETTERS.get(name) ?? ' ';
    const code = decimal === undefined ? Number.parseInt(hex!, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : ' ';
  });
}

/** HTML 4's entities of letters, one after another from a number on; `-` is none. Those of other signs are between words. */
const RUNS: [number, string][] = [
  [170, 'ordf'],
  [173, 'shy'],
  [178, 'sup2 sup3'],
  [181, 'micro'],
  [185, 'sup1 ordm'],
  [188, 'frac14 frac12 frac34'],
  [192, 'Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH'],
  [209, 'Ntilde Ograve Oacute Ocirc Otilde Ouml - Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig'],
  [224, 'agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth'],
  [241, 'ntilde ograve oacute ocirc otilde ouml - oslash ugrave uacute ucirc uuml yacute thorn yuml'],
  [338, 'OElig oelig'],
  [352, 'Scaron scaron'],
  [376, 'Yuml'],
  [402, 'fnof'],
  [
    913,
    'Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho - Sigma Tau Upsilon Phi',
  ],
  [935, 'Chi Psi Omega'],
  [
    945,
    'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma tau upsilon',
  ],
  [966, 'phi chi psi omega thetasym upsih - - - piv'],
  [8204, 'zwnj zwj'],
];
const LETTERS = new Map(
  RUNS.flatMap(([first, names]) =>
    names.split(' ').map((name, at): [string, string] => [name, String.fromCodePoint(first + at)]),
  ),
);
