import type { Metadata } from 'next';
import { ChangeLink } from '#components/account-changes/change-link.tsx';

// The address of this page is a capability: nothing may keep or pass it on.
export const metadata: Metadata = {
  title: 'A change of your account',
  referrer: 'no-referrer',
  robots: { index: false },
};

type Props = { params: Promise<{ id: string }> };

export default async function AccountChangePage({ params }: Props) {
  const { id } = await params;
  return <ChangeLink id={id} />;
}
