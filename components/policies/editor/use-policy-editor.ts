'use client';
import { useEffect, useState } from 'react';
import { sayFailure } from '#components/ui/feedback/say-failure.ts';
import { toast } from '#components/ui/feedback/toast.tsx';
import { useOnce } from '#components/ui/use-once.ts';
import { api } from '#lib/client/api/api.ts';
import { ApiError, type ApiIssue } from '#lib/client/api/api-error.ts';
import { keepDraft, readDraft, spendDraft } from '#lib/client/api/drafts.ts';
import { useDraft } from '#lib/client/api/use-draft.ts';
import { lintPolicy } from '#lib/client/policies/editing.ts';
import { type StoredPolicy, useSavePolicy } from '#lib/client/policies/policies.ts';
import { ANYWAY, brokenTests } from '#lib/client/policies/policy-tests.ts';
import { parse, toPolicy, toText } from '#lib/client/policies/policy-text.ts';
import type { AccessPolicy } from '#lib/protocol/fhir/types.ts';

/** `base`: the version that was changed. A new policy has none. */
type Draft = { text: string; base?: { version: string; text: string } };

/** Tests that stand against a save, and the same save all the same. */
type Broken = { issues: readonly ApiIssue[]; anyway: () => void };

const PAUSE_MS = 500;
const NO_JSON: ApiIssue = { text: 'This is no JSON' };

export type PolicyEditor = ReturnType<typeof usePolicyEditor>;

/** One text, which form and JSON show both: what was typed outlives the page, and a save that comes second. */
export function usePolicyEditor(projectId: string, stored: StoredPolicy | undefined, start: string) {
  const key = toDraftKey(projectId, stored?.id);
  const [draft, keep] = useDraft<Draft>(key);
  const current = stored ? toText(stored) : start;
  const base = draft?.base ?? (stored && { version: stored.meta?.versionId ?? '', text: current });
  const text = draft?.text ?? current;
  const { issues, checking } = useLint(text, stored?.id);
  const [theirs, setTheirs] = useState<StoredPolicy>();
  const [broken, setBroken] = useState<Broken>();
  const save = useSavePolicy(projectId);
  const { busy, once } = useOnce();

  const change = (next: string) => keep(next === (base?.text ?? start) ? undefined : { text: next, base });
  const send = (ifMatch: string | undefined, done: (saved: StoredPolicy) => void, headers?: Record<string, string>) =>
    once(async () => {
      const body = parse(text);
      if (typeof body !== 'object' || body === null) return void toast({ title: NO_JSON.text, tone: 'danger' });
      const policy = { ...(body as AccessPolicy), ...(stored && { id: stored.id }) };
      try {
        const saved = await save.mutateAsync({ policy, ifMatch, headers });
        spendDraft(key, draft);
        moveDraft(key, projectId, saved);
        setTheirs(undefined);
        setBroken(undefined);
        toast({ title: 'The policy is saved' });
        done(saved);
      } catch (error) {
        if (stored && error instanceof ApiError && error.status === 412) {
          setTheirs(await api<StoredPolicy>(`/fhir/R4/AccessPolicy/${stored.id}`).catch(() => undefined));
          return;
        }
        const issues = brokenTests(error);
        if (issues) setBroken({ issues, anyway: () => void send(ifMatch, done, ANYWAY) });
        else sayFailure(error as Error);
      }
    });
  return {
    text,
    policy: toPolicy(text),
    change,
    changePolicy: (policy: AccessPolicy) => change(JSON.stringify(policy, null, 2)),
    dirty: draft !== undefined || !stored,
    issues,
    checking,
    busy,
    save: (done: (saved: StoredPolicy) => void = () => undefined) => send(base?.version, done),
    discard: () => keep(undefined),
    conflict: theirs && { before: base?.text ?? '', theirs: toText(theirs) },
    broken,
    closeBroken: () => setBroken(undefined),
    closeConflict: () => setTheirs(undefined),
    takeTheirs: () => {
      keep(undefined);
      setTheirs(undefined);
    },
    /** What was typed, as the next version after theirs. */
    keepMine: () => send(theirs?.meta?.versionId, () => undefined),
  };
}

function toDraftKey(projectId: string, id: string | undefined): string {
  return `policy ${projectId} ${id ?? 'new'}`;
}

/** What was typed while it was saved is a change of what was saved. */
function moveDraft(key: string, projectId: string, saved: StoredPolicy): void {
  const typed = readDraft<Draft>(key);
  if (!typed) return;
  keepDraft(key, undefined);
  const base = { version: saved.meta?.versionId ?? '', text: toText(saved) };
  keepDraft(toDraftKey(projectId, saved.id), { text: typed.text, base } satisfies Draft);
}

/** What would refuse a save of the text, asked of the server when the typing pauses. */
function useLint(text: string, id: string | undefined): { issues: readonly ApiIssue[]; checking: boolean } {
  const [told, setTold] = useState<{ text: string; issues: readonly ApiIssue[] }>();
  useEffect(() => {
    const stop = new AbortController();
    const timer = setTimeout(async () => {
      const policy = parse(text);
      const isNone = typeof policy !== 'object' || policy === null;
      const asked = isNone ? [NO_JSON] : lintPolicy(policy, id, stop.signal);
      const issues = await Promise.resolve(asked).catch((error: Error) => [{ text: error.message }]);
      if (!stop.signal.aborted) setTold({ text, issues });
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [text, id]);
  return { issues: told?.issues ?? [], checking: told?.text !== text };
}
