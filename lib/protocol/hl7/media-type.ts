export const HL7_TYPE = 'x-application/hl7-v2+er7';
