import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import type { PolicyVocabulary } from '#lib/protocol/answers/access-policies.ts';

/** What a rule of the type can name, or undefined when that cannot be asked now. */
export type AskVocabulary = (type?: string) => Promise<PolicyVocabulary | undefined>;

const INTERACTIONS = ['read', 'vread', 'history', 'search', 'create', 'update', 'delete'];
const VARIABLES = ['%profile', '%profile.id', '%patient', '%patient.id', '%now'];
const MOST_LOOKED_AT = 20_000;

/** Inside a string: words for the property that it belongs to, by the type of its rule. */
export async function completePolicy(context: CompletionContext, ask: AskVocabulary): Promise<CompletionResult | null> {
  const before = context.state.sliceDoc(Math.max(0, context.pos - MOST_LOOKED_AT), context.pos);
  const open = /"([A-Za-z]+)"\s*:\s*\[?(?:\s*"[^"\n]*"\s*,)*\s*"([^"\n]*)$/.exec(before);
  if (!open) return null;
  const [, property = '', typed = ''] = open;
  const found = await wordsFor({ property, typed, type: typeOfRule(context), ask });
  if (!found || context.aborted) return null;
  const options = found.words.map((label): Completion => ({ label, type: found.kind }));
  return { from: context.pos - found.part.length, options, validFor: /^[\w.%:*-]*$/ };
}

type Asked = { property: string; typed: string; type: string | undefined; ask: AskVocabulary };
type Found = { words: readonly string[]; part: string; kind: string };

async function wordsFor({ property, typed, type, ask }: Asked): Promise<Found | undefined> {
  if (property === 'interaction') return { words: INTERACTIONS, part: typed, kind: 'keyword' };
  if (property === 'resourceType') {
    const known = await ask();
    return known && { words: ['*', ...known.types], part: typed, kind: 'type' };
  }
  if (!type || type === '*') return undefined;
  if (property === 'hiddenFields' || property === 'readonlyFields') {
    const known = await ask(type);
    return known && { words: known.fields, part: typed, kind: 'property' };
  }
  if (property !== 'criteria') return undefined;
  const variable = /%[\w.]*$/.exec(typed);
  if (variable) return { words: VARIABLES, part: variable[0], kind: 'variable' };
  if (!typed.includes('?')) return { words: [`${type}?`], part: typed, kind: 'type' };
  const parameter = /[?&]([\w-]*)$/.exec(typed);
  const known = parameter && (await ask(type));
  return known
    ? { words: known.parameters.map((code) => `${code}=`), part: parameter[1] ?? '', kind: 'property' }
    : undefined;
}

/** Of the rule round the cursor, whichever of its properties stand before it. */
function typeOfRule({ state, pos }: CompletionContext): string | undefined {
  const text = state.doc.toString();
  const from = text.lastIndexOf('{', pos);
  const end = text.indexOf('}', pos);
  return /"resourceType"\s*:\s*"([A-Za-z*]+)"/.exec(text.slice(from, end < 0 ? undefined : end))?.[1];
}
