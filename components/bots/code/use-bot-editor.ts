'use client';
import { useState } from 'react';
import { toast } from '#components/ui/feedback/toast.tsx';
import { ApiError } from '#lib/client/api/api-error.ts';
import { type CompileError, toCompileErrors } from '#lib/client/bots/compile-errors.ts';
import { type Files, isSame, ofVersion, sizeProblem, toFiles, toProgram } from '#lib/client/bots/files/program.ts';
import { type Program, type Release, useCheck } from '#lib/client/bots/release.ts';
import { readSource, useBotSource, useDeploy, useReadLive, useSaveSource } from '#lib/client/bots/source.ts';
import type { BotSource } from '#lib/protocol/bots/bot-source.ts';
import type { VersionSource } from '#lib/protocol/bots/bot-versions.ts';
import type { Checked } from '#lib/protocol/bots/samples.ts';
import { isOtherwise, isStale, refuse, report } from './refusals.ts';
import { useAlone } from './use-alone.ts';
import { useEditedFiles } from './use-edited-files.ts';

export type BotEditor = ReturnType<typeof useBotEditor>;

/** What a deploy would find, and what it would replace. `refused`: why one that was looked at before was not done. */
type Review = { checked: Checked; live: VersionSource | undefined; files: Files; refused?: string };
type How = Pick<Release, 'note' | 'force' | 'canary' | 'over'>;

/**
 * The files being edited and what can be done with them. What is not saved survives a reload of the tab; a draft that someone else
 * saved meanwhile becomes `conflict`, live code that the draft never stood on `replacing`, and nothing is lost on either side.
 */
