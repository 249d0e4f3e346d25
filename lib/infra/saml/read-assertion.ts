import { ASSERTION, BEARER } from './names.ts';
import { attributeOf, childOf, childrenOf, textOf } from './parse-xml.ts';

/** What a provider says of somebody: their name there, and attributes by name. */
export type Statement = { nameId: string; format: string; attributes: Map<string, string[]> };

export type For = { issuer: string; audience: string; recipient: string; requestId: string; now: number };

/** How far the provider's clock may be from ours, as for signed tokens. */
export const CLOCKS_DIFFER_MS = 60_000;

/**
 * Reads an assertion whose signature was checked. It must say by whom it is, that it is for us, now, and in answer to this request, and that
 * who brings it is who it speaks of (SAML Profiles §4.1.4.2, §4.1.4.3). Throws an Error.
 */
export function readAssertion(assertion: Element, { issuer, audience, recipient, requestId, now }: For): Statement {
  const only = (parent: Element | undefined, name: string) => childOf(parent, ASSERTION, name);
  if (attributeOf(assertion, 'Version') !== '2.0') throw new Error('the assertion is not of SAML 2.0');
  if (textOf(only(assertion, 'Issuer')) !== issuer) throw new Error('the assertion is of another issuer');
  const subject = only(assertion, 'Subject');
  const nameId = only(subject, 'NameID');
  if (!subject || textOf(nameId) === '') throw new Error('the assertion names nobody');
  const isOurs = childrenOf(subject, ASSERTION, 'SubjectConfirmation').some((confirmation) => {
    const data = only(confirmation, 'SubjectConfirmationData');
    return (
      attributeOf(confirmation, 'Method') === BEARER &&
      attributeOf(data, 'Recipient') === recipient &&
      attributeOf(data, 'InResponseTo') === requestId &&
      attributeOf(data, 'NotOnOrAfter') !== undefined &&
      isNow(data, now)
    );
  });
  if (!isOurs) throw new Error('the assertion is not confirmed for us, this request and this moment');
  const conditions = only(assertion, 'Conditions');
  if (!conditions || !isNow(conditions, now)) throw new Error('the assertion does not hold now');
  const audiences = childrenOf(conditions, ASSERTION, 'AudienceRestriction');
  const isMeant = (one: Element) => childrenOf(one, ASSERTION, 'Audience').some((it) => textOf(it) === audience);
  if (audiences.length === 0 || !audiences.every(isMeant)) throw new Error('the assertion is for another audience');
  if (childrenOf(assertion, ASSERTION, 'AuthnStatement').length === 0) throw new Error('nobody has signed in for it');
  return { nameId: textOf(nameId), format: attributeOf(nameId, 'Format') ?? '', attributes: attributesOf(assertion) };
}

/** Within what the element says of time; an instant that is none is never now. */
function isNow(element: Element | undefined, now: number): boolean {
  const [from, until] = ['NotBefore', 'NotOnOrAfter'].map((name) => attributeOf(element, name));
  if (from !== undefined && !(toInstant(from) <= now + CLOCKS_DIFFER_MS)) return false;
  return until === undefined || toInstant(until) > now - CLOCKS_DIFFER_MS;
}

/** In UTC (SAML Core §1.3.3). */
function toInstant(text: string): number {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|\+00:00)$/.test(text) ? Date.parse(text) : Number.NaN;
}

function attributesOf(assertion: Element): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const statement of childrenOf(assertion, ASSERTION, 'AttributeStatement'))
    for (const attribute of childrenOf(statement, ASSERTION, 'Attribute')) {
      const name = attributeOf(attribute, 'Name') ?? '';
      const values = childrenOf(attribute, ASSERTION, 'AttributeValue').map(textOf);
      found.set(name, [...(found.get(name) ?? []), ...values]);
    }
  return found;
}
