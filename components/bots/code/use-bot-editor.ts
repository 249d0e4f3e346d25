'use client';
import { useEffect, useRef, useState } from 'react';
import { toast } from '#components/ui/feedback/toast.tsx';
import { ApiError } from '#lib/client/api/api-error.ts';
import { keepDraft, readDraft } from '#lib/client/api/drafts.ts';
import { whilePending } from '#lib/client/api/pending.ts';
import { type CompileError, toCompileErrors } from '#lib/client/bots/compile-errors.ts';
import { type Program, type Release, useCheck } from '#lib/client/bots/release.ts';
import { readSource, useBotSource, useDeploy, useReadLive, useSaveSource } from '#lib/client/bots/source.ts';
import type { BotSource } from '#lib/protocol/bots/bot-source.ts';
import type { VersionSource } from '#lib/protocol/bots/bot-versions.ts';
import type { Checked } from '#lib/protocol/bots/samples.ts';

export type BotEditor = ReturnType<typeof useBotEditor>;

/** What a deploy would find, and what it would replace. */
type Review = { checked: Checked; live: VersionSource | undefined };
type How = Pick<Release, 'note' | 'force' | 'canary'>;

/** Unsaved code, and the version of the Bot that it was begun on. */
type Unsaved = { code: string; version: number; taken?: number };

/**
 * The text being edited and what can be done with it. What is not saved survives a reload of the tab; a draft that someone else
 * saved meanwhile becomes `conflict`, live code that the draft never stood on `replacing`, and nothing is lost on either side.
 */
