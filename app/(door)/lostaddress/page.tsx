import type { Metadata } from 'next';
import { LostAddress } from '#components/account-changes/lost-address.tsx';

export const metadata: Metadata = { title: 'I no longer have this address' };

export default function LostAddressPage() {
  return <LostAddress />;
}
