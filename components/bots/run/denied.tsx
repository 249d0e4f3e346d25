import Link from 'next/link';
import { Alert } from '#components/ui/feedback/alert.tsx';
import { useBotMembership } from '#lib/client/bots/connections/connections.ts';
import { toDenied } from '#lib/client/bots/waterfall.ts';
import type { BotRunDetail } from '#lib/protocol/bots/runs/bot-runs.ts';

export type RunDeniedProps = { projectId: string; run: BotRunDetail };

/** What a run that did not end well was refused, and the way to where that is said. */
export function RunDenied({ projectId, run }: RunDeniedProps) {
  const denied = run.status === 'ok' ? [] : toDenied(run.calls);
  return denied.length > 0 ? <Told projectId={projectId} botId={run.bot.id} denied={denied} /> : null;
}

type ToldProps = { projectId: string; botId: string; denied: readonly string[] };

function Told({ projectId, botId, denied }: ToldProps) {
  const membership = useBotMembership(projectId, botId).data;
  return (
    <div className="px-6 pb-5">
      <Alert tone="warn" title="Denied by policy">
        <ul aria-label="What was denied" className="list-disc pl-4">
          {denied.map((call) => (
            <li key={call} className="break-all font-mono text-xs leading-5">
              {call}
            </li>
          ))}
        </ul>
        {membership ? (
          <p className="mt-1">
            A bot may do what <Link href={`/p/${projectId}/members/${membership.id}`}>it may as a member</Link>, or what
            its caller may, where it runs as them.
          </p>
        ) : null}
      </Alert>
    </div>
  );
}
