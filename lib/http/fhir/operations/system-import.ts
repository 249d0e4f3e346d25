import { MOST_FILES } from '#lib/protocol/fhir/bulk/read-import-request.ts';
import { beginImport } from '../bulk/import.ts';
import type { Operation } from './operation.ts';

/** As the drafts of bulk import have it, which is in no published guide. */
export const systemImport: Operation = {
  definition: {
    code: 'import',
    resource: '',
    at: ['system'],
    affectsState: true,
    parameters: {
      inputFormat: { type: 'string', min: 1, documentation: 'application/fhir+ndjson' },
      inputSource: { type: 'uri', documentation: 'From where the files are; nothing is asked there' },
      storageDetail: { part: { type: { type: 'code', min: 1, documentation: 'https' } } },
      input: {
        min: 1,
        max: MOST_FILES,
        documentation: 'Files, which are read one after the other as they stand here',
        part: {
          type: { type: 'code', min: 1, documentation: 'Of every resource in it' },
          url: { type: 'uri', min: 1, documentation: 'https, in no private network' },
          etag: { type: 'string', documentation: 'What its server must call it' },
        },
      },
    },
    returns: 'OperationOutcome',
    comment:
      'Answered 202; what came of it is told where Content-Location says. The same as a JSON manifest is taken, too.',
  },
  methods: ['POST'],
  run: beginImport,
};
