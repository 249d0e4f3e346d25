import { Badge } from '#components/ui/display/badge.tsx';
import type { MessageState } from '#lib/protocol/hl7/feeds/feed-answers.ts';

export const MESSAGE_WORDS: Record<MessageState, string> = {
  waiting: 'Waiting',
  running: 'Running',
  done: 'Done',
  failed: 'Failed',
};
const TONES = { waiting: 'neutral', running: 'info', done: 'good', failed: 'danger' } as const;

export function MessageBadge({ state }: { state: MessageState }) {
  return (
    <Badge tone={TONES[state]} dot className="shrink-0">
      {MESSAGE_WORDS[state]}
    </Badge>
  );
}
