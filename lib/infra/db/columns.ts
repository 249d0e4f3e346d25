import { customType, timestamp } from 'drizzle-orm/pg-core';

/** Text compared by bytes: ids and index values sort and match without a locale. */
export const textC = customType<{ data: string }>({ dataType: () => 'text collate "C"' });

export const bytea = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' });

/** Milliseconds, as FHIR's instant has them at least. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });
