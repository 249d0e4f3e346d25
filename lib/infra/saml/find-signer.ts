import { constants, verify, X509Certificate } from 'node:crypto';
import { ExclusiveCanonicalization } from 'xml-crypto';
import { SIGNATURE } from './names.ts';
import { attributeOf, childOf, textOf } from './parse-xml.ts';

const PSS = 'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1';

/**
 * By which of these certificates a sound signature was made. It says nothing of what was signed: that is looked at after (`verifyResponse`), which takes
 * the square of its elements, for each certificate; who has no key of the provider does not get so far. Throws an Error for none.
 */
export function findSigner(signature: Element, certificates: string[]): string {
  const info = childOf(signature, SIGNATURE, 'SignedInfo');
  const value = Buffer.from(textOf(childOf(signature, SIGNATURE, 'SignatureValue')), 'base64');
  if (!info) throw new Error('a signature signs nothing');
  const canonical = new ExclusiveCanonicalization().process(info.cloneNode(true) as Element, {
    ancestorNamespaces: namespacesAround(signature),
    inclusiveNamespacesPrefixList: [],
  });
  const algorithm = attributeOf(childOf(info, SIGNATURE, 'SignatureMethod'), 'Algorithm') ?? '';
  const padding = algorithm === PSS ? constants.RSA_PKCS1_PSS_PADDING : constants.RSA_PKCS1_PADDING;
  const hash = algorithm.endsWith('sha512') ? 'sha512' : 'sha256';
  const found = certificates.find((certificate) => {
    const { publicKey } = new X509Certificate(Buffer.from(certificate, 'base64'));
    const key = { key: publicKey, padding, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
    return verify(hash, Buffer.from(canonical), key, value);
  });
  if (!found) throw new Error('it is signed by none of the provider’s certificates');
  return found;
}

/** Which prefixes have been given a meaning by the elements around. */
function namespacesAround(element: Element): { prefix: string; namespaceURI: string }[] {
  const found = new Map<string, string>();
  for (let at: Node | null = element; at?.nodeType === 1; at = at.parentNode)
    for (const { prefix, localName, value } of Array.from((at as Element).attributes))
      if (prefix === 'xmlns' && !found.has(localName)) found.set(localName, value);
  return [...found].map(([prefix, namespaceURI]) => ({ prefix, namespaceURI }));
}
