import { readBotTypes } from '#lib/client/bots/bot-types.ts';
import type { BotFile } from '#lib/protocol/bots/files.ts';
import type { Answers, FromPage, FromWorker, Question } from './messages.ts';

export type LanguageState = 'loading' | 'ready' | 'failed';

export type RemoteLanguage = {
  /** Undefined where there is no answer: not ready, failed, or another question of this kind came after it. */
  ask: <K extends Question['kind']>(
    file: string,
    text: string,
    question: Question & { kind: K },
  ) => Promise<Answers[K] | undefined>;
  /** The bot's files as they now stand: what of them it has not heard yet is told. That of `current` comes with each question. */
  sync: (files: readonly BotFile[], current: string) => void;
  stop: () => void;
};

type Waiting = { id: number; settle: (answer: Answers[keyof Answers]) => void };

/** Starts the language service in its worker and brings it the declarations. `changed` hears how it does. */
export function startLanguage(changed: (state: LanguageState) => void): RemoteLanguage {
  const worker = new Worker(new URL('./worker.ts', import.meta.url));
  const leaving = new AbortController();
  const waiting = new Map<Question['kind'], Waiting>();
  let state: LanguageState = 'loading';
  let asked = 0;
  /** Undefined: what it has of it came with a question. */
  let told = new Map<string, string | undefined>();

  function become(next: LanguageState): void {
    if (leaving.signal.aborted) return;
    state = next;
    if (next === 'failed') for (const { settle } of waiting.values()) settle(undefined);
    changed(next);
  }
  worker.onerror = () => become('failed');
  worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
    if (data.kind !== 'answer') return become(data.kind);
    for (const [kind, { id, settle }] of waiting) {
      if (id !== data.id) continue;
      waiting.delete(kind);
      settle(data.answer);
    }
  };
  readBotTypes(leaving.signal).then(
    (bytes) => worker.postMessage({ kind: 'types', bytes } satisfies FromPage, [bytes]),
    () => become('failed'),
  );

  return {
    ask: (file, text, question) => {
      if (state !== 'ready') return Promise.resolve(undefined);
      waiting.get(question.kind)?.settle(undefined);
      asked += 1;
      const id = asked;
      return new Promise((settle) => {
        waiting.set(question.kind, { id, settle: settle as Waiting['settle'] });
        worker.postMessage({ kind: 'ask', id, file, text, question } satisfies FromPage);
      });
    },
    sync: (files, current) => {
      if (state !== 'ready') return;
      const now = new Map(files.map(({ filename, content }) => [filename, filename === current ? undefined : content]));
      const changed = files.filter(({ filename, content }) => filename !== current && told.get(filename) !== content);
      const removed = [...told.keys()].filter((name) => !now.has(name));
      told = now;
      if (changed.length + removed.length > 0)
        worker.postMessage({ kind: 'files', changed, removed } satisfies FromPage);
    },
    stop: () => {
      leaving.abort();
      for (const { settle } of waiting.values()) settle(undefined);
      worker.terminate();
    },
  };
}