export function useBotEditor(projectId: string, botId: string, liveVersion: VersionSource | undefined) {
  const source = useBotSource(projectId, botId);
  const saveSource = useSaveSource(projectId, botId);
  const deploySource = useDeploy(projectId, botId);
  const check = useCheck(projectId, botId);
  const readLive = useReadLive(projectId, botId);
  const edited = useEditedFiles(botId, source.data);
  const { base, setBase, files, dirty, taken, setTaken } = edited;
  const [savedAt, setSavedAt] = useState<Date>();
  const [errors, setErrors] = useState<readonly CompileError[]>([]);
  /** Where the editor is to go. */
  const [place, setPlace] = useState<CompileError>();
  const [conflict, setConflict] = useState<BotSource>();
  const [replacing, setReplacing] = useState<VersionSource>();
  /** What a deploy of the text would find: shown before it is done. */
  const [review, setReview] = useState<Review>();
  const { alone, task } = useAlone(botId);
  const tooMuch = sizeProblem(files);
  const program = toProgram(files);

  async function save(over = base): Promise<boolean> {
    if (!over) return false;
    if (tooMuch) return refuse('The draft was not saved', tooMuch);
    try {
      const saved = await store(over);
      if (!saved) return false;
      setBase(saved);
      setSavedAt(new Date());
      return true;
    } catch (error) {
      report('The draft was not saved', error);
      return false;
    }
  }

  /** A deploy and other settings make another version of the Bot, and the draft is the same: only another draft is one that somebody else saved. */
  async function store(over: BotSource): Promise<BotSource | undefined> {
    const put = (version: number) => saveSource.mutateAsync({ ...toSaved(over), version });
    try {
      return await put(over.version);
    } catch (error) {
      if (!isStale(error)) throw error;
    }
    const theirs = await readSource(projectId, botId);
    const now = toFiles(theirs);
    // An answer was lost, or another tab has the same draft.
    if (isSame(now, files)) return theirs;
    if (over === base ? edited.isBegunOn(now) : isSame(now, toFiles(over))) return put(theirs.version);
    setConflict(theirs);
    return undefined;
  }

  /**
   * `over`: the version from elsewhere that may be replaced. Whoever wants to see first what it changes is always shown; everybody is where a sample
   * is not as expected, or the code wants what the live version does not.
   */
  async function deploy({ over = taken, shown = false } = {}): Promise<boolean> {
    if (tooMuch) return refuse('Nothing was deployed', tooMuch);
    if (!base || (dirty && !(await save()))) return false;
    try {
      const [saved, live] = await Promise.all([readSource(projectId, botId), readLive()]);
      // What runs stands for a draft that nobody edits: deployed past it, that is asked about below.
      const isLive = saved.from !== null && live?.elsewhere;
      if (!isSame(toFiles(saved), files) && !isLive) {
        setConflict(saved);
        return false;
      }
      if (live && isSame(ofVersion(live), files)) {
        setErrors([]);
        toast({ title: 'Already live', description: `Version ${live.number} is exactly this code.` });
        return true;
      }
      if (live?.elsewhere && live.number !== over) {
        setReplacing(live);
        return false;
      }
      const checked = await check.mutateAsync(program);
      if (shown || isToBeSeen(checked, live)) {
        setErrors([]);
        setReview({ checked, live, files });
        return false;
      }
      return await putLive({ over: live?.number ?? 0 });
    } catch (error) {
      return refused(error);
    }
  }

  /** That it has no other files any more has to be said where it had some, or what is live has. */
  function toSaved(over: BotSource): Program {
    return over.files || liveVersion?.files ? { ...program, files: program.files ?? [] } : program;
  }

  async function putLive(how: How, of = files): Promise<boolean> {
    try {
      await deploySource.mutateAsync({ ...toProgram(of), ...how });
      setErrors([]);
      setReview(undefined);
      toast(
        how.canary === undefined
          ? { title: 'Deployed', description: 'Callers get this version from now on.' }
          : { title: `It is tried on ${how.canary} % of the runs` },
      );
      return true;
    } catch (error) {
      if (!isStale(error) && !isOtherwise(error)) return refused(error);
      return lookAgain(of, (error as Error).message).catch(refused);
    }
  }

  /** Another version is live than was looked at, or samples expect something else by now. What was typed of the deploy stays. */
  async function lookAgain(at: Files, why: string): Promise<false> {
    const [checked, live] = await Promise.all([check.mutateAsync(toProgram(at)), readLive()]);
    setErrors([]);
    setReview({ checked, live, files: at, refused: why });
    return false;
  }

  function refused(error: unknown): false {
    const found = error instanceof ApiError ? toCompileErrors(error) : [];
    setErrors(found);
    if (found[0]) show(found[0]);
    if (found.length > 0) setReview(undefined);
    else report('Nothing was deployed', error);
    return false;
  }

  /** Opens the file that an error is in, at its place. */
  function show(error: CompileError) {
    edited.open(error.file);
    setPlace({ ...error });
  }

  function takeTheirs() {
    setBase(conflict);
    startFrom(undefined);
    setConflict(undefined);
  }

  function keepMine() {
    setConflict(undefined);
    void alone('save', () => save(conflict));
  }

  /** Another version becomes the text, or what is saved; what nobody has saved comes back on demand. */
  function startFrom(next: Files | undefined) {
    edited.change(next);
    const back = () => {
      edited.change(files);
      setTaken(taken);
    };
    if (dirty) toast({ title: 'What was not saved was replaced', undo: back });
  }

  /** What runs becomes the text; the saved draft stays until this is saved. */
  function takeLive(live: VersionSource) {
    startFrom(ofVersion(live));
    setTaken(live.number);
    setReplacing(undefined);
  }

  function replaceLive() {
    setReplacing(undefined);
    void alone('deploy', () => deploy({ over: replacing?.number }));
  }

  return {
    source,
    files,
    /** What would be deployed. */
    program,
    /** Why the server would not take it. */
    tooMuch,
    ready: base !== undefined,
    /** Name of the file that is shown. */
    active: edited.active,
    open: edited.open,
    change: edited.change,
    startFrom,
    dirty,
    savedAt,
    /** Number of the live version whose code this is, as long as nobody edits it. */
    from: base?.from ?? undefined,
    errors,
    show,
    place,
    save: () => alone('save', () => save()),
    saving: saveSource.isPending,
    deploy: () => alone('deploy', () => deploy()),
    deploying: task === 'deploy',
    /** Shows first what it changes. */
    openReview: () => alone('deploy', () => deploy({ shown: true })),
    review,
    // What was shown is what is deployed, and replaced: whoever types on meanwhile has that as the next draft.
    release: (how: How) => alone('deploy', () => putLive({ ...how, over: review?.live?.number ?? 0 }, review?.files)),
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
