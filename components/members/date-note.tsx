'use client';
import { cn } from '#components/ui/cn.ts';
import type { Member } from '#lib/client/api/types.ts';
import { toDateNote } from '#lib/client/members/date-note.ts';

/** When they come or go, beside their status. */
export function DateNote({ member, className }: { member: Member; className?: string }) {
  const note = toDateNote(member);
  return note ? <span className={cn('text-[0.8125rem] text-muted', className)}>{note.text}</span> : null;
}
