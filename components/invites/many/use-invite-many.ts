'use client';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { usePolicies } from '#lib/client/access/policies.ts';
import { ApiError } from '#lib/client/api/api-error.ts';
import { newKey } from '#lib/client/api/new-key.ts';
import { whilePending } from '#lib/client/api/pending.ts';
import { keys } from '#lib/client/api/query-keys.ts';
import { useDraft } from '#lib/client/api/use-draft.ts';
import { preflight } from '#lib/client/invites/preflight.ts';
import { type ColumnKey, type InviteCells, noticeOf, readInviteCsv, toInviteRow } from '#lib/client/invites/rows.ts';
import { startJob } from '#lib/client/jobs/jobs.ts';
import type { Preflight } from '#lib/protocol/answers/preflight.ts';
import { MOST_ROWS } from '#lib/protocol/requests/bulk-job.ts';

export type ManyStep = 'paste' | 'check' | 'started';

/** More than this is not shown as text. */
const MOST_TEXT = 200_000;

/** As typed, and as read: `source` is the text that the rows come from, none while they were not read. */
type List = { text: string; source?: string; rows: InviteCells[]; columns: ColumnKey[] };
const NOTHING: List = { text: '', rows: [], columns: [] };

/** The list on its way from a file to a job: rows as typed, what the server thinks of them, and one job at the end. */
export function useInviteMany(projectId: string) {
  const [step, setStep] = useState<ManyStep>('paste');
  const [draft = NOTHING, keep] = useDraft<List>(`invite-many:${projectId}`);
  const { text, source, rows, columns } = draft;
  const [verdict, setVerdict] = useState<Preflight>();
  /** Rows edited since the server last looked. */
  const [edited, setEdited] = useState<ReadonlySet<number>>(new Set());
  const [notice, setNotice] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [job, setJob] = useState<string>();
  const attempt = useRef({ body: '', key: '' });
  const policies = usePolicies(projectId);
  const queries = useQueryClient();

  async function guarded(act: () => Promise<void>) {
    setBusy(true);
    setProblem(undefined);
    try {
      await whilePending(act);
    } catch (error) {
      setProblem(error instanceof ApiError || error instanceof Error ? error.message : 'This failed');
    } finally {
      setBusy(false);
    }
  }

  const toInput = (cells: InviteCells) =>
    toInviteRow(cells, new Map(policies.data?.map(({ name, reference }) => [name.toLowerCase(), reference])));

  async function check(list: InviteCells[]) {
    const answer = await preflight(projectId, list.map(toInput));
    setVerdict(answer);
    setEdited(new Set());
    setStep('check');
  }

  function read(list: string) {
    const shown = list.length > MOST_TEXT ? '' : list;
    const typed = { ...NOTHING, text: shown };
    keep(typed);
    return guarded(async () => {
      const found = readInviteCsv(list);
      if (found.rows.length === 0) throw new Error('There is no row in this.');
      if (found.rows.length > MOST_ROWS) {
        const have = found.rows.length.toLocaleString('en');
        throw new Error(`This has ${have} rows. At most ${MOST_ROWS.toLocaleString('en')} go in one list.`);
      }
      setNotice(noticeOf(found));
      await check(found.rows);
      keep({ ...typed, source: shown, rows: found.rows, columns: found.used });
    });
  }

  return {
    step,
    text,
    setText: (typed: string) => keep(typed === '' ? undefined : { ...draft, text: typed }),
    job,
    rows,
    columns,
    verdict,
    edited,
    notice,
    problem,
    busy,
    read,
    /** There is something to go on with. */
    ready: text.trim() !== '' || source === text,
    /** To the rows: as they were put right there, as long as the text is the one they came from. */
    goOn: async () => (source !== text ? read(text) : verdict ? setStep('check') : guarded(() => check(rows))),
    checkAgain: () => guarded(() => check(rows)),
    edit: (row: number, key: ColumnKey, value: string) => {
      keep({ ...draft, rows: rows.map((cells, at) => (at === row ? { ...cells, [key]: value } : cells)) });
      setEdited(new Set(edited).add(row));
    },
    back: () => setStep('paste'),
    start: () =>
      guarded(async () => {
        const fit = verdict?.rows.filter(({ action }) => action !== 'refuse').map(({ row }) => row) ?? [];
        const list = fit.flatMap((row) => (rows[row] ? [toInput(rows[row])] : []));
        const job = { kind: 'invite', rows: list, numbers: fit.map((row) => row + 1) } as const;
        const body = JSON.stringify(job);
        if (attempt.current.body !== body) attempt.current = { body, key: newKey() };
        const id = await startJob(projectId, { ...job, idempotencyKey: attempt.current.key });
        await queries.invalidateQueries({ queryKey: keys.jobs(projectId) });
        setJob(id);
        keep(undefined);
        setStep('started');
      }),
    reset: () => {
      keep(undefined);
      setVerdict(undefined);
      setNotice(undefined);
      setStep('paste');
    },
  };
}

export type InviteManyState = ReturnType<typeof useInviteMany>;
