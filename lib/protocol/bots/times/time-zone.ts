/** R4's extension for the zone of what it stands on (valueCode, of the tz database). */
export const TIME_ZONE = 'http://hl7.org/fhir/StructureDefinition/timezone';
