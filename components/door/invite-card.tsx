import { Avatar } from '#components/ui/display/avatar.tsx';
import { Card } from '#components/ui/display/card.tsx';
import type { LinkInfo } from '#lib/protocol/answers/link.ts';

const TYPE_WORDS: Record<string, string> = {
  Practitioner: 'a practitioner',
  Patient: 'a patient',
  RelatedPerson: 'a related person',
};

/** Which project, who asked you in, as what. */
export function InviteCard({ info }: { info: LinkInfo }) {
  const project = info.project?.name ?? 'this service';
  const role = info.admin ? 'an administrator' : info.profileType ? TYPE_WORDS[info.profileType] : undefined;
  return (
    <Card className="mb-7 flex items-center gap-3.5 px-4 py-3.5">
      <Avatar name={project} className="size-10 rounded-xl text-sm" />
      <div className="min-w-0">
        <p className="truncate font-semibold">{project}</p>
        <p className="text-[0.8125rem] text-muted">
          {role ? `You join as ${role}` : 'You join as a member'}
          {info.invitedBy ? `, invited by ${info.invitedBy}` : ''}
        </p>
      </div>
    </Card>
  );
}
