import { AppError } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import { expand } from '#lib/domain/terminology/expand.ts';
import type { Named } from '#lib/domain/terminology/find-value-sets.ts';
import { fhir } from '../../door/reply.ts';
import type { Operation } from '../operations/operation.ts';
import { instanceId, readParameters, wrong } from '../operations/read-parameters.ts';

const PARAMETERS = {
  url: { type: 'uri' },
  valueSetVersion: { type: 'string' },
  filter: { type: 'string', documentation: 'What code or display contain, whatever the case and the accents' },
  offset: { type: 'integer' },
  count: { type: 'integer', documentation: 'At most 1000; needed where there are more' },
} as const;
/** Of one answer. */
const MAX_COUNT = 1000;

/** `ValueSet/$expand` (R4 ValueSet-expand), paged. What has more codes than one answer holds must be asked for with `count`. */
export const expandOperation: Operation = {
  definition: {
    code: 'expand',
    resource: 'ValueSet',
    at: ['type', 'instance'],
    affectsState: false,
    parameters: PARAMETERS,
    returns: 'ValueSet',
    base: 'http://hl7.org/fhir/OperationDefinition/ValueSet-expand',
    lacks: [
      'valueSet',
      'context',
      'contextDirection',
      'date',
      'includeDesignations',
      'designation',
      'includeDefinition',
      'activeOnly',
      'excludeNested',
      'excludeNotForUI',
      'excludePostCoordinated',
      'displayLanguage',
      'exclude-system',
      'system-version',
      'check-system-version',
      'force-system-version',
    ],
  },
  methods: ['GET', 'POST'],
  inView: true,
  async run(input) {
    const { filter, offset = 0, count, ...named } = await readParameters(input, PARAMETERS);
    const page = { filter, offset, count: Math.min(count ?? MAX_COUNT, MAX_COUNT) };
    const { valueSet, total, contains } = await expand(input.ctx, setNamed(input.id, named), page);
    if (count === undefined && total - offset > MAX_COUNT) {
      const text = `The value set has ${total} codes: ask for ${MAX_COUNT} at a time, with count and offset`;
      throw new AppError('too-costly', text, { expression: 'count' });
    }
    const { id, url, version, name, title, status = 'unknown' } = valueSet;
    const parameter = [
      ...(filter === undefined ? [] : [{ name: 'filter', valueString: filter }]),
      ...(count === undefined ? [] : [{ name: 'count', valueInteger: page.count }]),
      { name: 'offset', valueInteger: offset },
    ];
    const about = { identifier: `urn:uuid:${newId()}`, timestamp: new Date().toISOString(), total, offset, parameter };
    const expansion = { ...about, ...(contains.length > 0 && { contains }) };
    return fhir({ resourceType: 'ValueSet', id, url, version, name, title, status, expansion });
  },
};

/** By the instance, or by url. Throws 400 for neither. */
export function setNamed(
  instance: string | undefined,
  { url, valueSetVersion }: { url?: string; valueSetVersion?: string },
): Named {
  const id = instanceId(instance);
  if (id !== undefined && url !== undefined) throw wrong('url', 'The value set is named by its id already');
  if (id !== undefined) return { id };
  if (!url) throw wrong('url', 'The url of a value set is needed');
  return { url: valueSetVersion === undefined ? url : `${url}|${valueSetVersion}` };
}
