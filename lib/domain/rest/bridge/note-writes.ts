import type { CallFacts } from '#lib/infra/sandbox/host/run-job.ts';
import type { AuditEntry, Ctx } from '../../access/context.ts';

/** Of one run. */
const MOST_NAMED = 1000;
/** A resource's: entries also tell of what is none, as a job. */
const RESOURCE = /^[A-Z][A-Za-z]{0,63}\/[A-Za-z0-9.-]{1,64}$/;
const CHANGE = /\.(?:create|update|delete)$/;

type Note = (facts: CallFacts) => void;

/**
 * For the calls of one run: each in a context that hears what it commits, however it came to that (a method, a bundle, a condition), and a note that tells
 * it, by version. What one writes that is refused later is told, too.
 */
export function createWriteNotes(): (ctx: Ctx, note: Note) => { ctx: Ctx; note: Note } {
  let left = MOST_NAMED;
  return (ctx, note) => {
    const wrote: string[] = [];
    let facts: CallFacts = {};
    const tell = () => note({ ...facts, ...(wrote.length > 0 && { wrote }) });
    const committed = (entries: readonly AuditEntry[]) => {
      const names = entries.flatMap((entry) => nameOf(entry) ?? []).slice(0, left);
      if (names.length === 0) return;
      left -= names.length;
      wrote.push(...names);
      tell();
    };
    return {
      ctx: { ...ctx, committed },
      note(more) {
        facts = more;
        tell();
      },
    };
  };
}

function nameOf({ action, target, after, outcome = 0 }: AuditEntry): string | undefined {
  if (outcome !== 0 || !CHANGE.test(action) || !RESOURCE.test(target)) return undefined;
  const { version } = (after ?? {}) as { version?: unknown };
  return typeof version === 'number' ? `${target}/_history/${version}` : target;
}
