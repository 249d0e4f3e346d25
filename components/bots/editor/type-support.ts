import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  completionKeymap,
} from '@codemirror/autocomplete';
import { type Diagnostic, forEachDiagnostic, setDiagnostics } from '@codemirror/lint';
import type { Extension } from '@codemirror/state';
import { EditorView, hoverTooltip, keymap, ViewPlugin } from '@codemirror/view';
import type { Answers, Candidate, Explanation, Question } from './language/messages.ts';
import type { RemoteLanguage } from './language/start-language.ts';

/** So long nothing is written before the text is checked. */
const PAUSE_MS = 400;
/** Who says what is wrong; the deploy's errors have their own. */
export const TYPES = 'TypeScript';

/** The words of CodeMirror's icons for those of TypeScript. */
const ICONS: Record<string, string> = {
  'local function': 'function',
  'local var': 'variable',
  alias: 'namespace',
  const: 'constant',
  getter: 'property',
  let: 'variable',
  module: 'namespace',
  parameter: 'variable',
  'primitive type': 'type',
  setter: 'property',
  string: 'text',
  var: 'variable',
};

type Source = { language: () => RemoteLanguage | undefined; file: string };

/** Completion, explanations and errors, all of which the worker tells: nothing here waits for it. */
export function typeSupport(source: Source): Extension {
  return [
    autocompletion({
      override: [(context) => complete(source, context)],
      maxRenderedOptions: 60,
      tooltipClass: () => 'cm-types',
    }),
    keymap.of(completionKeymap),
    hoverTooltip(async (view, at) => {
      const found = await ask(source, view, { kind: 'explain', at });
      return found ? { pos: found.from, end: found.to, above: true, create: () => ({ dom: toNote(found) }) } : null;
    }),
    ViewPlugin.define((view) => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const later = () => {
        clearTimeout(timer);
        timer = setTimeout(() => void checkTypes(view, source), PAUSE_MS);
      };
      return { update: (update) => update.docChanged && later(), destroy: () => clearTimeout(timer) };
    }),
  ];
}

/** Asks anew what is wrong, and shows it beside what the last deploy said. */
export async function checkTypes(view: EditorView, source: Source): Promise<void> {
  const { doc } = view.state;
  const found = await ask(source, view, { kind: 'check' });
  // What is about another text comes too late; that one is asked about by itself.
  if (!found || view.state.doc !== doc) return;
  const problems = found.map((problem): Diagnostic => {
    const from = Math.min(problem.from, doc.length);
    return { ...problem, from, to: Math.max(from, Math.min(problem.to, doc.length)), source: TYPES };
  });
  const others: Diagnostic[] = [];
  forEachDiagnostic(view.state, (diagnostic, from, to) => {
    if (diagnostic.source !== TYPES) others.push({ ...diagnostic, from, to });
  });
  view.dispatch(setDiagnostics(view.state, [...others, ...problems]));
}

async function ask<K extends 'check' | 'explain'>(
  { language, file }: Source,
  view: EditorView,
  question: Question & { kind: K },
): Promise<Answers[K] | undefined> {
  return language()?.ask<K>(file, view.state.doc.toString(), question);
}

async function complete({ language, file }: Source, context: CompletionContext): Promise<CompletionResult | null> {
  const word = context.matchBefore(/[\w$]*/);
  const from = word?.from ?? context.pos;
  const before = context.state.sliceDoc(from - 1, from);
  if (!context.explicit && from === context.pos && !/[.'"]/.test(before)) return null;
  const text = context.state.doc.toString();
  const remote = language();
  const found = await remote?.ask(file, text, { kind: 'complete', at: context.pos });
  if (!remote || !found || context.aborted) return null;
  const explain = (label: string) => remote.ask(file, text, { kind: 'describe', at: context.pos, label });
  return {
    from,
    validFor: /^[\w$]*$/,
    options: found.candidates.map((candidate) => toCompletion(candidate, explain)),
  };
}

function toCompletion(
  { label, type, rank, insert }: Candidate,
  explain: (label: string) => Promise<Explanation | undefined>,
): Completion {
  return {
    label,
    type: ICONS[type] ?? type,
    sortText: rank,
    info: async () => {
      const found = await explain(label);
      return found ? toNote(found) : null;
    },
    ...(insert && {
      apply: (view, _, from, to) => {
        // What stands before the word is replaced, too (`.name` by `?.name`), and all of the word that was written meanwhile.
        const start = Math.min(from, insert.from);
        view.dispatch({
          changes: { from: start, to, insert: insert.text },
          selection: { anchor: start + insert.text.length },
          userEvent: 'input.complete',
        });
      },
    }),
  };
}

function toNote({ signature, text }: Explanation): HTMLElement {
  const note = document.createElement('div');
  note.className = 'cm-note';
  const code = note.appendChild(document.createElement('code'));
  code.textContent = signature;
  if (text) note.appendChild(document.createElement('p')).textContent = text;
  return note;
}

/** In our own variables, as `codeTheme`. */
export const typeTheme = EditorView.theme({
  '.cm-note': { padding: '0.5rem 0.75rem', maxWidth: 'min(32rem, 80vw)', maxHeight: '16rem', overflow: 'auto' },
  '.cm-note code': { fontFamily: 'var(--font-mono)', fontSize: '0.75rem', whiteSpace: 'pre-wrap' },
  '.cm-note p': {
    marginTop: '0.375rem',
    fontFamily: 'var(--font-sans)',
    whiteSpace: 'pre-wrap',
    color: 'var(--muted)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'var(--font-mono)',
    fontSize: '0.8125rem',
    maxHeight: '14rem',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '0.25rem 0.5rem', lineHeight: '1.25rem' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--accent-soft)',
    color: 'var(--ink)',
  },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '650', color: 'var(--accent-text)' },
  '.cm-completionIcon': { opacity: '1', color: 'var(--muted)', width: '1.25em' },
  '.cm-tooltip.cm-completionInfo': { padding: '0' },
  '.cm-diagnostic-warning': { borderLeft: '3px solid var(--warn-text)' },
  '.cm-diagnosticSource': { fontSize: '0.75rem', opacity: '1', color: 'var(--muted)' },
  '.cm-lintRange-warning': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--warn-text) 1px',
    textUnderlineOffset: '3px',
  },
  '.cm-lint-marker-warning': {
    content: '""',
    width: '0.5rem',
    height: '0.5rem',
    borderRadius: '2px',
    backgroundColor: 'var(--warn-text)',
  },
  '.cm-panels': { backgroundColor: 'var(--sunken)', color: 'var(--ink)' },
  '.cm-panels.cm-panels-bottom': { borderTop: '1px solid var(--line)' },
  '.cm-panel.cm-panel-lint ul': { maxHeight: '8rem' },
  '.cm-panel.cm-panel-lint ul [aria-selected], .cm-panel.cm-panel-lint ul:focus [aria-selected]': {
    backgroundColor: 'var(--hover)',
    color: 'var(--ink)',
  },
  '.cm-panel.cm-panel-lint button[name=close]': {
    color: 'var(--ink)',
    width: '1.75rem',
    height: '1.75rem',
    top: '2px',
    right: '6px',
  },
});