export function useBotEditor(projectId: string, botId: string, liveVersion: VersionSource | undefined) {
  const source = useBotSource(projectId, botId);
  const saveSource = useSaveSource(projectId, botId);
  const deploySource = useDeploy(projectId, botId);
  const check = useCheck(projectId, botId);
  const readLive = useReadLive(projectId, botId);
  const [base, setBase] = useState<BotSource>();
  const [code, setCode] = useState<string>();
  const [savedAt, setSavedAt] = useState<Date>();
  const [errors, setErrors] = useState<readonly CompileError[]>([]);
  const [conflict, setConflict] = useState<BotSource>();
  const [replacing, setReplacing] = useState<VersionSource>();
  /** What a deploy of the text would find: shown before it is done. */
  const [review, setReview] = useState<Review>();
  /** The version from elsewhere that this text was made from. */
  const [taken, setTaken] = useState<number>();
  const [task, setTask] = useState<'save' | 'deploy'>();
  const working = useRef(false);
  const text = code ?? base?.code ?? '';
  const dirty = base !== undefined && text !== base.code;

  const read = source.data;
  useEffect(() => {
    if (!read) return;
    // The base of unsaved work stays what it was begun on, so that saving it notices what came between.
    setBase((before) => (before && dirty && before.code !== read.code ? before : read));
    const kept = base ? undefined : readDraft<Unsaved>(toDraftKey(botId));
    if (kept && kept.code !== read.code) {
      setBase({ ...read, version: kept.version });
      setCode(kept.code);
      setTaken(kept.taken);
    } else if (!base) setTaken(read.from ?? undefined);
  }, [read, base, botId, dirty]);

  useEffect(() => {
    if (!base) return;
    keepDraft(toDraftKey(botId), dirty ? ({ code: text, version: base.version, taken } satisfies Unsaved) : undefined);
  }, [botId, base, dirty, text, taken]);

  /** Saves and deploys do not overlap: pressed again meanwhile, they do nothing. */
  async function alone(next: 'save' | 'deploy', work: () => Promise<boolean>): Promise<boolean> {
    if (working.current) return false;
    working.current = true;
    setTask(next);
    try {
      return await whilePending(work, botId);
    } finally {
      working.current = false;
      setTask(undefined);
    }
  }

  async function save(over = base): Promise<boolean> {
    if (!over) return false;
    try {
      setBase(await saveSource.mutateAsync({ code: text, filename: over.filename, version: over.version }));
      setSavedAt(new Date());
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.status === 412) setConflict(await readSource(projectId, botId));
      else report('The draft was not saved', error);
      return false;
    }
  }

  /**
   * `over`: the version from elsewhere that may be replaced. Whoever wants to see first what it changes is always shown; everybody is where a sample
   * is not as expected, or the code wants what the live version does not.
   */
  async function deploy({ over = taken, shown = false } = {}): Promise<boolean> {
    if (!base || (dirty && !(await save()))) return false;
    try {
      const [saved, live] = await Promise.all([readSource(projectId, botId), readLive()]);
      // What runs stands for a draft that nobody edits: deployed past it, that is asked about below.
      const isLive = saved.from !== null && live?.elsewhere;
      if (saved.code !== text && !isLive) {
        setConflict(saved);
        return false;
      }
      if (live?.source === text && live.filename === base.filename) {
        setErrors([]);
        toast({ title: 'Already live', description: `Version ${live.number} is exactly this code.` });
        return true;
      }
      if (live?.elsewhere && live.number !== over) {
        setReplacing(live);
        return false;
      }
      const checked = await check.mutateAsync(programWith(live));
      if (shown || isToBeSeen(checked, live)) {
        setErrors([]);
        setReview({ checked, live });
        return false;
      }
      return await putLive({}, live);
    } catch (error) {
      return refused(error);
    }
  }

  /** A draft is one file: the others are those of what it stands for, where that is many. */
  function programWith(live: VersionSource | undefined): Program {
    const filename = base?.filename ?? 'index.ts';
    return { code: text, filename, ...(live?.files && live.filename === filename && { files: live.files }) };
  }

  async function putLive(how: How, live: VersionSource | undefined): Promise<boolean> {
    if (!base) return false;
    try {
      await deploySource.mutateAsync({ ...programWith(live), ...how });
      setErrors([]);
      setReview(undefined);
      toast(
        how.canary === undefined
          ? { title: 'Deployed', description: 'Callers get this version from now on.' }
          : { title: `It is tried on ${how.canary} % of the runs` },
      );
      return true;
    } catch (error) {
      return refused(error);
    }
  }

  function refused(error: unknown): false {
    const found = error instanceof ApiError ? toCompileErrors(error) : [];
    setErrors(found);
    if (found.length > 0) setReview(undefined);
    else report('Nothing was deployed', error);
    return false;
  }

  function takeTheirs() {
    setBase(conflict);
    setCode(undefined);
    setConflict(undefined);
  }

  function keepMine() {
    setConflict(undefined);
    void alone('save', () => save(conflict));
  }

  /** What runs becomes the text; the saved draft stays until this is saved. */
  function takeLive({ number, source: live }: VersionSource) {
    setCode(live);
    setTaken(number);
    setReplacing(undefined);
  }

  function replaceLive() {
    setReplacing(undefined);
    void alone('deploy', () => deploy({ over: replacing?.number }));
  }

  return {
    source,
    code: text,
    /** What would be deployed. */
    program: programWith(liveVersion),
    filename: base?.filename ?? 'index.ts',
    ready: base !== undefined,
    change: setCode,
    dirty,
    savedAt,
    /** Number of the live version whose code this is, as long as nobody edits it. */
    from: base?.from ?? undefined,
    errors,
    save: () => alone('save', () => save()),
    saving: saveSource.isPending,
    deploy: () => alone('deploy', () => deploy()),
    deploying: task === 'deploy',
    /** Shows first what it changes. */
    openReview: () => alone('deploy', () => deploy({ shown: true })),
    review,
    release: (how: How) => alone('deploy', () => putLive(how, review?.live)),
    closeReview: () => setReview(undefined),
    conflict,
    takeTheirs,
    keepMine,
    closeConflict: () => setConflict(undefined),
    replacing,
    taken,
    takeLive,
    replaceLive,
    closeReplacing: () => setReplacing(undefined),
  };
}

/** A version that nothing was live before wants everything for the first time, which says little. */
function isToBeSeen({ samples, wants }: Checked, live: VersionSource | undefined): boolean {
  return samples.some(({ ok }) => !ok) || (live !== undefined && wants.added.length > 0);
}

/** Where unsaved code of a bot is kept. */
export function toDraftKey(botId: string): string {
  return `bot:${botId}`;
}

function report(title: string, error: unknown): void {
  const id = error instanceof ApiError && error.requestId ? ` (request ${error.requestId})` : '';
  toast({ tone: 'danger', title, description: `${(error as Error).message}${id}` });
}
