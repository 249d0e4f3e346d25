import type { Metadata } from 'next';
import { Register } from '#components/door/register.tsx';

export const metadata: Metadata = { title: 'Start a project' };

/** For who has an account already. */
export default function RegisterProjectPage() {
  return <Register known />;
}
