import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

// Our own variables, so that light and dark follow the page without a second theme.
const look = EditorView.theme({
  '&': { height: '100%', fontSize: '0.8125rem', color: 'var(--ink)', backgroundColor: 'transparent' },
  // The page gives those who want less motion a moment for each transition, and lines are measured in it: numbers would stand beside other lines.
  '&, & *': { transition: 'none !important' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '1.6', overflow: 'auto' },
  '.cm-content': { padding: '0.75rem 0', caretColor: 'var(--accent)' },
  '.cm-line': { padding: '0 1rem 0 0.5rem' },
  '.cm-cursor': { borderLeftColor: 'var(--accent)', borderLeftWidth: '2px' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in oklab, var(--accent) 22%, transparent)',
  },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--faint)', border: 'none', paddingLeft: '0.25rem' },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '2.25rem', padding: '0 0.5rem 0 0.25rem' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in oklab, var(--hover) 55%, transparent)' },
  '.cm-activeLineGutter': { backgroundColor: 'transparent', color: 'var(--ink)' },
  '&.cm-focused .cm-matchingBracket': {
    backgroundColor: 'var(--accent-soft)',
    outline: '1px solid var(--line-strong)',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--raised)',
    color: 'var(--ink)',
    border: '1px solid var(--line)',
    borderRadius: '0.5rem',
    boxShadow: 'var(--shadow-pop)',
    overflow: 'hidden',
  },
  '.cm-diagnostic': { padding: '0.375rem 0.625rem', fontFamily: 'var(--font-sans)', maxWidth: '26rem' },
  '.cm-diagnostic-error': { borderLeft: '3px solid var(--danger)' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--danger) 1px',
    textUnderlineOffset: '3px',
  },
  '.cm-gutter-lint': { width: '1rem' },
  '.cm-gutter-lint .cm-gutterElement': { padding: '0.3rem 0 0 0.25rem' },
  '.cm-lint-marker-error': {
    content: '""',
    width: '0.5rem',
    height: '0.5rem',
    borderRadius: '999px',
    backgroundColor: 'var(--danger)',
  },
});

const colours = HighlightStyle.define([
  {
    tag: [tags.keyword, tags.modifier, tags.operatorKeyword, tags.self],
    color: 'var(--accent-text)',
    fontWeight: '550',
  },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: 'var(--warn-text)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: 'var(--danger-text)' },
  { tag: [tags.comment], color: 'var(--faint)', fontStyle: 'italic' },
  { tag: [tags.typeName, tags.className, tags.namespace], color: 'var(--good-text)' },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName)], color: 'var(--info-text)' },
  { tag: [tags.punctuation, tags.operator, tags.bracket], color: 'var(--muted)' },
]);

/** How code looks here. Colours only; nothing is said by colour alone. */
export const codeTheme = [look, syntaxHighlighting(colours)];
