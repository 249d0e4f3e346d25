import { AppError } from '#lib/base/errors.ts';
import { type ConceptMap, type Match, matchCode, type Sought } from '#lib/protocol/fhir/terminology/match-code.ts';
import type { Ctx } from '../access/context.ts';
import { findSystem } from './find-concept.ts';
import { findByUrls, findNamed, type Named, unknownSet } from './find-value-sets.ts';
import { isFolding } from './system-if-known.ts';

/** `source`: of which map it is. */
export type Translated = Match & { source?: string };

/** Statements: maps that lead to maps. */
const MOST_STEPS = 5;
const MOST_MAPS = 20;
const MOST_MATCHES = 1000;

/** What a map of the project, and those to which it leads, make of a code. 404 for a map that is not known. */
export async function translate(ctx: Ctx, named: Named, sought: Sought): Promise<Translated[]> {
  const first = await findNamed<ConceptMap>(ctx, 'ConceptMap', named);
  if (!first) throw unknownSet('url' in named ? named.url : named.id);
  const { system, version } = sought;
  const folds = system !== undefined && (await isFolding(findSystem(ctx, { url: system, version })));
  const asked = new Set<string>();
  const all: Translated[] = [];
  let maps = [first];
  for (let step = 0; maps.length > 0; step += 1) {
    const found = maps.map((map) => ({ url: map.url, ...matchCode(map, { ...sought, folds }) }));
    all.push(...found.flatMap(({ url, matches }) => matches.map((match) => ({ ...match, source: url }))));
    if (all.length > MOST_MATCHES) throw costly(`more than ${MOST_MATCHES} matches`);
    const names = [...new Set(found.flatMap(({ others }) => others))].filter((name) => !asked.has(name));
    for (const name of names) asked.add(name);
    if (names.length > 0 && (step >= MOST_STEPS || asked.size > MOST_MAPS)) throw costly('too many maps behind it');
    const next = await findByUrls<ConceptMap>(ctx, 'ConceptMap', names);
    const lost = names.find((name) => !next.has(name));
    if (lost !== undefined) throw unknownSet(lost);
    maps = [...next.values()];
  }
  return all;
}

function costly(why: string): AppError {
  return new AppError('too-costly', `The code is too costly to translate: the map has ${why}`, { expression: 'url' });
}
