import { MASK, type Masked } from './masked.ts';

/** Of a value that is looked at while a request waits. */
const MOST_NODES = 20_000;
const MOST_VALUES = 1000;
const MOST_DEPTH = 100;
/** Base64 of a picture or a document. */
const LONG_DATA = 64;

/** Names of elements, in lower case without `_` and `-`, whose texts say who or where somebody is: FHIR's own and what others call them. */
const WHOLE = new Set([
  ...['family', 'given', 'birthdate', 'deceaseddatetime', 'birthtime', 'postalcode', 'line', 'city', 'district'],
  ...['firstname', 'lastname', 'middlename', 'fullname', 'surname', 'maidenname', 'patientname', 'givenname'],
  ...['dateofbirth', 'dob', 'ssn', 'socialsecuritynumber', 'mrn', 'patientid', 'nhsnumber', 'insurancenumber'],
  ...['email', 'emailaddress', 'phone', 'phonenumber', 'telephone', 'mobile', 'fax', 'street', 'zip', 'zipcode'],
]);
/** Elements of these types: what stands in them beside `KEPT`. */
const OBJECTS = /(?:^|value|default)(?:human)?(?:name|address|telecom|contactpoint|identifier)$/;
/** What holds somebody's whole name, of which the parts stand elsewhere by themselves. */
const NAME = /(?:name|display)$/i;
const WORD = /\p{L}{3,}/gu;
const KEPT = new Set(['use', 'system', 'type', 'period', 'rank', 'state', 'country', 'assigner', 'extension', 'id']);

/**
 * The same JSON value without names, identifiers, dates of birth, addresses and telecoms, by the paths of FHIR (and by what other JSON calls
 * these), with what was taken out. Undefined for more than can be looked at.
 */
export function maskJson(value: unknown): (Masked & { value: unknown }) | undefined {
  const values = new Set<string>();
  let nodes = 0;
  try {
    const shown = walk(value, { isFhir: false, isWhole: false, isName: false, depth: 0 });
    return { value: shown, values };
  } catch (error) {
    if (error instanceof TooMuch) return undefined;
    throw error;
  }

  function walk(item: unknown, place: Place): unknown {
    nodes += 1;
    if (nodes > MOST_NODES || values.size > MOST_VALUES || place.depth > MOST_DEPTH) throw new TooMuch();
    const inner = { ...place, depth: place.depth + 1 };
    if (Array.isArray(item)) return item.map((each) => walk(each, inner));
    if (typeof item === 'object' && item !== null) return walkObject(item, inner);
    if (!place.isWhole || item === null || typeof item === 'boolean') return item;
    values.add(String(item));
    if (place.isName) for (const [word] of String(item).matchAll(WORD)) values.add(word);
    return MASK;
  }

  function walkObject(item: object, place: Place): unknown {
    const isFhir = place.isFhir || 'resourceType' in item;
    const isReference = 'reference' in item || ('display' in item && 'identifier' in item);
    const shown: Record<string, unknown> = { __proto__: null };
    for (const [key, each] of Object.entries(item)) {
      if (place.isWhole && KEPT.has(key)) shown[key] = walk(each, { ...place, isFhir, isWhole: false, isName: false });
      else if (isFhir && isHidden(key, each)) shown[key] = MASK;
      else {
        const isWhole = place.isWhole || isNamed(key, each, isFhir, isReference);
        shown[key] = walk(each, { ...place, isFhir, isWhole, isName: place.isName || (isWhole && NAME.test(key)) });
      }
    }
    return shown;
  }
}

type Place = { isFhir: boolean; isWhole: boolean; isName: boolean; depth: number };

class TooMuch extends Error {}

function isNamed(key: string, value: unknown, isFhir: boolean, isReference: boolean): boolean {
  const name = key.toLowerCase().replaceAll(/[_-]/g, '');
  if (WHOLE.has(name)) return true;
  if (isReference && name === 'display') return true;
  // Whatever was asked, somebody answered it about themselves.
  if (isFhir && key === 'answer') return true;
  if (!OBJECTS.test(name)) return false;
  // The names of organizations and parameters are texts in FHIR, those of people are not.
  return typeof value === 'object' || !isFhir;
}

/** Narratives, pictures and documents say anything. */
function isHidden(key: string, value: unknown): boolean {
  return typeof value === 'string' && (key === 'div' || (key === 'data' && value.length > LONG_DATA));
}
