declare module 'hl7-dictionary/lib/2.5.1/segments.js' {
  const segments: Record<string, { desc: string; fields: { desc: string; datatype: string }[] }>;
  export = segments;
}
declare module 'hl7-dictionary/lib/2.5.1/fields.js' {
  const types: Record<string, { desc: string; subfields: { desc: string }[] }>;
  export = types;
}
