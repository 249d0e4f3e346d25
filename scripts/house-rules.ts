import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ANY_TABLE } from './house-rules/any-table.ts';
import { apiRoots } from './house-rules/api-roots.ts';
import { contracts } from './house-rules/contracts.ts';
import { crowdedFolders } from './house-rules/crowded-folders.ts';
import { patientTests } from './house-rules/patient-tests.ts';
import { retentions } from './house-rules/retentions.ts';
import { sharedTypeNames } from './house-rules/shared-type-names.ts';
import { type Rule, readSources } from './house-rules/source.ts';
import { TABLE_ROOMS } from './house-rules/table-rooms.ts';
import { tableWriters } from './house-rules/table-writers.ts';
import { unusedDependencies } from './house-rules/unused-dependencies.ts';

const ROOT = join(import.meta.dirname, '..');

const migrations = readdirSync(join(ROOT, 'drizzle'))
  .filter((name) => name.endsWith('.sql'))
  .map((name) => ({ path: `drizzle/${name}`, text: readFileSync(join(ROOT, 'drizzle', name), 'utf8') }));

/** `node scripts/house-rules.ts`, one of the checks: what a machine can hold of the plan, and the import rules cannot say. */
const RULES: Rule[] = [
  crowdedFolders,
  tableWriters(TABLE_ROOMS, ANY_TABLE),
  retentions(TABLE_ROOMS),
  sharedTypeNames,
  unusedDependencies(readFileSync(join(ROOT, 'package.json'), 'utf8')),
  apiRoots,
  patientTests,
  () => contracts(migrations),
];

const sources = readSources(ROOT);
const broken = RULES.flatMap((rule) => rule(sources));
for (const sentence of broken) console.log(sentence);
process.exitCode = broken.length > 0 ? 1 : 0;
