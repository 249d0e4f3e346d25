import { expandProfile } from '#lib/domain/rest/search/expand-profile.ts';
import { toEntry } from '#lib/domain/rest/search/search-bundle.ts';
import { toWire } from '#lib/domain/store/row.ts';
import { fhir } from '../../door/reply.ts';
import type { Operation } from './operation.ts';
import { readParameters, wrong } from './read-parameters.ts';

const PARAMETERS = {
  url: { type: 'uri', min: 1, documentation: 'Of the profile; with |version for one of it' },
} as const;

/** `StructureDefinition/$expand-profile`: a profile with those that it is made of, for who writes forms and checks by them. The peer's. */
export const expandProfileOperation: Operation = {
  definition: {
    code: 'expand-profile',
    resource: 'StructureDefinition',
    at: ['type'],
    affectsState: false,
    parameters: PARAMETERS,
    returns: 'Bundle',
    comment:
      'The profile first, then those that the types of elements name, and theirs, each once and 60 at most; those that are the caller’s to search.',
  },
  methods: ['GET', 'POST'],
  inView: true,
  async run(input) {
    const { url } = await readParameters(input, PARAMETERS);
    if (!url) throw wrong('url', 'The parameter url is needed');
    const rows = await expandProfile(input.ctx, url);
    const entries = rows.map((row, at) =>
      toEntry({
        type: row.type,
        id: row.id,
        resource: toWire(row, input.extended),
        mode: at === 0 ? 'match' : 'include',
      }),
    );
    return fhir(`{"resourceType":"Bundle","type":"searchset","entry":[${entries.join(',')}]}`);
  },
};
