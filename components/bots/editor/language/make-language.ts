import type TypeScript from '@typescript/typescript6';
import type { BotFile } from '#lib/protocol/bots/files.ts';
import type { Answers, Problem, Question } from './messages.ts';
import { createOpenFiles, type OpenFiles } from './open-files.ts';
import { pickWeb } from './pick-web.ts';
import { type Insertion, toInner, toOuter } from './type-handler.ts';
import { ts } from './typescript.ts';

const toOptions = (): TypeScript.CompilerOptions => ({
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.ESNext,
  // Two files that both have a `log` are two modules, whatever they import.
  moduleDetection: ts.ModuleDetectionKind.Force,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  allowImportingTsExtensions: true,
  allowJs: true,
  esModuleInterop: true,
  resolveJsonModule: true,
  skipLibCheck: true,
  noEmit: true,
  strict: true,
  // Bots in plain JavaScript, and such as leave types out, run as well.
  noImplicitAny: false,
  useUnknownInCatchVariables: false,
  types: [],
  lib: ['lib.esnext.d.ts'],
});
const PREFERENCES: TypeScript.UserPreferences = {
  includeCompletionsWithInsertText: true,
  includeAutomaticOptionalChainCompletions: true,
  includeCompletionsForModuleExports: false,
  quotePreference: 'single',
};
/** As a list is read, and as the message that carries it stays small. */
const MOST_CANDIDATES = 2000;
const MOST_PROBLEMS = 100;
const MOST_SURVEYED = 100;

/** Modules that a bot may import, and that say `fetch` once more. */
const FETCHERS = `
declare module 'node-fetch' {
  const ask: typeof fetch;
  export default ask;
  const H: typeof Headers, Q: typeof Request, R: typeof Response, D: typeof FormData, B: typeof Blob, F: typeof File;
  export { H as Headers, Q as Request, R as Response, D as FormData, B as Blob, F as File };
}
declare module 'undici' {
  const ask: typeof fetch;
  const H: typeof Headers, Q: typeof Request, R: typeof Response, D: typeof FormData;
  export { ask as fetch, H as Headers, Q as Request, R as Response, D as FormData };
}
declare function setImmediate(callback: (...args: any[]) => void, ...args: any[]): number;
declare function clearImmediate(id: number): void;
`;

export type Language = {
  /** The other files of the bot, as far as they have changed, and those that are gone. */
  sync: (changed: readonly BotFile[], removed: readonly string[]) => void;
  /** Answers of `file` as it now stands. Throws nothing that is a fault of the text. */
  ask: <K extends Question['kind']>(file: string, text: string, question: Question & { kind: K }) => Answers[K];
};

/** TypeScript's language service (`bringTypeScript` before) over one bot and the declarations of `types`: names of files, and their texts. */
export function makeLanguage(types: Readonly<Record<string, string>>): Language {
  const declared = new Map(Object.entries(types));
  declared.set('/lib/web.d.ts', pickWeb(declared.get('/lib/lib.webworker.d.ts') ?? ''));
  declared.delete('/lib/lib.webworker.d.ts');
  declared.set('/lib/fetchers.d.ts', FETCHERS);
  const roots = [...declared.keys()].filter((name) => name.includes('/@types/node/'));
  const options = toOptions();
  const files = createOpenFiles(declared);
  const { host } = files;
  const service = ts.createLanguageService(
    {
      getCompilationSettings: () => options,
      getScriptFileNames: () => ['/lib/web.d.ts', '/lib/fetchers.d.ts', ...roots, ...host.roots()],
      getScriptVersion: host.version,
      getScriptSnapshot: (name) => {
        const text = host.text(name);
        return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
      },
      getCurrentDirectory: () => '/',
      getDefaultLibFileName: () => '/lib/lib.d.ts',
      fileExists: host.has,
      readFile: host.text,
      directoryExists: host.hasFolder,
      readDirectory: host.filesIn,
      getDirectories: host.foldersIn,
      useCaseSensitiveFileNames: () => true,
    },
    ts.createDocumentRegistry(true),
  );

  return {
    sync: (changed, removed) => {
      for (const file of removed) files.drop(file);
      for (const { filename, content } of changed) files.keep(filename, content);
    },
    ask: (file, text, question) => {
      const name = files.keep(file, text);
      if (question.kind === 'survey') return survey(service, files) as never;
      return answer(service, name, files.insertionsOf(name), question as Asked) as never;
    },
  };
}

