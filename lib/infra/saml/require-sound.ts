import { ASSERTION, PROTOCOL, SIGNATURE } from './names.ts';
import { attributeOf, childOf, elementsOf } from './parse-xml.ts';

/** By kind of element, what may be asked for: nothing of SHA-1, no keyed hashes, no transform that takes content away. */
const ALGORITHMS: Record<string, readonly string[]> = {
  CanonicalizationMethod: ['http://www.w3.org/2001/10/xml-exc-c14n#'],
  SignatureMethod: [
    'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
    'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
  ],
  DigestMethod: ['http://www.w3.org/2001/04/xmlenc#sha256', 'http://www.w3.org/2001/04/xmlenc#sha512'],
  // SAML Core §5.4.4.
  Transform: [`${SIGNATURE}enveloped-signature`, 'http://www.w3.org/2001/10/xml-exc-c14n#'],
};

export type Sound = { signatures: Element[]; responseSigned: boolean; assertionSigned: boolean };

/** With the certificates that it may bring along. */
const MOST_PARTS = 60;

/**
 * A Response as SAML has it, and nothing beside it in which an element could be found in another's place (signature wrapping): one Assertion in the
 * whole document, signatures only as children of it and of the Response, one each, over what they stand in; every ID once. Looks at no
 * signature itself. Throws an Error.
 */
export function requireSound(response: Element): Sound {
  if (response.namespaceURI !== PROTOCOL || response.localName !== 'Response') throw new Error('it is no Response');
  const all = elementsOf(response);
  const named = (name: string) => all.filter(({ localName }) => localName === name);
  if (named('EncryptedAssertion').length > 0) throw new Error('the assertion is encrypted, for which we have no key');
  const assertion = childOf(response, ASSERTION, 'Assertion');
  if (!assertion || named('Assertion').length > 1) throw new Error('it must have one Assertion');
  if (named('Response').length > 1) throw new Error('there is a Response within it');
  requireOwnIds(all);
  const signatures = named('Signature');
  for (const signature of signatures) requireSignature(signature, [response, assertion]);
  const [responseSigned, assertionSigned] = [response, assertion].map((signed) => {
    return signatures.filter(({ parentNode }) => parentNode === signed).length === 1;
  });
  if (!responseSigned && !assertionSigned) throw new Error('it is not signed');
  return { signatures, responseSigned: responseSigned!, assertionSigned: assertionSigned! };
}

function requireOwnIds(all: Element[]): void {
  const ids = all.flatMap((one) =>
    Array.from(one.attributes).flatMap((it) => (/^id$/i.test(it.localName) ? it.value : [])),
  );
  if (new Set(ids).size !== ids.length) throw new Error('an ID is there twice');
}

function requireSignature(signature: Element, places: Element[]): void {
  const parent = places.find((place) => place === signature.parentNode);
  if (signature.namespaceURI !== SIGNATURE || !parent) throw new Error('a signature is out of place');
  const siblings = elementsOf(parent).filter((one) => one.localName === 'Signature' && one.parentNode === parent);
  if (siblings.length > 1) throw new Error('it has more than one signature');
  const parts = elementsOf(signature);
  if (parts.length > MOST_PARTS) throw new Error('a signature has too many parts');
  const named = (name: string) => parts.filter(({ localName }) => localName === name);
  if (named('Object').length > 0 || named('Manifest').length > 0) throw new Error('a signature has content of its own');
  for (const name of ['SignedInfo', 'SignatureMethod', 'Reference', 'DigestMethod', 'DigestValue', 'SignatureValue'])
    if (named(name).length !== 1) throw new Error(`a signature must have one ${name}`);
  if (attributeOf(named('Reference')[0], 'URI') !== `#${attributeOf(parent, 'ID')}`)
    throw new Error('a signature is over something else');
  for (const part of parts) {
    const known = Object.hasOwn(ALGORITHMS, part.localName) ? ALGORITHMS[part.localName] : undefined;
    const algorithm = attributeOf(part, 'Algorithm') ?? '';
    if (known && !known.includes(algorithm))
      throw new Error(`${part.localName} is not accepted: ${algorithm.slice(0, 100)}`);
  }
}
