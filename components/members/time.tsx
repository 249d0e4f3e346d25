import { Time } from '#components/ui/display/time.tsx';
import { Skeleton } from '#components/ui/feedback/skeleton.tsx';

export type MemberTimeProps = {
  /** An instant; null when there is none; undefined while nobody knows yet. */
  at: string | null | undefined;
  /** For those who do not see the dash. */
  none: string;
  short?: boolean;
};

export function MemberTime({ at, none, short }: MemberTimeProps) {
  if (at === undefined) return <Skeleton className="w-18" />;
  if (at !== null) return <Time at={at} short={short} />;
  return (
    <>
      <span aria-hidden="true">–</span>
      <span className="sr-only">{none}</span>
    </>
  );
}