/** Of each file that its author wrote, how much is wrong. */
function survey(service: TypeScript.LanguageService, files: OpenFiles): Answers['survey'] {
  const own = files.own().slice(0, MOST_SURVEYED);
  return Object.fromEntries(own.map(({ file, name }) => [file, check(service, name, []).length]));
}

type Asked = Exclude<Question, { kind: 'survey' }>;

function answer(
  service: TypeScript.LanguageService,
  name: string,
  insertions: readonly Insertion[],
  question: Asked,
): Answers[Question['kind']] {
  switch (question.kind) {
    case 'complete':
      return complete(service, name, insertions, question.at);
    case 'explain':
      return explain(service, name, insertions, question.at);
    case 'describe':
      return describeEntry(service, name, insertions, question.at, question.label);
    case 'check':
      return check(service, name, insertions);
  }
}

function complete(
  service: TypeScript.LanguageService,
  name: string,
  insertions: readonly Insertion[],
  at: number,
): Answers['complete'] {
  const found = service.getCompletionsAtPosition(name, toInner(insertions, at), PREFERENCES);
  if (!found || found.entries.length === 0) return undefined;
  const candidates = found.entries.slice(0, MOST_CANDIDATES).map((entry) => {
    const span = entry.replacementSpan ?? found.optionalReplacementSpan;
    const insert =
      entry.insertText !== undefined || entry.replacementSpan
        ? {
            text: entry.insertText ?? entry.name,
            from: span ? toOuter(insertions, span.start) : at,
            to: span ? toOuter(insertions, span.start + span.length) : at,
          }
        : undefined;
    return { label: entry.name, type: entry.kind, rank: entry.sortText, ...(insert && { insert }) };
  });
  return { from: at, candidates };
}

function explain(
  service: TypeScript.LanguageService,
  name: string,
  insertions: readonly Insertion[],
  at: number,
): Answers['explain'] {
  const info = service.getQuickInfoAtPosition(name, toInner(insertions, at));
  if (!info) return undefined;
  const { start, length } = info.textSpan;
  return {
    from: toOuter(insertions, start),
    to: toOuter(insertions, start + length),
    signature: ts.displayPartsToString(info.displayParts),
    text: ts.displayPartsToString(info.documentation),
  };
}

function describeEntry(
  service: TypeScript.LanguageService,
  name: string,
  insertions: readonly Insertion[],
  at: number,
  label: string,
): Answers['describe'] {
  const inner = toInner(insertions, at);
  const info = service.getCompletionEntryDetails(name, inner, label, undefined, undefined, PREFERENCES, undefined);
  if (!info) return undefined;
  return {
    from: at,
    to: at,
    signature: ts.displayPartsToString(info.displayParts),
    text: ts.displayPartsToString(info.documentation),
  };
}

function check(service: TypeScript.LanguageService, name: string, insertions: readonly Insertion[]): Problem[] {
  const found = [...service.getSyntacticDiagnostics(name), ...service.getSemanticDiagnostics(name)];
  return found.slice(0, MOST_PROBLEMS).map(({ start = 0, length = 0, category, messageText }) => ({
    from: toOuter(insertions, start),
    to: toOuter(insertions, start + length),
    severity: category === ts.DiagnosticCategory.Error ? 'error' : 'warning',
    message: ts.flattenDiagnosticMessageText(messageText, '\n'),
  }));
}
