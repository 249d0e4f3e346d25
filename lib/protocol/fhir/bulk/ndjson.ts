/** How the format of bulk data is called (Bulk Data Access 2.0.0, §3.1). */
export const NDJSON: ReadonlySet<string> = new Set(['application/fhir+ndjson', 'application/ndjson', 'ndjson']);
