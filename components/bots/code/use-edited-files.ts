'use client';
import { useEffect, useMemo, useRef, useState } from 'react';
import { keepDraft, readDraft } from '#lib/client/api/drafts.ts';
import { contentOf, type Files, fingerprint, isSame, toFiles } from '#lib/client/bots/files/program.ts';
import type { BotSource } from '#lib/protocol/bots/bot-source.ts';

/** Unsaved files, and the version of the Bot and the draft (`origin`) that they were begun on. `code`: as a release before had them. */
type Unsaved = { files?: Files; code?: string; version: number; origin?: number; taken?: number };

const NOTHING: BotSource = { code: '', filename: 'index.ts', version: 0, from: null };
/** More than that is written down when nobody types for a moment. */
const LONG = 256 * 1024;
const PAUSE_MS = 500;

/** What of a bot is saved (`base`), what it has become since (`files`), and which file one sees. What is not saved is kept in this tab. */
export function useEditedFiles(botId: string, read: BotSource | undefined) {
  const [base, setBase] = useState<BotSource>();
  const [edited, setEdited] = useState<Files>();
  /** The version from elsewhere that these files were made from. */
  const [taken, setTaken] = useState<number>();
  const [opened, setOpened] = useState<string>();
  const saved = useMemo(() => toFiles(base ?? NOTHING), [base]);
  const savedAs = useMemo(() => fingerprint(saved), [saved]);
  const files = edited ?? saved;
  const dirty = base !== undefined && !isSame(files, saved);

  /** Of another draft than the one that is saved by now. */
  const origin = useRef<number>(undefined);

  useEffect(() => {
    if (!read) return;
    // The base of unsaved work stays what it was begun on, so that saving it notices what came between.
    setBase((before) => {
      // What somebody else saved was read just now, and may be newer than this.
      if (before && before.version > read.version) return before;
      const isOld = before && dirty && (origin.current !== undefined || !isSame(toFiles(before), toFiles(read)));
      return isOld ? before : read;
    });
    if (base) {
      if (!dirty) {
        origin.current = undefined;
        setEdited(undefined);
      }
      return;
    }
    const kept = readDraft<Unsaved>(toDraftKey(botId));
    const begun = kept && (kept.files ?? toFiles({ ...read, code: kept.code ?? read.code }));
    if (begun && !isSame(begun, toFiles(read))) {
      // Saved meanwhile, or no more than the Bot's settings: of the first it is told when these are saved.
      if (kept.origin === fingerprint(toFiles(read))) setBase(read);
      else {
        origin.current = kept.origin ?? 0;
        setBase({ ...read, version: kept.version });
      }
      setEdited(begun);
      setTaken(kept.taken);
    } else setTaken(read.from ?? undefined);
  }, [read, base, botId, dirty]);

  const later = useRef<{ timer: ReturnType<typeof setTimeout>; keep: () => void }>(undefined);
  useEffect(() => {
    if (!base) return;
    const keep = () => {
      later.current = undefined;
      const begun = { version: base.version, origin: origin.current ?? savedAs };
      keepDraft(toDraftKey(botId), dirty ? ({ files, ...begun, taken } satisfies Unsaved) : undefined);
    };
    clearTimeout(later.current?.timer);
    const isLong = files.all.reduce((sum, { content }) => sum + content.length, 0) > LONG;
    // The first of it at once: leaving asks from then on.
    if (!dirty || !isLong || readDraft(toDraftKey(botId)) === undefined) keep();
    else later.current = { timer: setTimeout(keep, PAUSE_MS), keep };
  }, [botId, base, dirty, files, taken, savedAs]);
  useEffect(() => () => later.current?.keep(), []);

  /** Whether what is not saved was begun on these. */
  const isBegunOn = (other: Files) =>
    origin.current === undefined ? isSame(other, saved) : fingerprint(other) === origin.current;

  const active = opened !== undefined && contentOf(files, opened) !== undefined ? opened : files.entry;
  return { base, setBase, files, change: setEdited, dirty, isBegunOn, taken, setTaken, active, open: setOpened };
}

/** Where unsaved files of a bot are kept. */
function toDraftKey(botId: string): string {
  return `bot:${botId}`;
}
