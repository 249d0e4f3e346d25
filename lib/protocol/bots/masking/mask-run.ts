import { maskHl7 } from './mask-hl7.ts';
import { maskJson } from './mask-json.ts';
import { replaceValues } from './replace-values.ts';

/** What went into a run, or came out: `isCut` where only the beginning is there. */
export const CONTENT_KINDS = ['json', 'form', 'hl7', 'text'] as const;
export type Content = { kind: (typeof CONTENT_KINDS)[number]; text: string; isCut?: boolean };

export type RunTexts = { input: Content | null; output: Content | null };

/** As it may be shown; null where nothing of it may, since nobody can say what it is, or there is too much to look at. Read `input` and `output` once. */
export type MaskedRun = {
  readonly input: string | null;
  readonly output: string | null;
  mask: (text: string) => string | null;
};

/** `isText`: without paths, and not nothing. */
type Looked = {
  shown: string | null;
  values: ReadonlySet<string> | undefined;
  texts?: ReadonlySet<string>;
  isText?: boolean;
};

const NOTHING: Looked = { shown: null, values: new Set() };

/**
 * A run without what identifies somebody, and a function that does the same to what it logged or threw: what stands in the input, or in the
 * output, at FHIR's paths for it (HL7's fields), is masked wherever it stands. Plain text, and JSON of which only the beginning is there, have no
 * paths: they are not shown. Nor is what was said of a run of which something cannot be looked at, or only its beginning: it may name who stands in the rest.
 */
export function maskRun({ input, output }: RunTexts): MaskedRun {
  const [into, out] = [look(input), look(output)];
  // What it answers with may be what it says of a failure: of texts those are looked for that it was given.
  const known = into.values && new Set([...into.values, ...(into.texts ?? []), ...(out.values ?? [])]);
  const replace = known && replaceValues(known);
  const show = (text: string) => (replace && !into.isText ? replace(text) : null);
  const isTold = out.values !== undefined && !input?.isCut && !output?.isCut;
  // Who wants the mask alone does not wait for these.
  return {
    get input() {
      return into.shown === null ? null : show(into.shown);
    },
    get output() {
      return out.shown === null ? null : show(out.shown);
    },
    mask: (text) => (isTold ? show(text) : null),
  };
}

function look(content: Content | null): Looked {
  if (!content) return NOTHING;
  const { kind, text, isCut } = content;
  if (kind === 'text') return { ...NOTHING, isText: text !== '' };
  if (kind === 'hl7') {
    const masked = maskHl7(text);
    return masked ? { shown: masked.text, values: masked.values } : { shown: null, values: undefined };
  }
  if (isCut) return { shown: null, values: undefined };
  return lookAtJson(kind === 'form' ? JSON.stringify(Object.fromEntries(new URLSearchParams(text))) : text);
}

function lookAtJson(text: string): Looked {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'string') return { ...NOTHING, isText: value !== '' };
    const masked = maskJson(value);
    if (masked) return { ...masked, shown: JSON.stringify(masked.value) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return { shown: null, values: undefined };
}
