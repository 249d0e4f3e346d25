import { isResourceType } from '../../fhir/type-ids.ts';
import { elementsOf, holdsAnything, isHarmless, type Spot } from './harmless.ts';
import { MASK, type Masked } from './masked.ts';

/** Of a value that is looked at while a request waits. */
const MOST_NODES = 20_000;
const MOST_VALUES = 1000;
const MOST_DEPTH = 100;
/** Of a text that is looked for in what was logged, too. */
const [SHORTEST_TEXT, LONGEST_TEXT] = [4, 200];

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
/** What programs call a member, or its place; and ids of records, which are shown everywhere. All others may be somebody's name or number: "grouped by patient". */
const CALLED =
  /^(?:[A-Za-z_$][A-Za-z_$-]{0,40}\d{0,2}|\d{1,5}|(?:[A-Z][A-Za-z]{2,40}\/)?[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/;
const KEPT = new Set(['use', 'system', 'type', 'period', 'rank', 'state', 'country', 'assigner', 'extension', 'id']);

/**
 * The same JSON value with what is known to say nothing of anybody (harmless.ts), and with what was taken out: names, identifiers, dates of birth,
 * addresses and telecoms, by the paths of FHIR and by what other JSON calls these, and texts of all kinds. Undefined for more than can be looked at.
 */
export function maskJson(value: unknown): (Masked & { value: unknown; texts: ReadonlySet<string> }) | undefined {
  const values = new Set<string>();
  const texts = new Set<string>();
  let nodes = 0;
  try {
    const shown = walk(value, { key: '', isFhir: false, isWhole: false, isName: false, isAnything: false, depth: 0 });
    return { value: shown, values, texts };
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
    if (item === null || typeof item === 'boolean') return item;
    if (!place.isWhole) return walkText(item as string | number, place);
    values.add(String(item));
    if (place.isName) for (const [word] of String(item).matchAll(WORD)) values.add(word);
    return MASK;
  }

  function walkText(item: string | number, place: Place): unknown {
    if (isHarmless(item, place)) return item;
    // What other JSON says may be any word, as that of an error.
    const isLooked = place.isFhir && texts.size < MOST_VALUES;
    if (isLooked && typeof item === 'string' && item.length >= SHORTEST_TEXT && item.length <= LONGEST_TEXT)
      texts.add(item);
    return MASK;
  }

  function walkObject(item: object, place: Place): unknown {
    const isFhir = place.isFhir || 'resourceType' in item;
    const path = pathOf(item, place);
    const known = path === undefined ? undefined : elementsOf(path);
    const isReference = 'reference' in item || ('display' in item && 'identifier' in item);
    const shown: Record<string, unknown> = { __proto__: null };
    let hidden = 0;
    const nameOf = (key: string) => {
      if (CALLED.test(key) || known?.has(key)) return key;
      if (isTelling(key)) values.add(key);
      hidden += 1;
      return `${MASK}${hidden}`;
    };
    for (const [key, each] of Object.entries(item)) {
      const isAnything = place.isAnything || holdsAnything(path, key);
      const element = key.startsWith('_') && known ? { path: 'Element' } : known?.get(key);
      // The type of a resource is no element of it.
      const type = known && key === 'resourceType' ? 'code' : element?.type;
      const inner = { ...place, key, path: element?.path ?? (type && path), type, isFhir, isAnything };
      const name = nameOf(key);
      if (place.isWhole && KEPT.has(key)) shown[name] = walk(each, { ...inner, isWhole: false, isName: false });
      else {
        const isWhole = place.isWhole || isNamed(key, each, isFhir, isReference);
        shown[name] = walk(each, { ...inner, isWhole, isName: place.isName || (isWhole && NAME.test(key)) });
      }
    }
    return shown;
  }
}

/** A name, or a number of somebody: what else is hidden stands in other places for what has nothing to do with it, as a code or a day. */
function isTelling(key: string): boolean {
  return /\d{6}/.test(key) || (/\p{L}{3}/u.test(key) && !/^[a-z]+:/.test(key));
}

/** `path`: the structure that this is, or stands in. */
type Place = Spot & { isWhole: boolean; isName: boolean; depth: number };

/** A resource says what it is, wherever it stands. */
function pathOf(item: object, { path }: Place): string | undefined {
  if (!('resourceType' in item)) return path;
  return typeof item.resourceType === 'string' && isResourceType(item.resourceType) ? item.resourceType : undefined;
}

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
