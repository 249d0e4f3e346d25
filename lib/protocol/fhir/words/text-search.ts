import { idOf, isUnsearched } from '../index/compile-own-param.ts';
import { structure } from '../structures.ts';
import { typeId } from '../type-ids.ts';

export type WordParam = '_text' | '_content';

/** Under which number the words of a project are indexed, and whether all that is stored is. */
export type TextSearch = { number: number; isReady: boolean };

const byProject = new Map<string, TextSearch>();

/** What this process knows of a project from now on (lib/domain/store/own-params/know-params.ts). */
export function tellTextSearch(projectId: string, found: TextSearch | undefined): void {
  if (found) byProject.set(projectId, found);
  else byProject.delete(projectId);
}

export function textSearchOf(projectId: string): TextSearch | undefined {
  return byProject.get(projectId);
}

export function isWordParam(code: string): code is WordParam {
  return code === '_text' || code === '_content';
}

/** Whether resources of a type are found by their words in a project that wants it: not what the platform adds, and not what has no text. */
export function hasWords(type: string): boolean {
  return !isUnsearched(type);
}

/** Bundles and what else is no DomainResource have none. */
export function hasNarrative(type: string): boolean {
  return hasWords(type) && structure(type)?.elements.has('text') === true;
}

/** Beside each other in the thousand that a number has. */
const NARRATIVE = 500;

/** Under which numbers the words of the narrative and of the content of a type are indexed; undefined where they are not. Part of the data format. */
export function wordIds(type: string, projectId: string): Record<WordParam, number> | undefined {
  const found = byProject.get(projectId);
  if (!found || !hasWords(type)) return undefined;
  const content = idOf(found.number) + typeId(type);
  return { _content: content, _text: content + NARRATIVE };
}

/** Of each such number, whatever the project’s: what is left of it is the number of the type. */
export const WORD_IDS_PER_TYPE = NARRATIVE;
