import { Hl7Field } from '../../../protocol/hl7/field.ts';
import { Hl7Message } from '../../../protocol/hl7/message.ts';
import { Hl7Segment } from '../../../protocol/hl7/segment.ts';
import { isOperationOutcome, OperationOutcomeError } from './outcome-error.ts';
import * as outcomes from './outcomes.ts';
import * as resources from './resources.ts';

const ContentType = {
  CSS: 'text/css',
  CSV: 'text/csv',
  FHIR_JSON: 'application/fhir+json',
  FORM_URL_ENCODED: 'application/x-www-form-urlencoded',
  HL7_V2: 'x-application/hl7-v2+er7',
  HTML: 'text/html',
  JAVASCRIPT: 'text/javascript',
  JSON: 'application/json',
  JSON_PATCH: 'application/json-patch+json',
  OCTET_STREAM: 'application/octet-stream',
  PDF: 'application/pdf',
  PNG: 'image/png',
  TEXT: 'text/plain',
  XML: 'text/xml',
} as const;

const systems = {
  CPT: 'http://www.ama-assn.org/go/cpt',
  HTTP_HL7_ORG: 'http://hl7.org',
  HTTP_TERMINOLOGY_HL7_ORG: 'http://terminology.hl7.org',
  ICD10: 'http://hl7.org/fhir/sid/icd-10',
  LOINC: 'http://loinc.org',
  NDC: 'http://hl7.org/fhir/sid/ndc',
  RXNORM: 'http://www.nlm.nih.gov/research/umls/rxnorm',
  SNOMED: 'http://snomed.info/sct',
  UCUM: 'http://unitsofmeasure.org',
} as const;

const sleep = (delayMs: number) => new Promise<void>((resolve) => setTimeout(resolve, delayMs));

/** What `import … from '@medplum/core'` finds in a bot. Any other name is a compile error. */
export const library: Record<string, unknown> = {
  ...systems,
  ...outcomes,
  ...resources,
  ContentType,
  Hl7Field,
  Hl7Message,
  Hl7Segment,
  isOperationOutcome,
  OperationOutcomeError,
  sleep,
};
